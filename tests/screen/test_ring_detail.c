/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/screen/frames.h"
#include "ui/views/ring/ring_detail.h"

static int setup(void **state)
{
	*state = screen_new(&view_ring_detail);
	return 0;
}

static int teardown(void **state)
{
	screen_free(*state);
	return 0;
}

/* The detail of one of eight rings. */
static void open_ring(struct screen *s, int rows, int cols, size_t ring)
{
	screen_open(s, rows, cols, 8);
	view_ring_detail.focus(s->view, ring);
}

static void calm_at_80(void **state)
{
	struct screen *s = *state;

	open_ring(s, 60, 80, 3);
	screen_draw(s);
	assert_screen(s->canvas, FRAMES_TEXT,
		"CPU 3                                                                ‹ 4 of 8 ›\n"
		" ▼ tail 0 ▼ head 65536\n"
		"▕██████████····························│······································▏\n"
		"0                                      ▲ wakes at 262144               ↺ 524288\n"
		"\n"
		"Fill ────────────────────  Wakeups ─────────────────  Losses ──────────────────\n"
		"size                 512K  crossings               4  lost                    0\n"
		"used                65536  POLLIN returns          4  reported                0\n"
		"fill                  12%  a second              0.4  pending                 0\n"
		"peak                  63%  drains                 66  a second                0\n"
		"bytes/s              100K  timer drains           62  LOST_SAMPLES            0\n"
		"records/s           2.00k  burst              1.1M/s  throttled               0\n"
		"head              1114112  gap                 210ms  rbtop's own            20\n"
		"tail              1048576  latency p50          12us  of unknown ids          0\n"
		"watermark            256K  latency p99         104us  broken records          0\n"
		"wakeup_events           -  latency max         3.4ms  counts read ago     400ms\n"
		"\n"
		"Sizing ────────────────────────────────────────────────────────────────────────\n"
		"fits: peak 63% of 512K\n"
		"nothing lost; the worst gap brought 1.1M/s x 210ms = 268K\n"
		"\n"
		"Records by type ───────────────────────────────────────────────────────────────\n"
		"SAMPLE                     20000  98.0%  █████████████████████████████████████▎\n"
		"MMAP2                        300   1.4%  ▌\n"
		"COMM                          60   0.2%  ▏\n"
		"FORK                          40   0.1%  ▏\n"
		"\n"
		"Events; the kernel's counts 400ms ago ─────────────────────────────────────────\n"
		"EVENT                                 COUNT       SAMPLES          LOST      /S\n"
		"side-band                                 0             0             0       0\n"
		"cpu-clock                             20000         20000             0   2.00k\n"
		"\n"
		"Samples by process ────────────────────────────────────────────────────────────\n"
		"    PID  COMM                 SAMPLES   ERROR  SHARE\n"
		"   4242  dd                     12000       0  60.0%  ███████████████\n"
		"    977  kworker/3:1             5000   <=120  25.0%  ██████▎\n"
		"      1  systemd                 1000   <=120   5.0%  █▎\n"
		"ERROR: samples that may be of other processes\n"
		"\n"
		"Past ticks, and the most of them ──────────────────────────────────────────────\n"
		"peak fill                       ▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅    50%\n"
		"bytes/s                         ▃▅▇█▃▅▇█▃▅▇█▃▅▇█▃▅▇█▃▅▇█▃▅▇█▃▅▇█▃▅▇█▃▅▇█   100K\n"
		"lost/s                          ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁      0\n"
		"\n"
		"Drains by the fill they found ────────   Wakeup latency ───────────────────────\n"
		"      0-10% ██████▊                 17    8.2us-16us ███████████████████     90\n"
		"     10-20%                          0     16us-33us                          0\n"
		"     20-30%                          0     33us-66us                          0\n"
		"     30-40%                          0    66us-131us █▉                       9\n"
		"     40-50%                          0   131us-262us                          0\n"
		"     50-60% ███████████████████     48   262us-524us                          0\n"
		"     60-70% ▍                        1   524us-1.0ms                          0\n"
		"     70-80%                          0   1.0ms-2.1ms                          0\n"
		"     80-90%                          0   2.1ms-4.2ms ▎                        1\n"
		"    90-100%                          0\n"
		"\n");
}

