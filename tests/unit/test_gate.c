/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "cli/gate.h"
#include "host/table/host.h"
#include "ring/frame/frame.h"

static void check_refused(const char *text)
{
	struct gate gate = { 0 };
	struct err err = { 0 };

	assert_true(gate_add(&gate, text, &err) < 0);
	assert_non_null(strstr(err.text, "use lost, lost>N, lost>P%, "));
}

TEST(test_conditions)
{
	static const char *const bad[] = {
		"", "lost>", "lost>x", "lost>-1", "lost>1.5", "lost>100%",
		"lost>1%%", "lost>99999999999999999999", "losts", "nothing",
		"lost>0x10%", "lost>1e1%",
	};
	struct gate gate = { 0 };
	struct err err = { 0 };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		check_refused(bad[i]);
	assert_int_equal(gate_add(&gate, "truncated", &err), 0);
	assert_int_equal(gate_add(&gate, "lost>0.5%", &err), 0);
	assert_int_equal(gate_check(&gate, false, &err), 0);
	assert_true(gate_check(&gate, true, &err) < 0);
	/* the strictest counts */
	assert_int_equal(gate_add(&gate, "lost>7", &err), 0);
	assert_int_equal(gate_add(&gate, "lost>9", &err), 0);
	assert_int_equal(gate.lost_limit, 7);
	memset(&gate, 0, sizeof(gate));
	assert_int_equal(gate_add(&gate, "bad tail", &err), 0);
	assert_int_equal(gate_check(&gate, true, &err), 0);
	assert_true(gate_check(&gate, false, &err) < 0);
}

/* An own ring that read 900 records. */
struct own {
	struct frame frame;
	struct ring_row ring;
	struct ring_reads reads, sum;
};

static struct own *own(struct own *o)
{
	*o = (struct own){
		.frame = { .nr_rings = 1 },
		.ring = { .label = "CPU 1", .pid = -1 },
	};
	o->frame.rings = &o->ring;
	o->ring.reads = &o->reads;
	o->frame.total.row.reads = &o->sum;
	o->sum.stats.records = 900;
	return o;
}

static int judge(const char *condition, const struct frame *frame,
		 struct err *err)
{
	struct gate gate = { 0 };

	assert_int_equal(gate_add(&gate, condition, err), 0);
	gate_see(&gate, frame);
	return gate_judge(&gate, err);
}

TEST(test_lost)
{
	struct err err = { 0 };
	struct own o;

	own(&o);
	assert_int_equal(judge("lost", &o.frame, &err), 0);
	o.ring.lost = o.frame.total.row.lost = 100;
	o.frame.total.row.advice.valid = true;
	strcpy(o.frame.total.row.advice.text, "grow all rings to -m 64");
	assert_int_equal(judge("lost", &o.frame, &err), 1);
	assert_string_equal(err.text, "failed on lost: 100 of 1000 records "
			    "lost; worst ring: CPU 1; grow all rings to -m 64");
	assert_int_equal(judge("lost>99", &o.frame, &err), 1);
	assert_int_equal(judge("lost>100", &o.frame, &err), 0);
	assert_int_equal(judge("lost>9.9%", &o.frame, &err), 1);
	assert_int_equal(judge("lost>10%", &o.frame, &err), 0);
	assert_int_equal(judge("throttled", &o.frame, &err), 0);
}

TEST(test_records_that_say_it)
{
	struct err err = { 0 };
	struct own o;

	own(&o);
	o.reads.stats.types[RECORD_THROTTLE] = 3;
	o.reads.stats.aux.truncated = 2;
	assert_int_equal(judge("throttled", &o.frame, &err), 1);
	assert_string_equal(err.text, "failed on throttled: CPU 1: 3 times");
	assert_int_equal(judge("truncated", &o.frame, &err), 1);
	assert_string_equal(err.text, "failed on truncated: CPU 1: 2 times");
	/* a snapshot's trace is overwritten by design */
	o.ring.aux.overwrite = true;
	assert_int_equal(judge("truncated", &o.frame, &err), 0);
}

/* Losses before the first tick do not count. */
TEST(test_host)
{
	struct ring_row row = {
		.label = "CPU 3", .comm = "pe\033rf", .pid = 42, .lost = 50,
		.known = true,
		.advice = { .valid = true, .text = "grow to 64 pages" },
	};
	struct host host = {
		.rows = &row, .nr_rows = 1, .status = { .bpf = true },
		.total = { .nr[RING_PERF] = 1, .row.lost = 50 },
	};
	const struct frame frame = { .host = &host };
	struct gate gate = { 0 };
	struct err err = { 0 };

	assert_int_equal(gate_add(&gate, "lost", &err), 0);
	assert_int_equal(gate_add(&gate, "stopped", &err), 0);
	gate_see(&gate, &frame);
	assert_int_equal(gate_judge(&gate, &err), -ENODATA);
	host.status.ready = true;
	gate_see(&gate, &frame);
	assert_int_equal(gate_judge(&gate, &err), 0);
	row.lost = host.total.row.lost = 57;
	row.lost_per_s = 7;
	gate_see(&gate, &frame);
	assert_int_equal(gate_judge(&gate, &err), 1);
	assert_string_equal(err.text, "failed on lost: 7 records lost; worst "
			    "ring: CPU 3 of pe?rf (42); grow to 64 pages");
	/* its latest advice counts, also once it loses less */
	row.lost_per_s = 1;
	row.lost = host.total.row.lost = 58;
	snprintf(row.advice.text, sizeof(row.advice.text), "grow to 128 pages");
	gate_see(&gate, &frame);
	assert_int_equal(gate_judge(&gate, &err), 1);
	assert_string_equal(err.text, "failed on lost: 8 records lost; worst "
			    "ring: CPU 3 of pe?rf (42); grow to 128 pages");
	/* it need not last */
	memset(&gate, 0, sizeof(gate));
	assert_int_equal(gate_add(&gate, "stopped", &err), 0);
	row.warnings = 1u << RING_WARN_STOPPED;
	gate_see(&gate, &frame);
	row.warnings = 0;
	gate_see(&gate, &frame);
	assert_int_equal(gate_judge(&gate, &err), 1);
	assert_non_null(strstr(err.text, "failed on stopped: CPU 3 of pe?rf "));
}

/* No all-clear from what is not known. */
TEST(test_unknown)
{
	struct host host = {
		.status.ready = true, .total.row.lost = UNKNOWN,
	};
	struct ring_row row = { .lost = UNKNOWN };
	const struct frame frame = { .host = &host };
	struct err err = { 0 };

	assert_int_equal(judge("lost", &frame, &err), -ENODATA);
	assert_int_equal(judge("stopped", &frame, &err), -ENODATA);
	host.rows = &row;
	host.nr_rows = 1;
	assert_int_equal(judge("stopped", &frame, &err), 0);
	assert_int_equal(judge("throttled", &frame, &err), -ENODATA);
	assert_non_null(strstr(err.text, "--fail-on throttled: unknown: "));
}

TEST_GROUP(gate);
