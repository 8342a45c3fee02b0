/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/triggers/sample_trigger.h"

#include <errno.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/param.h>

#include "base/err.h"
#include "base/proc.h"
#include "collect/triggers/trigger.h"
#include "perf/abi/ring.h"
#include "perf/abi/side_band.h"
#include "samples/sample_filter.h"

enum {
	TIDS = 1 << 22,		/* PID_MAX_LIMIT, linux/threads.h */
	RECORD_MAX = 128,	/* more than a COMM or a FORK needs */
	BITS = 8,		/* of an entry: which comparisons hold */
	COMM_WATCH_MAX = BITS,	/* comparisons */
};

/*
 * An entry is the time of the record that it comes from, in units of 256 ns,
 * and in the lower 8 bits which comparisons hold.  Pages of tids that do not
 * occur are never touched.
 */
struct comm_watch {
	const struct filter_node *nodes[COMM_WATCH_MAX];
	size_t nr;
	_Atomic uint64_t *tasks;
};

/*
 * For @nr comparisons with a comm, at most COMM_WATCH_MAX; the nodes are
 * borrowed.  Takes 8 bytes of memory for each tid seen (32 MiB are mapped).
 * NULL: out of memory.
 */
static struct comm_watch *comm_watch_new(const struct filter_node *const *nodes,
					 size_t nr)
{
	struct comm_watch *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->tasks = calloc(TIDS, sizeof(*w->tasks));
	if (!w->tasks) {
		free(w);
		return NULL;
	}
	w->nr = nr;
	for (size_t i = 0; i < nr; i++)
		w->nodes[i] = nodes[i];
	return w;
}

static void comm_watch_free(struct comm_watch *w)
{
	if (!w)
		return;
	free(w->tasks);
	free(w);
}

static uint8_t bits_of(const struct comm_watch *w, const char *comm)
{
	uint8_t bits = 0;

	for (size_t i = 0; i < w->nr; i++)
		if (sample_filter_text(w->nodes[i], comm))
			bits |= (uint8_t)(1u << i);
	return bits;
}

static bool is_tid(uint32_t tid)
{
	return tid > 0 && tid < TIDS;
}

/* Bit i: whether comparison i holds for thread @tid; 0 if it is unknown. */
static uint8_t comm_watch_bits(const struct comm_watch *w, pid_t tid)
{
	if (!is_tid((uint32_t)tid))
		return 0;
	return (uint8_t)atomic_load_explicit(&w->tasks[tid],
					     memory_order_relaxed);
}

/* Unless the entry comes from a later record. */
static void set_bits(struct comm_watch *w, uint32_t tid, uint64_t time,
		     uint8_t bits)
{
	uint64_t entry, fresh = (time & ~UINT64_C(0xff)) | bits;

	if (!is_tid(tid))
		return;
	entry = atomic_load_explicit(&w->tasks[tid], memory_order_relaxed);
	while (fresh >> BITS >= entry >> BITS &&
	       !atomic_compare_exchange_weak_explicit(&w->tasks[tid], &entry,
						      fresh,
						      memory_order_relaxed,
						      memory_order_relaxed))
		;
}

void comm_watch_record(struct comm_watch *w, const struct ring *ring,
		       uint64_t position, struct perf_event_header header)
{
	alignas(uint64_t) unsigned char bytes[RECORD_MAX];
	struct side_band r;

	if ((header.type != PERF_RECORD_COMM &&
	     header.type != PERF_RECORD_FORK) || header.size > sizeof(bytes))
		return;
	ring_copy(ring, position, bytes, header.size);
	if (side_band_parse(bytes, header.size, &side_band_own, &r) || !r.time)
		return;
	if (r.type == PERF_RECORD_COMM)
		set_bits(w, (uint32_t)r.comm.tid, r.time,
			 bits_of(w, r.comm.comm));
	else	/* a new task inherits the comm of its parent */
		set_bits(w, (uint32_t)r.task.tid, r.time,
			 comm_watch_bits(w, r.task.ptid));
}

