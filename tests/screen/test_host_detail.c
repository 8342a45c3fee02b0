/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The detail of one of the machine's rings. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "tests/screen/frames.h"

struct rig {
	struct screen *s;
	struct host *host;
};

static int setup(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));

	r->s = screen_new(&view_host_detail);
	r->host = frames_host_new();
	*state = r;
	return 0;
}

static int teardown(void **state)
{
	struct rig *r = *state;

	frames_host_free(r->host);
	screen_free(r->s);
	free(r);
	return 0;
}

static void open_at(struct rig *r, int rows, int cols, size_t id)
{
	screen_open(r->s, rows, cols, 0);
	r->s->frame->host = r->host;
	r->s->view->ops->focus(r->s->view, id);
	screen_draw(r->s);
}

static bool has(const struct rig *r, const char *text)
{
	for (int row = 0; row < r->s->canvas->rows; row++) {
		if (strstr(screen_row(r->s->canvas, row), text))
			return true;
	}
	return false;
}

/* Warnings first, then the ring, then the figures; bounds are named so. */
static void look(void **state)
{
	struct rig *r = *state;

	open_at(r, 38, 80, 2);
	assert_screen(r->s->canvas, FRAMES_TEXT,
"perf[1234]  CPU 1  cpu-clock                                         ‹ 2 of 7 ›┃\n"
"! lost records: 345 that its owner was not told of; the next LOST record will  ┃\n"
"! records are being lost: 321 a second                                         ┃\n"
"                                                                               ┃\n"
" ▼ tail 0, head 0                                                              ┃\n"
"▕██████████████████████████████████████│██████████████████████████████████████▏┃\n"
"0                                      ▲ wakes at 262144               ↺ 524288┃\n"
"                                                                               ┃\n"
"Fill ────────────────────  Wakeups and drains ──────  Losses and memory ───────┃\n"
"size                 512K  crossings               4  lost               !12345┃\n"
"waiting            524288  wakeups so far          4  reported            12000┃\n"
"fill                 100%  a second              0.4  pending              !345┃\n"
"peak, at least       100%  woken, not polled     yes  a second             !321┃\n"
"bytes/s            100K/s  drains, at least       66  pins                 516K┃\n"
"bytes so far      1048576  a second, at least    1.5  remapped                0┃\n"
"head              1572864  waiting, at least   200ms  BPF map                 -┃\n"
"tail              1048576  worst gap, at least 800ms  its id                  -┃\n"
"watermark          262144  watched for          1m06                           ┃\n"
"wakeup_events           -                                                      ┃\n"
"                                                                               ┃\n"
"Events that share it ──────────────────────────────────────────────────────────┃\n"
"EVENT                    STATE     ON           PERIOD   LOST LOST/S ITS RING  ┃\n"
"dummy:HG                 active    CPU 1             -      0      0 mapped    ┃\n"
"cpu-clock                active    CPU 1       4.00kHz  12.3k    321 redirected┃\n"
"                                                                               ┃\n"
"Held by ───────────────────────────────────────────────────────────────────────┃\n"
"   1234  perf  has it mapped                                                   ┃\n"
"                                                                               ┃\n"
"Sizing ────────────────────────────────────────────────────────────────────────┃\n"
"fits: peak >= 63% of 512K                                                      ┃\n"
"nothing lost while it is watched                                               ┃\n"
"                                                                               ┃\n"
"Pinned memory ─────────────────────────────────────────────────────────────────┃\n"
"this ring pins 516K, paid for by root                                          ┃\n"
"rings of root pin 2M of the 1.0M that perf_event_mlock_kb allows on these CPUs ┃\n"
"no limit: the owner has CAP_IPC_LOCK, or perf_event_paranoid is below 0        │\n"
"                                                                               │\n"
"Past ticks, and the most of them ──────────────────────────────────────────────│\n");
	screen_act(r->s, ACTION_END);
	assert_true(has(r, "lost/s"));
}

/* The roles of what is wrong: a mark, and a colour. */
static void warnings(void **state)
{
	struct rig *r = *state;

	open_at(r, 30, 80, 3);
	assert_true(has(r, "! its owner was woken and has not drained it for "
			   "12s or more"));
	assert_int_equal(r->s->canvas->cells[80].ch, '!');
	assert_int_equal(r->s->canvas->cells[80].role, ROLE_WARN);
	r->host->rows[2].warnings = 1u << HOST_WARN_LOSING |
				    1u << HOST_WARN_PAUSED |
				    1u << HOST_WARN_MLOCK;
	r->host->rows[2].paused = true;
	screen_draw(r->s);
	assert_int_equal(r->s->canvas->cells[80].role, ROLE_BAD);
	assert_true(has(r, "! output is paused"));
	assert_true(has(r, "mlock limit"));
	assert_true(has(r, "  paused "));
}

static void aux(void **state)
{
	struct rig *r = *state;

	open_at(r, 60, 80, 7);
	assert_true(has(r, "AUX ring, full trace "));
	assert_true(has(r, "tail 0, head 0"));
	assert_true(has(r, "tail              4194304  fill                 100%"));
	assert_true(has(r, "intel_pt/tsc,mtc/        off "));
	/* as in snapshot mode, where the head is of the last stop */
	r->host->rows[6].aux.overwrite = true;
	r->host->rows[6].aux.head = 3 << 20;
	screen_draw(r->s);
	assert_true(has(r, "AUX ring, snapshot mode: as at its last stop"));
	assert_true(has(r, "head 3145728"));
	/* size and watermark are all that /proc would tell */
	frames_host_proc(r->host);
	screen_draw(r->s);
	assert_false(has(r, "AUX ring"));
}

