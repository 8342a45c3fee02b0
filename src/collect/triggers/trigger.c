/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/triggers/trigger.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "base/err.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/units.h"
#include "collect/triggers/sample_trigger.h"
#include "perf/abi/record.h"
#include "perf/abi/ring.h"
#include "perf/event/event_spec.h"
#include "samples/sample_filter.h"

enum trigger_kind {
	ON_LOST,
	ON_THROTTLE,
	ON_TRUNCATED,
	ON_FILL,
	ON_CALL,
	ON_SAMPLES,
};

static const char *const keywords[] = {
	[ON_LOST] = "lost",
	[ON_THROTTLE] = "throttle",
	[ON_TRUNCATED] = "truncated",
};

enum {
	KEYWORDS = sizeof(keywords) / sizeof(keywords[0]),
	SCAN_PART = 20,		/* at most 1/20 of the time to read /proc */
};

/* A parsed text. */
struct condition {
	enum trigger_kind kind;
	double fill;			/* 0..1 */
	struct filter_node *root;	/* ON_SAMPLES; owned */
};

enum trigger_state {
	DISARMED,
	ARMED,
	FIRING,		/* a reader writes the reason */
	FIRED,
};

struct trigger {
	char *text;
	enum trigger_kind kind;
	double fill;
	struct sample_trigger *samples;
	struct trigger_events events;
	struct comm_watch *comms;	/* of samples; NULL: none */
	uint64_t scan_ns;		/* of the next scan, CLOCK_MONOTONIC */
	int fd;

	_Atomic int state;
	struct trigger_hit hit;		/* written by the reader FIRING */
};

/* Parse "fill>80%" or "fill > 80".  False if it is neither. */
static bool read_fill(const char *text, double *fill)
{
	double percent;
	int used = 0;

	if (sscanf(text, "fill > %lf%n", &percent, &used) != 1)
		return false;
	used += text[used] == '%';
	while (isspace((unsigned char)text[used]))
		used++;
	*fill = percent / 100;
	return !text[used] && percent > 0 && percent < 100;
}

static int read_samples(const char *text, struct condition *out,
			struct err *err)
{
	int ret;

	out->root = sample_filter_read(text, err);
	if (!out->root)
		return err ? err->code : -EINVAL;
	ret = sample_trigger_check(out->root, err);
	if (ret)
		sample_filter_node_free(out->root);
	return ret;
}

static int read_condition(const char *text, struct condition *out,
			  struct err *err)
{
	*out = (struct condition){ .kind = ON_SAMPLES };
	while (isspace((unsigned char)*text))
		text++;
	for (int i = 0; i < KEYWORDS; i++) {
		if (strcmp(text, keywords[i]) == 0) {
			out->kind = (enum trigger_kind)i;
			return 0;
		}
	}
	if (call_spec_is(text)) {
		struct call_spec spec;

		out->kind = ON_CALL;
		return call_spec_read(text, &spec, err);
	}
	if (!text_begins(text, "fill"))
		return read_samples(text, out, err);
	out->kind = ON_FILL;
	if (read_fill(text, &out->fill))
		return 0;
	return err_usage(err, "'%.60s': must be fill>N%%, with N between 0 "
			 "and 100", text);
}

/* Prefix the error with the option.  Returns @ret. */
static int name_fault(int ret, struct err *err)
{
	err_prefix(err, "--snapshot-on");
	return ret;
}

int trigger_check(const char *text, struct err *err)
{
	struct condition condition;
	int ret = read_condition(text, &condition, err);

	if (ret)
		return name_fault(ret, err);
	sample_filter_node_free(condition.root);
	return 0;
}

/* Take over the condition's tree. */
static int set_condition(struct trigger *t, struct condition *condition,
			 struct err *err)
{
	t->kind = condition->kind;
	t->fill = condition->fill;
	if (!condition->root)
		return 0;
	t->samples = sample_trigger_new(condition->root, &t->events, err);
	if (!t->samples)
		return -1;
	t->comms = sample_trigger_comms(t->samples);
	return 0;
}

struct trigger *trigger_new(const char *text,
			    const struct trigger_events *events,
			    struct err *err)
{
	struct trigger *t = calloc(1, sizeof(*t));
	struct condition condition;

	if (!t) {
		err_set(err, -ENOMEM, "--snapshot-on: out of memory");
		return NULL;
	}
	t->events = *events;
	t->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	t->text = strdup(text);
	if (t->fd < 0 || !t->text)
		err_set(err, -errno, "%s", strerror(errno));
	else if (!read_condition(text, &condition, err) &&
		 !set_condition(t, &condition, err))
		return t;
	name_fault(0, err);
	trigger_free(t);
	return NULL;
}

void trigger_free(struct trigger *t)
{
	if (!t)
		return;
	sample_trigger_free(t->samples);
	sys_close(t->fd);
	free(t->text);
	free(t);
}

int trigger_fd(const struct trigger *t)
{
	return t->fd;
}

const char *trigger_text(const struct trigger *t)
{
	return t->text;
}

/* Waits while a reader is FIRING, which is short. */
static void set_state(struct trigger *t, enum trigger_state state)
{
	eventfd_t value;
	int now = atomic_load(&t->state);

	while (now == FIRING ||
	       !atomic_compare_exchange_weak(&t->state, &now, DISARMED)) {
		sched_yield();
		now = atomic_load(&t->state);
	}
	eventfd_read(t->fd, &value);
	atomic_store(&t->state, state);
}

