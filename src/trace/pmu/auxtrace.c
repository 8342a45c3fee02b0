/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the kinds of PMU, and the kind for all others; auxtrace_open.c finds
 * those of a session.
 */
#include "trace/pmu/auxtrace.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#ifdef __x86_64__
#include <x86intrin.h>
#endif

#include "base/err.h"
#include "base/sys.h"
#include "perf/abi/ring.h"
#include "perf/event/pmu.h"

enum {
	/*
	 * Bytes at the end of a ring that show whether it was ever full: as
	 * many as perf checks (intel_pt_first_wrap(),
	 * tools/perf/arch/x86/util).
	 */
	END_BYTES = 4096,
};

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

/* The bits of all terms between the slashes of "PMU/TERMS/MODS". */
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

struct given {
	const struct auxtrace_env *env;
	const struct event_spec *spec;
	uint64_t bits;
};

static int add_given(void *ctx, const char *field)
{
	struct given *g = ctx;
	uint64_t mask = auxtrace_term_mask(g->env, g->spec->pmu, field);

	if (g->spec->attr.config & mask)
		g->bits |= mask;
	return 0;
}

uint64_t auxtrace_given(const struct auxtrace_env *env,
			const struct event_spec *spec)
{
	struct given g = { env, spec, bits_of_name(env, spec) };

	pmu_each_field(env->pmus, spec->pmu, add_given, &g);
	return g.bits;
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
 * Whether anything was ever written behind a head that is an offset: the pages
 * of a new AUX ring are zero (rb_alloc_aux_page() in
 * kernel/events/ring_buffer.c).
 */
static bool is_written_behind(const struct aux_ring *aux, uint64_t head)
{
	uint64_t from = aux->size > END_BYTES ? aux->size - END_BYTES : 0;

	if (from < head)
		from = head;
	for (; from < aux->size; from++) {
		/* tracing may be running */
		if (__atomic_load_n(&aux->data[from], __ATOMIC_RELAXED))
			return true;
	}
	return false;
}

/* A head beyond the ring is free running, which proves that it is full. */
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

/* Advance @position to the start of a record, if it is not at one. */
static uint64_t next_record(const struct aux_ring *aux, uint64_t position,
			    unsigned int alignment)
{
	uint64_t offset = position & (aux->size - 1);
	uint64_t cut = offset % alignment;

	if (!cut)
		return position;
	position += alignment - cut;
	offset += alignment - cut;
	/* no complete record fits before the end of the ring */
	return offset > aux->size ? position - (offset - aux->size) : position;
}

struct auxtrace_span auxtrace_find(const struct auxtrace *trace,
				   struct auxtrace_track *track,
				   const struct aux_ring *aux)
{
	uint64_t max = trace->overwrite ? trace->snapshot_bytes : 0;
	uint64_t head = aux_ring_head(aux);
	struct auxtrace_span span;

	if (trace->overwrite)
		span = trace->ops->find_snapshot(track, aux, head);
	else
		span = (struct auxtrace_span){
			.from = aux_ring_tail(aux),
			.to = head,
		};
	if (max && span.to - span.from > max)
		span.from = span.to - max;
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

	/* else records fill the ring exactly, and the head is at an end */
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
 * Disabled first: if the kernel did not disable the event when the ring was
 * full (on CPU 0 of Linux 6.1, never on 6.12), it is stopped in a state in
 * which enabling has no effect (kernel/events/core.c, _perf_event_enable).
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

/*
 * Any other PMU that accepts an AUX mapping. perf has no decoder for it, so
 * there is no AUXTRACE_INFO; positions, snapshots and flags are the kernel's,
 * and the same for all PMUs.
 */
static int generic_configure(const struct auxtrace_env *env,
			     const struct auxtrace *trace,
			     struct session_opts *session,
			     struct event_spec *spec, struct err *err)
{
	(void)env;
	(void)trace;
	(void)session;
	(void)err;
	auxtrace_period_one(spec);
	return 0;
}

const struct auxtrace_ops auxtrace_generic = {
	.name = "AUX",
	.alignment = 1,
	.configure = generic_configure,
	AUXTRACE_COMMON_OPS,
};

/* Map the smallest rings.  Arm's PMUs require an even number of pages. */
static bool maps(int fd)
{
	uint64_t page = sys_page_size();
	struct aux_ring aux;
	struct ring ring;
	int ret;

	if (ring_map(&ring, fd, page, false))
		return false;
	ret = aux_ring_map(&aux, &ring, page, true);
	if (ret)
		ret = aux_ring_map(&aux, &ring, 2 * page, true);
	if (!ret)
		aux_ring_unmap(&aux);
	ring_unmap(&ring);
	return ret == 0;
}

/*
 * Open the event on this process or, if the PMU does not follow tasks, on its
 * first CPU.
 */
static int open_trial(const struct event_spec *spec)
{
	struct perf_event_attr attr = spec->attr;
	int cpu = spec->cpus.nr ? spec->cpus.cpus[0] : 0;
	int fd;

	attr.size = sizeof(attr);
	attr.disabled = 1;
	attr.sample_period = 1;
	fd = sys_perf_event_open(&attr, 0, -1, -1, 0);
	return fd < 0 ? sys_perf_event_open(&attr, -1, cpu, -1, 0) : fd;
}

bool auxtrace_generic_maps(const struct event_spec *spec)
{
	int fd = open_trial(spec);
	bool does;

	/* if it cannot be opened, session_open() reports why */
	if (fd < 0)
		return false;
	does = maps(fd);
	sys_close(fd);
	return does;
}
