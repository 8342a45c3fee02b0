/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kinds of PMU share; which of them a session has: auxtrace_open.c. */
#include "trace/pmu/auxtrace.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#ifdef __x86_64__
#include <x86intrin.h>
#endif

#include "base/err.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/units.h"
#include "perf/event/pmu.h"

enum {
	/*
	 * Bytes at a ring's end that tell whether it was ever full: as many as
	 * perf looks at (intel_pt_first_wrap(), tools/perf/arch/x86/util).
	 */
	END_BYTES = 4096,
};

int auxtrace_online(const struct auxtrace_env *env, struct cpulist *cpus,
		    struct err *err)
{
	char path[PATH_MAX], *text;
	ssize_t len;
	int ret;

	*cpus = (struct cpulist){ 0 };
	snprintf(path, sizeof(path), "%s/online", env->cpus);
	len = sys_read_file_alloc(path, 1 << 20, &text);
	if (len < 0)
		return err_set(err, (int)len, "%s: %s", path,
			       strerror((int)-len));
	text[strcspn(text, "\n")] = '\0';
	ret = cpulist_parse(text, cpus, err);
	free(text);
	return ret;
}

int auxtrace_number(const struct auxtrace_env *env, const char *pmu,
		    const char *file, bool hex, uint64_t *value)
{
	char path[PATH_MAX], text[64];
	uint64_t scanned;
	ssize_t len;
	int n;

	if (!text_is_file_name(pmu))
		return -ENOENT;
	n = snprintf(path, sizeof(path), "%s/%s/%s", env->pmus, pmu, file);
	if (n < 0 || (size_t)n >= sizeof(path))
		return -ENAMETOOLONG;
	len = sys_read_file(path, text, sizeof(text));
	if (len < 0)
		return (int)len;
	while (len > 0 && isspace((unsigned char)text[len - 1]))
		text[--len] = '\0';
	if (hex ? !units_scan_hex(text, &scanned) :
		  !units_scan_number(text, &scanned))
		return -EINVAL;
	*value = scanned;
	return 0;
}

/* The bits of attr.config that a term sets or clears. */
static uint64_t bits_of_term(const struct auxtrace_env *env, const char *pmu,
			     const char *term, const char *value)
{
	struct perf_event_attr zeros = { 0 }, ones = { .config = UINT64_MAX };

	if (pmu_apply_term(env->pmus, pmu, term, value, &zeros, NULL) ||
	    pmu_apply_term(env->pmus, pmu, term, value, &ones, NULL))
		return 0;
	return ~(zeros.config ^ ones.config);
}

uint64_t auxtrace_term_mask(const struct auxtrace_env *env, const char *pmu,
			    const char *term)
{
	return bits_of_term(env, pmu, term, "0");
}

/* Of the terms between the slashes of "PMU/TERMS/MODS". */
static uint64_t bits_of_name(const struct auxtrace_env *env,
			     const struct event_spec *spec)
{
	char text[sizeof(spec->name)], *terms, *term, *save;
	uint64_t bits = 0;

	snprintf(text, sizeof(text), "%s", spec->name);
	terms = strchr(text, '/');
	if (!terms)
		return 0;
	terms++;
	terms[strcspn(terms, "/")] = '\0';
	for (term = strtok_r(terms, ",", &save); term;
	     term = strtok_r(NULL, ",", &save)) {
		char *value = strchr(term, '=');

		if (value)
			*value++ = '\0';
		bits |= bits_of_term(env, spec->pmu, term, value);
	}
	return bits;
}

uint64_t auxtrace_given(const struct auxtrace_env *env,
			const struct event_spec *spec)
{
	uint64_t given = bits_of_name(env, spec);
	struct dirent **files;
	char dir[PATH_MAX];
	int n, nr;

	n = snprintf(dir, sizeof(dir), "%s/%s/format", env->pmus, spec->pmu);
	if (n < 0 || (size_t)n >= sizeof(dir))
		return given;
	nr = sys_scandir(dir, NULL, &files);
	if (nr < 0)
		return given;
	for (int i = 0; i < nr; i++) {
		uint64_t mask =
			auxtrace_term_mask(env, spec->pmu, files[i]->d_name);

		if (spec->attr.config & mask)
			given |= mask;
	}
	sys_free_entries(files, nr);
	return given;
}

uint64_t auxtrace_scatter(uint64_t value, uint64_t mask)
{
	uint64_t bits = 0;

	for (uint64_t bit = 1; bit; bit <<= 1) {
		if (!(mask & bit))
			continue;
		bits |= value & 1 ? bit : 0;
		value >>= 1;
	}
	return bits;
}

uint64_t auxtrace_gather(uint64_t bits, uint64_t mask)
{
	uint64_t value = 0, place = 1;

	for (uint64_t bit = 1; bit; bit <<= 1) {
		if (!(mask & bit))
			continue;
		value |= bits & bit ? place : 0;
		place <<= 1;
	}
	return value;
}