static void scan(struct trigger *t)
{
	uint64_t began = sys_now_ns(), now;

	comm_watch_scan(t->comms);
	now = sys_now_ns();
	t->scan_ns = now + (now - began) * SCAN_PART;
}

void trigger_arm(struct trigger *t)
{
	if (t->comms && !t->events.made_up)
		scan(t);
	set_state(t, ARMED);
}

void trigger_tick(struct trigger *t)
{
	if (t->comms && !t->events.made_up && atomic_load(&t->state) == ARMED &&
	    sys_now_ns() >= t->scan_ns)
		scan(t);
}

bool trigger_take(struct trigger *t, struct trigger_hit *hit)
{
	if (atomic_load(&t->state) != FIRED)
		return false;
	*hit = t->hit;
	set_state(t, DISARMED);
	return true;
}

/* Of several readers, the first one sets the reason. */
__attribute__((format(printf, 4, 5)))
static void fire(struct trigger *t, uint32_t slot, uint64_t time,
		 const char *fmt, ...)
{
	int armed = ARMED;
	va_list ap;

	if (!atomic_compare_exchange_strong(&t->state, &armed, FIRING))
		return;
	t->hit.slot = slot;
	t->hit.time = time;
	va_start(ap, fmt);
	vsnprintf(t->hit.text, sizeof(t->hit.text), fmt, ap);
	va_end(ap);
	text_sanitize(t->hit.text);
	atomic_store(&t->state, FIRED);
	eventfd_write(t->fd, 1);
}

static bool is_armed(const struct trigger *t)
{
	return atomic_load_explicit(&t->state, memory_order_relaxed) == ARMED;
}

bool trigger_is_about_samples(const struct trigger *t)
{
	return t->samples;
}

bool trigger_on_samples(const struct trigger *t)
{
	return (t->samples || t->kind == ON_CALL) && is_armed(t);
}

void trigger_call(struct trigger *t, uint32_t slot)
{
	if (t->kind == ON_CALL && is_armed(t))
		fire(t, slot, 0, "%.60s", t->text);
}

void trigger_sample(struct trigger *t, uint32_t slot, uint32_t tag,
		    uint32_t cpu, pid_t pid, pid_t tid, uint64_t time)
{
	if (t->kind == ON_CALL && tag == t->events.call)
		fire(t, slot, time, "%.50s by tid %d on CPU %" PRIu32, t->text,
		     tid, cpu);
	if (!t->samples || !is_armed(t) ||
	    !sample_trigger_holds(t->samples, tag, cpu, pid, tid))
		return;
	fire(t, slot, time, "%.40s: %.24s of tid %d on CPU %" PRIu32, t->text,
	     tag < t->events.nr ? t->events.names[tag] : "a sample", tid, cpu);
}

static void check_lost(struct trigger *t, uint32_t slot,
		       const struct ring *ring, uint64_t position,
		       struct perf_event_header header)
{
	unsigned int at = header.type == PERF_RECORD_LOST ? RECORD_LOST_COUNT :
							    sizeof(header);
	char number[UNITS_RECORDS];
	uint64_t lost = 0;

	if (header.size >= at + sizeof(lost))
		lost = ring_word(ring, position + at);
	if (lost)
		fire(t, slot, ring_record_time(ring, position, header),
		     "lost: %s on ring %" PRIu32,
		     units_records(number, lost), slot);
}

static void check_truncated(struct trigger *t, uint32_t slot,
			    const struct ring *ring, uint64_t position,
			    struct perf_event_header header)
{
	uint64_t flags = 0;

	if (header.size >= RECORD_AUX_FIXED)
		flags = ring_word(ring, position + RECORD_AUX_FLAGS);
	if (flags & PERF_AUX_FLAG_TRUNCATED)
		fire(t, slot, ring_record_time(ring, position, header),
		     "truncated: the AUX ring of ring %" PRIu32 " ran full",
		     slot);
}

void trigger_record(struct trigger *t, uint32_t slot, const struct ring *ring,
		    uint64_t position)
{
	struct perf_event_header header = ring_header(ring, position);

	if (t->comms) {
		comm_watch_record(t->comms, ring, position, header);
		return;
	}
	if (!is_armed(t))
		return;
	if (t->kind == ON_LOST && (header.type == PERF_RECORD_LOST ||
				   header.type == PERF_RECORD_LOST_SAMPLES))
		check_lost(t, slot, ring, position, header);
	else if (t->kind == ON_TRUNCATED && header.type == PERF_RECORD_AUX)
		check_truncated(t, slot, ring, position, header);
	else if (t->kind == ON_THROTTLE &&
		 header.type == PERF_RECORD_THROTTLE)
		fire(t, slot, ring_record_time(ring, position, header),
		     "throttle: an event of ring %" PRIu32, slot);
}

void trigger_fill(struct trigger *t, uint32_t slot, double fill)
{
	if (t->kind == ON_FILL && fill > t->fill && is_armed(t))
		fire(t, slot, 0, "%.40s: %.0f %% of ring %" PRIu32, t->text,
		     fill * 100, slot);
}