static void ringbuf(void **state)
{
	struct rig *r = *state;

	open_at(r, 40, 80, 4);
	assert_true(has(r, "parca-agent[900]  all CPUs  BPF ring buffer"));
	assert_true(has(r, "bpf_ringbuf_reserve()"));
	assert_true(has(r, "BPF map            events"));
	assert_false(has(r, "EVENT"));
	assert_false(has(r, "wakes at"));
}

static void gone(void **state)
{
	struct rig *r = *state;

	open_at(r, 40, 80, 6);
	assert_true(has(r, "gone: its last figures"));
	assert_true(has(r, "rings of alice pin 1.0M of the 1.0M"));
	assert_true(has(r, "beyond that one process pins 64K of its "
			   "RLIMIT_MEMLOCK of 64K"));
	/* and stays when it is forgotten, until a person goes on */
	r->host->rows[5].id = 99;
	screen_draw(r->s);
	assert_true(has(r, "this ring is gone"));
	screen_act(r->s, ACTION_LEFT);
	assert_true(has(r, "rbtop[4000]  rbtop's own"));
	assert_int_equal(r->s->host.host.visited_row, 5);
	r->s->frame->host = NULL;
	screen_draw(r->s);
	assert_true(has(r, "this ring is gone"));
	screen_act(r->s, ACTION_RIGHT);
}

static void neighbours(void **state)
{
	struct rig *r = *state;

	open_at(r, 20, 80, 1);
	screen_act(r->s, ACTION_DOWN);
	assert_false(has(r, "1 of 7"));
	screen_act(r->s, ACTION_RIGHT);
	/* a new page begins at its top */
	assert_true(has(r, "2 of 7"));
	assert_int_equal(r->s->host.host.visited_row, 2);
	screen_act(r->s, ACTION_LEFT);
	screen_act(r->s, ACTION_LEFT);
	assert_true(has(r, "1 of 7"));
	for (int i = 0; i < 9; i++)
		screen_act(r->s, ACTION_RIGHT);
	assert_true(has(r, "7 of 7"));
	screen_passes_on(r->s, ACTION_CANCEL);
	screen_passes_on(r->s, ACTION_GROW);
	/* it follows its row when others come and go */
	r->host->rows++;
	r->host->nr_rows--;
	screen_draw(r->s);
	assert_true(has(r, "6 of 6"));
	r->host->rows--;
	r->host->nr_rows++;
}

static void proc_alone(void **state)
{
	struct rig *r = *state;

	frames_host_proc(r->host);
	open_at(r, 40, 80, 1);
	assert_true(has(r, "how full it is cannot be seen"));
	assert_true(has(r, "size                 512K"));
	assert_true(has(r, "fill                    -"));
	assert_true(has(r, "has it mapped"));
	assert_false(has(r, "Sizing"));
	assert_false(has(r, "Past ticks"));
}

static void held_by_many(void **state)
{
	struct rig *r = *state;
	struct host_row *row = &r->host->rows[0];

	row->nr_holders = 7;
	for (int i = 0; i < HOST_HOLDERS; i++) {
		row->holders[i].pid = 100 + i;
		strcpy(row->holders[i].comm, "worker");
		row->holders[i].maps = false;
	}
	row->mapped = false;
	open_at(r, 50, 80, 1);
	assert_true(has(r, "103  worker  holds a file descriptor"));
	assert_true(has(r, "and 3 more"));
	assert_true(has(r, "no process is seen to have it mapped"));
	row->nr_holders = 0;
	row->pid = -1;
	screen_draw(r->s);
	assert_true(has(r, "owner not known"));
	assert_true(has(r, "nobody that was seen"));
}

static void many_events(void **state)
{
	struct rig *r = *state;
	struct host_row *row = &r->host->rows[0];
	struct host_event event = row->events[1];

	free(row->events);
	row->nr_events = 3000;
	row->events = calloc(row->nr_events, sizeof(*row->events));
	for (size_t i = 0; i < row->nr_events; i++)
		row->events[i] = event;
	row->events[0].throttled = true;
	row->events[1].state = HOST_EVENT_ERROR;
	row->events[2].cpu = -1;
	row->events[2].tid = 77;
	row->events[3].freq = false;
	open_at(r, 200, 132, 1);
	assert_true(has(r, "throttled"));
	assert_true(has(r, "error"));
	assert_true(has(r, "tid 77"));
	assert_true(has(r, "c4.00k"));
	assert_true(has(r, "and 2880 more"));
	assert_true(has(r, "Held by"));
}

/* Where two columns fit, what follows stands at the right. */
static void wide(void **state)
{
	struct rig *r = *state;

	open_at(r, 60, 200, 1);
	assert_false(has(r, "┃"));
	assert_true(has(r, "redirected"));
	assert_true(has(r, "   Sizing ───"));
	canvas_free(r->s->canvas);
	r->s->canvas = canvas_new(6, 40, true);
	screen_draw(r->s);
	assert_true(has(r, "perf[1234]  CPU 0"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(look),
		TEST(warnings),
		TEST(aux),
		TEST(ringbuf),
		TEST(gone),
		TEST(neighbours),
		TEST(proc_alone),
		TEST(held_by_many),
		TEST(many_events),
		TEST(wide),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests_name("host_detail", tests, NULL, NULL);
}