void auxtrace_period_one(struct event_spec *spec)
{
	spec->freq = 0;
	spec->period = 1;
}

void auxtrace_info_conv(const struct perf_time_conv *conv, uint64_t words[4])
{
	words[0] = conv->time_shift;
	words[1] = conv->time_mult;
	words[2] = conv->time_zero;
	words[3] = conv->cap_user_time_zero && conv->time_mult;
}

int auxtrace_snapshot_start(struct session *s, const bool *skip, double *spread,
			    struct err *err)
{
	return session_aux_hold(s, skip, spread, err);
}

void auxtrace_snapshot_finish(struct session *s, size_t ring)
{
	session_aux_resume(s, ring);
}

/*
 * Whether anything was ever written behind a head that is an offset: pages
 * of a new AUX ring are zero (rb_alloc_aux_page() in
 * kernel/events/ring_buffer.c).
 */
static bool is_written_behind(const struct aux_ring *aux, uint64_t head)
{
	uint64_t from = aux->size > END_BYTES ? aux->size - END_BYTES : 0;

	if (from < head)
		from = head;
	for (; from < aux->size; from++) {
		/* tracing may go on meanwhile */
		if (__atomic_load_n(&aux->data[from], __ATOMIC_RELAXED))
			return true;
	}
	return false;
}

/* A head beyond the ring runs freely, and says itself that it is. */
bool auxtrace_was_full(struct auxtrace_track *track,
		       const struct aux_ring *aux, uint64_t head)
{
	if (!track->full)
		track->full = head >= aux->size || is_written_behind(aux, head);
	return track->full;
}

struct auxtrace_span auxtrace_find_snapshot(struct auxtrace_track *track,
					    const struct aux_ring *aux,
					    uint64_t head)
{
	if (!auxtrace_was_full(track, aux, head))
		return (struct auxtrace_span){ .from = 0, .to = head };
	if (head < aux->size)
		head += aux->size;
	return (struct auxtrace_span){ .from = head - aux->size, .to = head };
}

/* Move @position, which need not begin a record, on to the next that does. */
static uint64_t next_record(const struct aux_ring *aux, uint64_t position,
			    unsigned int alignment)
{
	uint64_t offset = position & (aux->size - 1);
	uint64_t cut = offset % alignment;

	if (!cut)
		return position;
	position += alignment - cut;
	offset += alignment - cut;
	/* the rest of the ring holds no whole one */
	return offset > aux->size ? position - (offset - aux->size) : position;
}

struct auxtrace_span auxtrace_find(const struct auxtrace *trace,
				   struct auxtrace_track *track,
				   const struct aux_ring *aux)
{
	uint64_t most = trace->overwrite ? trace->snapshot_bytes : 0;
	uint64_t head = aux_ring_head(aux);
	struct auxtrace_span span;

	if (trace->overwrite)
		span = trace->ops->find_snapshot(track, aux, head);
	else
		span = (struct auxtrace_span){
			.from = aux_ring_tail(aux),
			.to = head,
		};
	if (most && span.to - span.from > most)
		span.from = span.to - most;
	if (trace->ops->alignment > 1)
		span.from = next_record(aux, span.from, trace->ops->alignment);
	if (span.from > span.to)
		span.from = span.to;
	return span;
}

struct aux_pieces auxtrace_pieces(const struct auxtrace *trace,
				  const struct aux_ring *aux,
				  struct auxtrace_span span)
{
	struct aux_pieces pieces = aux_ring_pieces(aux, span.from, span.to);

	/* else the last record fits, and the head stands behind one */
	if (trace->ops->alignment > 1 && aux->size % trace->ops->alignment)
		pieces.len[0] -= pieces.len[0] % trace->ops->alignment;
	return pieces;
}

size_t auxtrace_copy(const struct auxtrace *trace, const struct aux_ring *aux,
		     struct auxtrace_span span, unsigned char *to)
{
	struct aux_pieces pieces = auxtrace_pieces(trace, aux, span);

	memcpy(to, pieces.data[0], pieces.len[0]);
	if (pieces.len[1])
		memcpy(to + pieces.len[0], pieces.data[1], pieces.len[1]);
	return pieces.len[0] + pieces.len[1];
}

/*
 * Disabled first: where the kernel has not done that for want of room (on
 * CPU 0 of Linux 6.1, on none of 6.12), the event stands still in a state in
 * which enabling it does nothing (kernel/events/core.c, _perf_event_enable).
 */
int auxtrace_read_finish(int fd)
{
	sys_perf_ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	return sys_perf_ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
}

uint64_t auxtrace_reference(void)
{
#if defined(__x86_64__)
	return __rdtsc();
#elif defined(__aarch64__)
	uint64_t count;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
	return count;
#else
	return sys_now_ns();
#endif
}