/* What 80x24 leaves to the view says all that matters of a loss. */
static void losing_at_80x24(void **state)
{
	struct screen *s = *state;

	open_ring(s, 21, 80, 3);
	frames_lossy(&s->frame->rings[3]);
	s->frame->rings[3].paused = true;
	screen_draw(s);
	assert_screen(s->canvas, FRAMES_ATTRIBUTES,
		"CPU 3  paused                                                        ‹ 4 of 8 ›┃\n"
		"ttttt..wwwwww........................................................dddddddddd\n"
		" ▼ tail 0                                                       head 513800 ▼  ┃\n"
		".k..........................................................................k\n"
		"▕│██████████████████████████████████████████████████████████████████████████··▏┃\n"
		"dKzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzddd\n"
		"0▲ wakes at 0                                                          ↺ 524288┃\n"
		"dk.....................................................................dddddddd\n"
		"                                                                               ┃\n"
		"\n"
		"Fill ────────────────────  Wakeups ─────────────────  Losses ──────────────────┃\n"
		"tttt.dddddddddddddddddddd..ttttttt.ddddddddddddddddd..tttttt.dddddddddddddddddd\n"
		"size                 512K  crossings               4  lost               !12345┃\n"
		"llll.................vvvv..lllllllll...............v..llll...............bbbbbb\n"
		"used               513800  POLLIN returns          4  reported            12000│\n"
		"llll...............vvvvvv..llllllllllllll..........v..llllllll............vvvvvd\n"
		"fill                  98%  a second              0.4  pending               345│\n"
		"llll..................vvv..llllllll..............vvv..lllllll...............vvvd\n"
		"peak                 100%  drains                 66  a second             !321│\n"
		"llll.................vvvv..llllll.................vv..llllllll.............bbbbd\n"
		"bytes/s              100K  timer drains           62  LOST_SAMPLES            0│\n"
		"lllllll..............vvvv..llllllllllll...........vv..llllllllllll............dd\n"
		"records/s           2.00k  burst              1.1M/s  throttled               0│\n"
		"lllllllll...........vvvvv..lllll..............vvvvvv..lllllllll...............dd\n"
		"head              1562376  gap                 210ms  rbtop's own            20│\n"
		"llll..............vvvvvvv..lll.................vvvvv..lllllllllll............vvd\n"
		"tail              1048576  latency p50          12us  of unknown ids          0│\n"
		"llll..............vvvvvvv..lllllllllll..........vvvv..llllllllllllll..........dd\n"
		"watermark            256K  latency p99         104us  broken records          0│\n"
		"lllllllll............vvvv..lllllllllll.........vvvvv..llllllllllllll..........dd\n"
		"wakeup_events           -  latency max         3.4ms  counts read ago     400ms│\n"
		"lllllllllllll...........d..lllllllllll.........vvvvv..lllllllllllllll.....vvvvvd\n"
		"                                                                               │\n"
		"...............................................................................d\n"
		"Sizing ────────────────────────────────────────────────────────────────────────│\n"
		"tttttt.ddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd\n"
		"grow to -m 512: 8.1M/s x 210ms = 1.7M                                          │\n"
		"vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv..........................................d\n"
		"12345 records were lost: the ring was full for 210ms                           │\n"
		"dddddddddddddddddddddddddddddddddddddddddddddddddddd...........................d\n"
		"                                                                               │\n"
		"...............................................................................d\n");
}