/*
 * The entry keeps its time, and is left alone if a record changes it meanwhile:
 * that record is newer than what was read, or has the same comm.
 */
static void scan_task(struct comm_watch *w, pid_t pid, pid_t tid)
{
	char comm[PROC_COMM];
	uint64_t entry;

	if (!is_tid((uint32_t)tid))
		return;
	entry = atomic_load_explicit(&w->tasks[tid], memory_order_relaxed);
	if (!proc_comm("/proc", pid, tid, comm))
		return;
	atomic_compare_exchange_strong(&w->tasks[tid], &entry,
				       (entry & ~UINT64_C(0xff)) |
					       bits_of(w, comm));
}

void comm_watch_scan(struct comm_watch *w)
{
	size_t nr_pids, nr_tids;
	pid_t *pids, *tids;

	proc_processes("/proc", &pids, &nr_pids);
	for (size_t i = 0; i < nr_pids; i++) {
		proc_threads("/proc", pids[i], &tids, &nr_tids);
		for (size_t j = 0; j < nr_tids; j++)
			scan_task(w, pids[i], tids[j]);
		free(tids);
	}
	free(pids);
}

/* A node of the expression, with what can be evaluated beforehand. */
struct test {
	const struct filter_node *node;
	struct test *left, *right;
	bool *events;		/* WHAT_EVENT: by tag, whether it holds */
	size_t nr_events;
	uint8_t bit;		/* WHAT_COMM: of comm_watch_bits() */
};

struct sample_trigger {
	struct filter_node *root;
	struct test *test;	/* of the root */
	struct comm_watch *comms;
};

/* The state while a tree is built. */
struct maker {
	const struct trigger_events *events;
	const struct filter_node *comms[COMM_WATCH_MAX];
	size_t nr_comms;
	struct err *err;
};

/* The values of a sample. */
struct probe {
	uint32_t tag, cpu;
	pid_t pid, tid;
	uint8_t comms;
};

/* Why the field of @node cannot be used; NULL: it can. */
static const char *fault(const struct filter_node *node)
{
	switch (node->what) {
	case WHAT_COMM:
	case WHAT_EVENT:
	case WHAT_CPU:
	case WHAT_PID:
	case WHAT_TID:
		return NULL;
	case WHAT_ANYTHING:
		return "is not a condition and is not compared with anything";
	default:
		return "cannot be checked as samples arrive; only event, cpu, "
		       "pid, tid and comm can";
	}
}

int sample_trigger_check(const struct filter_node *root, struct err *err)
{
	const char *wrong;
	int ret;

	if (root->left) {
		ret = sample_trigger_check(root->left, err);
		if (!ret && root->right)
			ret = sample_trigger_check(root->right, err);
		return ret;
	}
	wrong = fault(root);
	if (!wrong)
		return 0;
	return err_usage(err, "'%.60s' %s",
			 root->field ? root->field : root->value, wrong);
}

static void free_test(struct test *test)
{
	if (!test)
		return;
	free_test(test->left);
	free_test(test->right);
	free(test->events);
	free(test);
}

static int match_events(const struct maker *m, struct test *test)
{
	const struct filter_node *node = test->node;
	size_t nr = m->events->nr, found = 0;

	test->events = calloc(MAX(nr, 1), sizeof(*test->events));
	if (!test->events)
		return err_set(m->err, -ENOMEM, "out of memory");
	test->nr_events = nr;
	for (size_t i = 0; i < nr; i++) {
		test->events[i] = sample_filter_text(node,
						     m->events->names[i]);
		found += test->events[i];
	}
	if (found || node->op == OP_DIFFERENT || node->op == OP_UNLIKE)
		return 0;
	return err_usage(m->err, "none of the events is called '%.60s'",
			 node->value);
}

