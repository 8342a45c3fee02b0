/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the screen tests share: frames of ever the same figures, a shell that
 * remembers what a view asked of it, and the comparison of a canvas with the
 * screen that a test expects.
 */
#ifndef RBTOP_TESTS_FRAMES_H
#define RBTOP_TESTS_FRAMES_H

#include "ring/frame/frame.h"
#include "host/table/host.h"
#include "ring/snapshots.h"
#include "ui/kit/canvas.h"
#include "ui/kit/view.h"

/*
 * A frame of @nr rings, "CPU 0" and so on: calm, plausible, deterministic.
 * 512 KiB each, the watermark at half, about 2000 records a second; no loss;
 * two events (side-band and cpu-clock), three processes, filled histories.
 * The log holds an entry of every kind.  Tests change what they are about.
 */
struct frame *frames_new(size_t nr);
void frames_free(struct frame *f);

/* Make a ring of a frame special. */
void frames_lossy(struct ring_row *r);	/* 12345 lost, 321 a second */
void frames_fill(struct ring_row *r, double fill, double peak);
void frames_overwrite(struct ring_row *r, bool read);
void frames_thread(struct ring_row *r, int tid, const char *comm);
void frames_unknown(struct ring_row *r);	/* all that can be unknown is */

/*
 * What frames know of their samples: 13 listed (callchains of user and kernel
 * functions, a JIT one, one without a symbol, a tracepoint's), and 1000
 * counted, 100 of them recent.  The same object at every call; a test that
 * wants it otherwise changes a copy of its own.
 */
const struct samples *frames_samples(void);

/*
 * Give a ring an AUX ring of 4 MiB: in snapshot mode, stopped 3.2 s ago when
 * its head stood at 1.5 MiB after 12 rounds; or in full trace, half full.
 */
void frames_aux(struct ring_row *r, bool full_trace);
/* That AUX ring ran full, has gaps, and stands still now. */
void frames_aux_flags(struct ring_row *r);

/*
 * Four snapshots: done, failed, cancelled and being written; a trigger that is
 * armed, a history that is kept.  Nothing is recorded until the second call.
 */
void frames_snapshots(struct snapshots *s);
void frames_recording(struct snapshots *s);

/*
 * The machine's rings: two of perf record (the second loses records), one of
 * bpftrace that is not drained, a BPF ring buffer, one of rbtop's own, one of
 * java that is gone, and one of perf with an AUX ring that ran full.  By
 * frames_host_proc() as if nothing but /proc could be asked.
 */
struct host *frames_host_new(void);
void frames_host_free(struct host *host);
void frames_host_proc(struct host *host);
/* Sum rows up into host.total, after changing them. */
void frames_host_sum(struct host *host);

/* What a ring's reader knows of it, to be changed. */
struct ring_reads *frames_reads(struct ring_row *r);

/* Sum the rings up into frame.total, after changing them. */
void frames_sum(struct frame *f);

/* What a view asked for, the latest of each; counts of each. */
struct fake_shell {
	struct shell shell;	/* config is below */
	struct config config;
	struct request requests[16];
	size_t nr_requests;
	size_t rings[8], nr_rings;	/* that the latest one names */
	bool refuses;		/* requests */
	char message[256];
	enum role message_role;
	char flame_title[256];	/* of the last one to be written */
	uint32_t flame_boxes;	/* that it had; 0: none was */
	enum view_id shown;
	size_t shown_ring;
	unsigned int saves;
	char prompt[80], initial[80];	/* of the prompt that is open */
	bool live;
	void (*done)(struct view *view, const char *text, bool final);
	struct view *prompter;
};

void fake_shell_init(struct fake_shell *h);

/* Answer the open prompt as a person would, a call a keystroke if it is live;
 * NULL is Esc. */
void fake_shell_answer(struct fake_shell *h, const char *text);

/* Set up a group that draws more than ASCII: the locale has UTF-8. */
int frames_utf8(void **state);

/* Draw @view on a canvas of its own, blank before. */
void frames_draw(struct view *view, const struct frame *f, struct canvas *c);

/* One row of the canvas as text, in a buffer of the callee's. */
const char *screen_row(const struct canvas *c, int row);

/* A view on a canvas with a frame and a shell: what most tests are about. */
struct screen {
	struct fake_shell shell;
	struct view *view;
	struct frame *frame;
	size_t nr_rings;	/* that the frame was made with */
	struct canvas *canvas;
};

struct screen *screen_new(const struct view_ops *ops);
void screen_free(struct screen *s);
/* Give it a size and a frame of @nr rings; draws nothing yet. */
void screen_open(struct screen *s, int rows, int cols, size_t nr);
void screen_draw(struct screen *s);
/* Act, or click, and draw.  The view has to take an action, or has to pass it
 * on to the app; else the test fails. */
void screen_act(struct screen *s, enum action action);
void screen_passes_on(struct screen *s, enum action action);
bool screen_click(struct screen *s, int row, int col, bool twice);
/* The first row that is reversed at its left edge, -1 if none is. */
int screen_cursor(const struct screen *s);
bool screen_has(const struct screen *s, const char *text);

#endif