static void scrolls_at_40x10(void **state)
{
	struct screen *s = *state;

	open_ring(s, 7, 40, 0);
	screen_draw(s);
	assert_screen(s->canvas, FRAMES_TEXT,
		"CPU 0                        ‹ 1 of 8 ›┃\n"
		" T   ▼ head 65536                      │\n"
		"▕█████·············│··················▏│\n"
		"0  wakes at 262144 ▲           ↺ 524288│\n"
		"                                       │\n"
		"Fill ──────────────────────────────────│\n"
		"size                               512K│\n");
	screen_act(s, ACTION_PAGE_DOWN);
	assert_screen(s->canvas, FRAMES_TEXT,
		"size                               512K┃\n"
		"used                              65536│\n"
		"fill                                12%│\n"
		"peak                                63%│\n"
		"bytes/s                            100K│\n"
		"records/s                         2.00k│\n"
		"head                            1114112│\n");
	screen_act(s, ACTION_END);
	assert_screen(s->canvas, FRAMES_TEXT,
		"  33us-66us                           0│\n"
		" 66us-131us ██                        9│\n"
		"131us-262us                           0│\n"
		"262us-524us                           0│\n"
		"524us-1.0ms                           0│\n"
		"1.0ms-2.1ms                           0│\n"
		"2.1ms-4.2ms ▎                         1┃\n");
	view_ring_detail.wheel(s->view, s->frame, -3);
	screen_draw(s);
	assert_memory_equal(screen_row(s->canvas, 3),
			    "  33us-66us ", 12);
	screen_act(s, ACTION_HOME);
	assert_memory_equal(screen_row(s->canvas, 0), "CPU 0", 5);
	for (int i = 0; i < 9; i++)
		screen_act(s, ACTION_PAGE_DOWN);
	assert_screen(s->canvas, FRAMES_TEXT,
		"                                       │\n"
		"Samples by process ────────────────────│\n"
		"    PID  COMM        SAMPL  SHARE      │\n"
		"   4242  dd          12.0k  60.0%  ██▍ │\n"
		"    977  kworker/3:  5.00k  25.0%  █   ┃\n"
		"      1  systemd     1.00k   5.0%  ▎   │\n"
		"                                       │\n");
}

static void two_columns(void **state)
{
	struct screen *s = *state;

	open_ring(s, 45, 140, 3);
	frames_lossy(&s->frame->rings[3]);
	screen_draw(s);
	assert_screen(s->canvas, FRAMES_TEXT,
		"CPU 3                                                                                                                            ‹ 4 of 8 ›┃\n"
		" ▼ tail 0                                                                                                                  head 513800 ▼   ┃\n"
		"▕│█████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████···▏┃\n"
		"0▲ wakes at 0                                                                                                                      ↺ 524288┃\n"
		"                                                                                                                                           ┃\n"
		"Fill ────────────────────────────────────────  Wakeups ─────────────────────────────────────  Losses ──────────────────────────────────────┃\n"
		"size                                    512K   crossings                                  4   lost                                  !12345 ┃\n"
		"used                                  513800   POLLIN returns                             4   reported                               12000 ┃\n"
		"fill                                     98%   a second                                 0.4   pending                                  345 ┃\n"
		"peak                                    100%   drains                                    66   a second                                !321 ┃\n"
		"bytes/s                                 100K   timer drains                              62   LOST_SAMPLES                               0 ┃\n"
		"records/s                              2.00k   burst                                 1.1M/s   throttled                                  0 ┃\n"
		"head                                 1562376   gap                                    210ms   rbtop's own                               20 ┃\n"
		"tail                                 1048576   latency p50                             12us   of unknown ids                             0 ┃\n"
		"watermark                               256K   latency p99                            104us   broken records                             0 ┃\n"
		"wakeup_events                              -   latency max                            3.4ms   counts read ago                        400ms ┃\n"
		"                                                                                                                                           ┃\n"
		"Records by type ────────────────────────────────────────────────────   Sizing ─────────────────────────────────────────────────────────────┃\n"
		"SAMPLE                     20000  97.9%  ██████████████████████████▌   grow to -m 512: 8.1M/s x 210ms = 1.7M                               ┃\n"
		"MMAP2                        300   1.4%  ▍                             12345 records were lost: the ring was full for 210ms                ┃\n"
		"COMM                          60   0.2%  ▏                                                                                                 ┃\n"
		"FORK                          40   0.1%  ▏                             Past ticks, and the most of them ───────────────────────────────────┃\n"
		"LOST                          17  <0.1%  ▏                             peak fill            ▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅    50%┃\n"
		"                                                                       bytes/s              ▃▅▇█▃▅▇█▃▅▇█▃▅▇█▃▅▇█▃▅▇█▃▅▇█▃▅▇█▃▅▇█▃▅▇█   100K┃\n"
		"Events; the kernel's counts 400ms ago ──────────────────────────────   lost/s            ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▄▆█    321┃\n"
		"EVENT                      COUNT       SAMPLES          LOST      /S                                                                       ┃\n"
		"side-band                      0             0             0       0   Drains by the fill they found ──────────────────────────────────────┃\n"
		"cpu-clock                  32345         20000         12345   2.00k         0-10% █████████████████▍                                    17┃\n"
		"                                                                            10-20%                                                        0┃\n"
		"Samples by process ─────────────────────────────────────────────────        20-30%                                                        0┃\n"
		"    PID  COMM                 SAMPLES   ERROR  SHARE                        30-40%                                                        0┃\n"
		"   4242  dd                     12000       0  60.0%  ████████▍             40-50%                                                        0┃\n"
		"    977  kworker/3:1             5000   <=120  25.0%  ███▌                  50-60% █████████████████████████████████████████████████     48┃\n"
		"      1  systemd                 1000   <=120   5.0%  ▊                     60-70% █                                                      1┃\n"
		"ERROR: samples that may be of other processes                               70-80%                                                        0┃\n"
		"                                                                            80-90%                                                        0┃\n"
		"                                                                           90-100%                                                        0┃\n"
		"                                                                                                                                           ┃\n"
		"                                                                       Wakeup latency ─────────────────────────────────────────────────────┃\n"
		"                                                                        8.2us-16us █████████████████████████████████████████████████     90┃\n"
		"                                                                         16us-33us                                                        0┃\n"
		"                                                                         33us-66us                                                        0┃\n"
		"                                                                        66us-131us ████▉                                                  9│\n"
		"                                                                       131us-262us                                                        0│\n"
		"                                                                       262us-524us                                                        0│\n");
}