static int add_comm(struct maker *m, struct test *test)
{
	if (m->nr_comms == COMM_WATCH_MAX)
		return err_usage(m->err, "at most %d comparisons with comm",
				 COMM_WATCH_MAX);
	test->bit = (uint8_t)(1u << m->nr_comms);
	m->comms[m->nr_comms++] = test->node;
	return 0;
}

static struct test *make_test(struct maker *m, const struct filter_node *node);

static int fill_test(struct maker *m, struct test *test)
{
	const struct filter_node *node = test->node;

	if (node->left) {
		test->left = make_test(m, node->left);
		if (node->right && test->left)
			test->right = make_test(m, node->right);
		return test->left && (test->right || !node->right) ? 0 : -1;
	}
	if (node->what == WHAT_EVENT)
		return match_events(m, test);
	if (node->what == WHAT_COMM)
		return add_comm(m, test);
	return 0;
}

/* NULL with m->err. */
static struct test *make_test(struct maker *m, const struct filter_node *node)
{
	struct test *test = calloc(1, sizeof(*test));

	if (!test) {
		err_set(m->err, -ENOMEM, "out of memory");
		return NULL;
	}
	test->node = node;
	if (fill_test(m, test)) {
		free_test(test);
		return NULL;
	}
	return test;
}

struct sample_trigger *
sample_trigger_new(struct filter_node *root,
		   const struct trigger_events *events, struct err *err)
{
	struct maker maker = { .events = events, .err = err };
	struct sample_trigger *s = calloc(1, sizeof(*s));

	if (!s) {
		sample_filter_node_free(root);
		err_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	s->root = root;
	s->test = make_test(&maker, root);
	if (s->test && maker.nr_comms) {
		s->comms = comm_watch_new(maker.comms, maker.nr_comms);
		if (!s->comms)
			err_set(err, -ENOMEM, "out of memory");
	}
	if (!s->test || (maker.nr_comms && !s->comms)) {
		sample_trigger_free(s);
		return NULL;
	}
	return s;
}

void sample_trigger_free(struct sample_trigger *s)
{
	if (!s)
		return;
	comm_watch_free(s->comms);
	free_test(s->test);
	sample_filter_node_free(s->root);
	free(s);
}

struct comm_watch *sample_trigger_comms(struct sample_trigger *s)
{
	return s->comms;
}

static bool number_holds(const struct filter_node *node, uint64_t number)
{
	return sample_filter_compare(node, (struct filter_number){
		.magnitude = number,
	});
}

/* A value that the sample does not have compares false by any operator. */
static bool leaf_holds(const struct test *test, const struct probe *probe)
{
	const struct filter_node *node = test->node;

	switch (node->what) {
	case WHAT_EVENT:
		return probe->tag < test->nr_events &&
		       test->events[probe->tag];
	case WHAT_COMM:
		return probe->comms & test->bit;
	case WHAT_CPU:
		return number_holds(node, probe->cpu);
	case WHAT_PID:
		return probe->pid >= 0 &&
		       number_holds(node, (uint64_t)probe->pid);
	default:
		return probe->tid >= 0 &&
		       number_holds(node, (uint64_t)probe->tid);
	}
}

static bool holds(const struct test *test, const struct probe *probe)
{
	switch (test->node->op) {
	case OP_AND:
		return holds(test->left, probe) && holds(test->right, probe);
	case OP_OR:
		return holds(test->left, probe) || holds(test->right, probe);
	case OP_NOT:
		return !holds(test->left, probe);
	default:
		return leaf_holds(test, probe);
	}
}

bool sample_trigger_holds(const struct sample_trigger *s, uint32_t tag,
			  uint32_t cpu, pid_t pid, pid_t tid)
{
	struct probe probe = {
		.tag = tag,
		.cpu = cpu,
		.pid = pid,
		.tid = tid,
		.comms = s->comms ? comm_watch_bits(s->comms, tid) : 0,
	};

	return holds(s->test, &probe);
}
