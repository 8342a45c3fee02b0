/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the screen tests: frames with fixed figures, a shell that records
 * the requests of a view, and the comparison of a canvas with the expected
 * screen.
 */
#ifndef RBTOP_TESTS_FRAMES_H
#define RBTOP_TESTS_FRAMES_H

#include "ring/frame/frame.h"
#include "host/table/host.h"
#include "ring/reading.h"
#include "ui/draw/canvas.h"
#include "ui/kit/keys.h"
#include "ui/kit/view.h"

/*
 * A frame of @nr rings, "CPU 0" and so on: calm, plausible, deterministic.
 * 512 KiB each, the watermark at half, about 2000 records a second; no loss;
 * two events (side-band and cpu-clock), three processes, filled histories.
 * The log holds an entry of every kind.  Tests change what they are about.
 */
struct frame *frames_new(size_t nr);
void frames_free(struct frame *f);

/* Change a ring of a frame. */
void frames_lossy(struct ring_row *r);	/* 12345 lost, 321/s */
void frames_fill(struct ring_row *r, double fill, double peak);
void frames_overwrite(struct ring_row *r, bool read);
void frames_thread(struct ring_row *r, int tid, const char *comm);
void frames_unknown(struct ring_row *r);	/* unknown as far as possible */

/*
 * The samples of frames: 13 listed (callchains of user and kernel functions, a
 * JIT one, one without a symbol, a tracepoint's), and 1000 counted, 100 of them
 * recent.  Always the same object; a test that changes it uses its own copy.
 */
const struct samples *frames_samples(void);

/*
 * Give a ring an AUX ring of 4 MiB: in snapshot mode, last stopped 3.2 s ago
 * with the head at 1.5 MiB after 12 wraps; or in full trace, half full.
 */
void frames_aux(struct ring_row *r, bool full_trace);
/* That AUX ring was truncated, has gaps, and is stopped now. */
void frames_aux_flags(struct ring_row *r);

/*
 * Four snapshots: done, failed, cancelled and being written; an armed trigger
 * and a history.  Nothing is recorded until the second call.
 */
void frames_snapshots(struct snapshots *s);
void frames_recording(struct snapshots *s);

/*
 * The host's rings: two of perf record (the second loses records), one of
 * bpftrace that is not drained, a BPF ring buffer, one of rbtop's own, one of
 * java that is gone, and one of perf with a full AUX ring. frames_host_proc()
 * changes them to what /proc alone shows.
 */
struct host *frames_host_new(void);
void frames_host_free(struct host *host);
void frames_host_proc(struct host *host);
/* Update host.total after rows were changed. */
void frames_host_sum(struct host *host);

/* Forty ticks of a sawtooth: a ring that fills and is drained. */
struct ring_histories *frames_histories(void);

/* A ring's reads, which may be changed. */
struct ring_reads *frames_reads(struct ring_row *r);

/* Update frame.total after rings were changed. */
void frames_sum(struct frame *f);

/* The last request and message of a view, and their numbers. */
struct fake_shell {
	struct shell shell;	/* config is below */
	struct config config;
	struct keys keys;	/* default keys */
	struct request requests[16];
	size_t nr_requests;
	size_t rings[8], nr_rings;	/* of the last request */
	bool refuses;		/* requests */
	char message[256];
	enum role message_role;
	char flame_title[256];	/* of the last flame view written */
	uint32_t flame_boxes;	/* its boxes; 0: none written */
	char copied[256];
	enum view_id shown;
	size_t shown_ring;
	unsigned int saves;
	bool unsaved;		/* saving fails */
	char prompt[80], initial[80];	/* of the open prompt */
	bool live;
	void (*done)(struct view *view, const char *text, bool final);
	struct view *prompter;
};

void fake_shell_init(struct fake_shell *h);

/*
 * Answer the open prompt as a user would; a live prompt is called for each key.
 * NULL is Esc.
 */
void fake_shell_answer(struct fake_shell *h, const char *text);

/* Set up a group that draws more than ASCII: the locale has UTF-8. */
int frames_utf8(void **state);

/* Draw @view on a cleared canvas. */
void frames_draw(struct view *view, const struct frame *f, struct canvas *c);

/* One row of the canvas as text, in a static buffer. */
const char *screen_row(const struct canvas *c, int row);

/* A view with a canvas, a frame and a shell, as most tests need. */
struct screen {
	struct fake_shell shell;
	struct view *view;
	struct frame *frame;
	size_t nr_rings;	/* of the frame */
	struct canvas *canvas;
};

struct screen *screen_new(const struct view_ops *ops);
void screen_free(struct screen *s);
/* Set the size and make a frame of @nr rings; draws nothing yet. */
void screen_open(struct screen *s, int rows, int cols, size_t nr);
void screen_draw(struct screen *s);
/*
 * Act, or click, and draw.  The view has to handle an action, or has to pass it
 * on to the app; otherwise the test fails.
 */
void screen_act(struct screen *s, enum action action);
void screen_passes_on(struct screen *s, enum action action);
bool screen_click(struct screen *s, int row, int col, bool twice);
/* The first row that is selected or reversed at its left edge; -1: none. */
int screen_cursor(const struct screen *s);
int screen_cursor_row(const struct canvas *c);
/* The first row that has the text, -1 if none has. */
int screen_find(const struct screen *s, const char *text);
bool screen_has(const struct screen *s, const char *text);

#endif