static void three_columns(void **state)
{
	struct screen *s = *state;

	open_ring(s, 40, 200, 3);
	s->frame->rings[3].events[1].name =
		"syscalls:sys_enter_rt_sigprocmask";
	screen_draw(s);
	assert_screen_from(s->canvas, 5, FRAMES_TEXT,
		"Fill ─────────────────────────────────────  Wakeups ──────────────────────────────────  Losses ───────────────────────────────────     Sizing ─────────────────────────────────────────────────────────\n"
		"size                                  512K  crossings                                4  lost                                     0     fits: peak 63% of 512K\n"
		"used                                 65536  POLLIN returns                           4  reported                                 0     nothing lost; the worst gap brought 1.1M/s x 210ms = 268K\n"
		"fill                                   12%  a second                               0.4  pending                                  0\n"
		"peak                                   63%  drains                                  66  a second                                 0     Past ticks, and the most of them ───────────────────────────────\n"
		"bytes/s                               100K  timer drains                            62  LOST_SAMPLES                             0     peak fill        ▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅    50%\n"
		"records/s                            2.00k  burst                               1.1M/s  throttled                                0     bytes/s          ▃▅▇█▃▅▇█▃▅▇█▃▅▇█▃▅▇█▃▅▇█▃▅▇█▃▅▇█▃▅▇█▃▅▇█   100K\n"
		"head                               1114112  gap                                  210ms  rbtop's own                             20     lost/s           ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁      0\n"
		"tail                               1048576  latency p50                           12us  of unknown ids                           0\n"
		"watermark                             256K  latency p99                          104us  broken records                           0     Drains by the fill they found ──────────────────────────────────\n"
		"wakeup_events                            -  latency max                          3.4ms  counts read ago                      400ms           0-10% ████████████████                                  17\n"
		"                                                                                                                                            10-20%                                                    0\n"
		"Records by type ────────────────────────────────────────────────   Events; the kernel's counts 400ms ago ──────────────────────────         20-30%                                                    0\n"
		"SAMPLE                     20000  98.0%  ██████████████████████▌   EVENT                              COUNT SAMPLES    LOST      /S         30-40%                                                    0\n"
		"MMAP2                        300   1.4%  ▍                         side-band                              0       0       0       0         40-50%                                                    0\n"
		"COMM                          60   0.2%  ▏                         syscalls:sys_enter_rt_sigprocmask  20.0k   20.0k       0   2.00k         50-60% █████████████████████████████████████████████     48\n"
		"FORK                          40   0.1%  ▏                                                                                                  60-70% █                                                  1\n"
		"                                                                                                                                            70-80%                                                    0\n"
		"Samples by process ─────────────────────────────────────────────                                                                            80-90%                                                    0\n"
		"    PID  COMM                 SAMPLES   ERROR  SHARE                                                                                       90-100%                                                    0\n"
		"   4242  dd                     12000       0  60.0%  ██████\n"
		"    977  kworker/3:1             5000   <=120  25.0%  ██▌                                                                              Wakeup latency ─────────────────────────────────────────────────\n"
		"      1  systemd                 1000   <=120   5.0%  ▌                                                                                 8.2us-16us █████████████████████████████████████████████     90\n"
		"ERROR: samples that may be of other processes                                                                                            16us-33us                                                    0\n"
		"                                                                                                                                         33us-66us                                                    0\n"
		"                                                                                                                                        66us-131us ████▌                                              9\n"
		"                                                                                                                                       131us-262us                                                    0\n"
		"                                                                                                                                       262us-524us                                                    0\n"
		"                                                                                                                                       524us-1.0ms                                                    0\n"
		"                                                                                                                                       1.0ms-2.1ms                                                    0\n"
		"                                                                                                                                       2.1ms-4.2ms ▌                                                  1\n"
		"\n"
		"\n"
		"\n");
}

