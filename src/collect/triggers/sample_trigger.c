/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/triggers/sample_trigger.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/param.h>

#include "base/err.h"
#include "collect/triggers/trigger.h"
#include "samples/sample_filter_node.h"

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