/* Names first: what is told beside them makes room. */
static void event_names(void **state)
{
	static const struct {
		int cols;
		const char *name, *expected;
	} rows[] = {
		{ 80, "cpu-clock",
		  "cpu-clock                              20000         20000             0   2.00k" },
		{ 58, "cpu-clock",
		  "cpu-clock        20000         20000             0   2.00k" },
		{ 58, "raw_syscalls:sys_enter",
		  "raw_syscalls:sys_enter         20000             0   2.00k" },
		{ 58, "syscalls:sys_enter_newfstatat",
		  "syscalls:sys_enter_newfstatat        20.0k       0   2.00k" },
		{ 39, "cpu-clock",
		  "cpu-clock         20.0k       0   2.00k" },
		{ 39, "raw_syscalls:sys_enter",
		  "raw_syscalls:sys_enter    20.0k       0" },
		{ 39, "syscalls:sys_enter_newfstatat",
		  "syscalls:sys_enter_newfs  20.0k       0" },
	};
	struct screen *s = *state;
	struct frame_ring *r;

	open_ring(s, 4, 80, 0);
	r = &s->frame->rings[0];
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		r->events[1].name = rows[i].name;
		canvas_clear(s->canvas);
		ring_tables_events(area_sub(canvas_area(s->canvas), 0, 0, 4,
					    rows[i].cols), 0, r);
		assert_string_equal(screen_row(s->canvas, 3),
				    rows[i].expected);
	}
}

/* A source that counts itself: nothing is old. */
static void counts_without_age(void **state)
{
	struct screen *s = *state;

	open_ring(s, 4, 40, 0);
	s->frame->rings[0].counts_age = 0;
	ring_tables_events(canvas_area(s->canvas), 0, &s->frame->rings[0]);
	assert_string_equal(screen_row(s->canvas, 0),
			    "Events ─────────────────────────────────");
}

static void in_ascii(void **state)
{
	struct screen *s = *state;

	open_ring(s, 60, 80, 4);
	s->canvas->ascii = true;
	frames_fill(&s->frame->rings[4], .6, .7);
	screen_draw(s);
	assert_screen(s->canvas, FRAMES_TEXT,
		"CPU 4                                                                < 5 of 8 >\n"
		" v tail 0                                      v head 314568\n"
		"[|#############################################...............................]\n"
		"0^ wakes at 0                                                   wraps at 524288\n"
		"\n"
		"Fill --------------------  Wakeups -----------------  Losses ------------------\n"
		"size                 512K  crossings               4  lost                    0\n"
		"used               314568  POLLIN returns          4  reported                0\n"
		"fill                  60%  a second              0.4  pending                 0\n"
		"peak                  70%  drains                 66  a second                0\n"
		"bytes/s              100K  timer drains           62  LOST_SAMPLES            0\n"
		"records/s           2.00k  burst              1.1M/s  throttled               0\n"
		"head              1363144  gap                 210ms  rbtop's own            20\n"
		"tail              1048576  latency p50          12us  of unknown ids          0\n"
		"watermark            256K  latency p99         104us  broken records          0\n"
		"wakeup_events           -  latency max         3.4ms  counts read ago     400ms\n"
		"\n"
		"Sizing ------------------------------------------------------------------------\n"
		"fits: peak 63% of 512K\n"
		"nothing lost; the worst gap brought 1.1M/s x 210ms = 268K\n"
		"\n"
		"Records by type ---------------------------------------------------------------\n"
		"SAMPLE                     20000  98.0%  #####################################\n"
		"MMAP2                        300   1.4%  #\n"
		"COMM                          60   0.2%  #\n"
		"FORK                          40   0.1%  #\n"
		"\n"
		"Events; the kernel's counts 400ms ago -----------------------------------------\n"
		"EVENT                                 COUNT       SAMPLES          LOST      /S\n"
		"side-band                                 0             0             0       0\n"
		"cpu-clock                             20000         20000             0   2.00k\n"
		"\n"
		"Samples by process ------------------------------------------------------------\n"
		"    PID  COMM                 SAMPLES   ERROR  SHARE\n"
		"   4242  dd                     12000       0  60.0%  ###############\n"
		"    977  kworker/3:1             5000   <=120  25.0%  ######\n"
		"      1  systemd                 1000   <=120   5.0%  #\n"
		"ERROR: samples that may be of other processes\n"
		"\n"
		"Past ticks, and the most of them ----------------------------------------------\n"
		"peak fill                       .-:=.-:=.-:=.-:=.-:=.-:=.-:=.-:=.-:=.-:=    50%\n"
		"bytes/s                         -=*#-=*#-=*#-=*#-=*#-=*#-=*#-=*#-=*#-=*#   100K\n"
		"lost/s                          ________________________________________      0\n"
		"\n"
		"Drains by the fill they found --------   Wakeup latency -----------------------\n"
		"      0-10% #######                 17    8.2us-16us ###################     90\n"
		"     10-20%                          0     16us-33us                          0\n"
		"     20-30%                          0     33us-66us                          0\n"
		"     30-40%                          0    66us-131us ##                       9\n"
		"     40-50%                          0   131us-262us                          0\n"
		"     50-60% ###################     48   262us-524us                          0\n"
		"     60-70% #                        1   524us-1.0ms                          0\n"
		"     70-80%                          0   1.0ms-2.1ms                          0\n"
		"     80-90%                          0   2.1ms-4.2ms #                        1\n"
		"    90-100%                          0\n"
		"\n");
	for (int i = 0; i < 60 * 80; i++)
		assert_in_range(s->canvas->cells[i].ch, 0x20, 0x7e);
}

static void overwrite_ring(void **state)
{
	struct screen *s = *state;

	open_ring(s, 24, 80, 2);
	frames_overwrite(&s->frame->rings[2], false);
	screen_draw(s);
	assert_screen(s->canvas, FRAMES_TEXT,
		"CPU 2  overwrite                                                     ‹ 3 of 8 ›┃\n"
		"                                               head 458752, going ← ▼          ┃\n"
		"▕█████████████████████████████████████████████████████████████████████████████▏┃\n"
		"0                                                                      ↺ 524288┃\n"
		"                                                                               ┃\n"
		"Fill ────────────────────  Wakeups ─────────────────  Losses ──────────────────┃\n"
		"size                 512K  crossings               0  lost                    0┃\n"
		"used               524288  POLLIN returns          0  reported                0┃\n"
		"fill                 100%  a second              0.4  pending                 0┃\n"
		"peak                 100%  drains                 66  a second                0│\n"
		"bytes/s              100K  timer drains           62  LOST_SAMPLES            0│\n"
		"records/s           2.00k  burst              1.1M/s  throttled               0│\n"
		"head              1114112  gap                 210ms  rbtop's own            20│\n"
		"tail                    -  latency p50          12us  of unknown ids          0│\n"
		"watermark               -  latency p99         104us  broken records          0│\n"
		"wakeup_events           -  latency max         3.4ms  counts read ago     400ms│\n"
		"                                                                               │\n"
		"Overwrite ─────────────────────────────────────────────────────────────────────│\n"
		"went round 2 times; the newest records replace the oldest                      │\n"
		"not read yet: r reads it, pausing its output for that long                     │\n");
	screen_act(s, ACTION_READ);
	assert_int_equal(s->host.requests[0].kind, REQUEST_READ);
	assert_int_equal(s->host.requests[0].ring, 2);
	frames_overwrite(&s->frame->rings[2], true);
	screen_draw(s);
	assert_screen_from(s->canvas, 16, FRAMES_TEXT,
		"                                                                               │\n"
		"Overwrite ─────────────────────────────────────────────────────────────────────│\n"
		"went round 2 times; the newest records replace the oldest                      │\n"
		"last read: 9000 records, the oldest 4.5s old, the newest 1ms                   │\n"
		"output paused for 2.1ms; lost in all reads so far: 37                          │\n"
		"                                                                               │\n"
		"Sizing ────────────────────────────────────────────────────────────────────────│\n"
		"fits: peak 63% of 512K                                                         │\n");
}

/* Unknown is "-", never 0. */
static void aux_ring(void **state)
{
	struct screen *s = *state;

	open_ring(s, 36, 80, 0);
	frames_aux(&s->frame->rings[0], true);
	frames_aux_flags(&s->frame->rings[0]);
	screen_draw(s);
	assert_memory_equal(screen_row(s->canvas, 5), "AUX ring, full trace",
			    20);
	assert_screen_from(s->canvas, 22, FRAMES_TEXT,
"AUX ring ────────────────  What AUX records say ────  Stops ───────────────────│\n"
"size                   4M  AUX records            40  tracing           stopped│\n"
"watermark              2M  TRUNCATED           !1234  last stop, ago          -│\n"
"fill                  50%  OVERWRITE              12  r stopped it for        -│\n"
"peak                  75%  PARTIAL                !7  last snapshot           -│\n"
"bytes/s           12.5M/s  COLLISION              !1                           │\n"
"head             53477376  ITRACE_START            3                           │\n"
"tail             51380224  hardware ids            1                           │\n"
"wraps                  12  let go on again      1230                           │\n");
	screen_act(s, ACTION_END);
	assert_true(screen_has(s, "AUX fill "));
	frames_aux(&s->frame->rings[0], false);
	s->frame->rings[0].aux.read_cost = 34e-6;
	screen_act(s, ACTION_HOME);
	assert_true(screen_has(s, "wraps         at least 12  "));
	assert_true(screen_has(s, "last stop, ago       3.2s"));
	assert_true(screen_has(s, "r stopped it for     34us"));
	assert_true(screen_has(s, "tail                    -  "));
	/* the key for some of the rings is for this one */
	screen_act(s, ACTION_SNAPSHOT_SOME);
	assert_int_equal(s->host.requests[0].kind, REQUEST_SNAPSHOT);
	assert_int_equal(s->host.nr_rings, 1);
	assert_int_equal(s->host.rings[0], 0);
}

static void unknown_values(void **state)
{
	struct screen *s = *state;

	open_ring(s, 60, 80, 1);
	frames_unknown(&s->frame->rings[1]);
	s->frame->rings[1].events[0].count = 7;
	screen_draw(s);
	assert_screen(s->canvas, FRAMES_TEXT,
		"CPU 1                                                                ‹ 2 of 8 ›\n"
		" ▼ tail 0 ▼ head 65536\n"
		"▕██████████···································································▏\n"
		"0                                                                      ↺ 524288\n"
		"\n"
		"Fill ────────────────────  Wakeups ─────────────────  Losses ──────────────────\n"
		"size                 512K  crossings               4  lost                    0\n"
		"used                65536  POLLIN returns          4  reported                0\n"
		"fill                  12%  a second              0.4  pending                 -\n"
		"peak                  63%  drains                 66  a second                0\n"
		"bytes/s              100K  timer drains           62  LOST_SAMPLES            0\n"
		"records/s           2.00k  burst                   -  throttled               0\n"
		"head              1114112  gap                     -  rbtop's own            20\n"
		"tail              1048576  latency p50             -  of unknown ids          0\n"
		"watermark               -  latency p99             -  broken records          0\n"
		"wakeup_events           -  latency max             -  counts read ago         -\n"
		"\n"
		"Sizing ────────────────────────────────────────────────────────────────────────\n"
		"too early: no drain has found a record\n"
		"\n"
		"Records by type ───────────────────────────────────────────────────────────────\n"
		"SAMPLE                     20000  98.0%  █████████████████████████████████████▎\n"
		"MMAP2                        300   1.4%  ▌\n"
		"COMM                          60   0.2%  ▏\n"
		"FORK                          40   0.1%  ▏\n"
		"\n"
		"Events ────────────────────────────────────────────────────────────────────────\n"
		"EVENT                                 COUNT       SAMPLES          LOST      /S\n"
		"side-band                                 7             0             0       0\n"
		"cpu-clock                                 -         20000             -   2.00k\n"
		"\n"
		"Samples by process ────────────────────────────────────────────────────────────\n"
		"none yet\n"
		"\n"
		"Past ticks, and the most of them ──────────────────────────────────────────────\n"
		"peak fill                       ▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅▂▃▄▅    50%\n"
		"bytes/s                         ▃▅▇█▃▅▇█▃▅▇█▃▅▇█▃▅▇█▃▅▇█▃▅▇█▃▅▇█▃▅▇█▃▅▇█   100K\n"
		"lost/s                          ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁      0\n"
		"\n"
		"Drains by the fill they found ────────   Wakeup latency ───────────────────────\n"
		"      0-10% ██████▊                 17   none measured\n"
		"     10-20%                          0\n"
		"     20-30%                          0\n"
		"     30-40%                          0\n"
		"     40-50%                          0\n");
}

static void hostile_names(void **state)
{
	struct screen *s = *state;
	struct frame_ring *r;

	open_ring(s, 60, 80, 1);
	r = &s->frame->rings[1];
	memcpy(r->pids[0].comm, "\033[2J\xff\r\n\x9b" "1;31m", 14);
	r->events[1].name = "evil\033]0;title\a";
	memcpy(r->comm, "\xe2\x82\x1b[0m", 7);
	screen_draw(s);
	for (int i = 0; i < 60 * 80; i++) {
		assert_in_range(s->canvas->cells[i].ch, 0x20, 0xfffd);
		assert_not_in_range(s->canvas->cells[i].ch, 0x7f, 0x9f);
	}
	assert_memory_equal(screen_row(s->canvas, 30), "evil?]0;title? ",
			    15);
	assert_non_null(strstr(screen_row(s->canvas, 34), " ?[2J"));
}

static void other_rings(void **state)
{
	struct screen *s = *state;

	open_ring(s, 10, 60, 6);
	screen_draw(s);
	screen_act(s, ACTION_RIGHT);
	assert_int_equal(s->host.host.visited, 7);
	screen_act(s, ACTION_RIGHT);
	assert_int_equal(s->host.host.visited, 7);
	assert_screen(s->canvas, FRAMES_TEXT,
		"CPU 7                                            ‹ 8 of 8 ›┃\n");
	for (int i = 0; i < 10; i++)
		screen_act(s, ACTION_LEFT);
	assert_memory_equal(screen_row(s->canvas, 0), "CPU 0", 5);
	assert_int_equal(s->host.host.visited, 0);
	screen_act(s, ACTION_GROW);
	assert_int_equal(s->host.requests[0].ring, 0);
	assert_true(s->host.requests[0].on);
	/* Esc is the app's: it closes what is open on top */
	screen_passes_on(s, ACTION_CANCEL);
}

static void ring_went_away(void **state)
{
	struct screen *s = *state;

	open_ring(s, 10, 60, 7);
	s->frame->nr_rings = 3;
	screen_draw(s);
	assert_string_equal(screen_row(s->canvas, 0), "no such ring");
	screen_act(s, ACTION_GROW);
	assert_int_equal(s->host.nr_requests, 0);
}

static void many_events(void **state)
{
	struct screen *s = *state;
	struct frame_ring *r;

	open_ring(s, 20, 80, 0);
	r = &s->frame->rings[0];
	r->events = reallocarray(r->events, 1000, sizeof(*r->events));
	for (size_t i = 2; i < 1000; i++)
		r->events[i] = r->events[1];
	r->nr_events = 1000;
	screen_draw(s);
	screen_act(s, ACTION_END);
	for (int page = 0; page < 10 && !screen_has(s, "and 800 more"); page++)
		screen_act(s, ACTION_PAGE_UP);
	assert_true(screen_has(s, "and 800 more"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

static const struct CMUnitTest tests[] = {
	TEST(calm_at_80), TEST(losing_at_80x24),
	TEST(scrolls_at_40x10), TEST(two_columns),
	TEST(three_columns), TEST(event_names),
	TEST(counts_without_age), TEST(in_ascii),
	TEST(overwrite_ring), TEST(aux_ring), TEST(unknown_values),
	TEST(hostile_names), TEST(other_rings), TEST(ring_went_away),
	TEST(many_events),
};

TEST_GROUP(ring_detail, tests, NULL, NULL);
