/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The terminal: the only user of curses, and the only one that writes to it.
 * A canvas goes out, keys and mouse events come in.  One terminal at a time;
 * all calls from one thread.
 */
#ifndef RBTOP_UI_TERM_TERM_CURSES_H
#define RBTOP_UI_TERM_TERM_CURSES_H

#include <stdbool.h>

#include "cli/config.h"
#include "ui/kit/canvas.h"

struct err;
struct terminal;

enum term_event_kind {
	TERM_KEY,
	TERM_CLICK,
	TERM_WHEEL,
};

struct term_event {
	enum term_event_kind kind;
	int code;		/* TERM_KEY: see keys.h */
	int row, col;		/* TERM_CLICK, TERM_WHEEL */
	int by;			/* TERM_WHEEL: lines, down is positive */
};

/*
 * Whether a screen can be had: standard input and output a terminal that
 * terminfo knows and whose cursor can be placed.  0 or -errno with @err.
 */
int term_check(struct err *err);

/*
 * Take the terminal over.  From here until term_close() the watchdog guards
 * it, and a crash restores it too.  ASCII only where @ascii or the locale has
 * no UTF-8.  NULL with @err on failure.
 */
struct terminal *term_open(bool ascii, enum config_scheme scheme,
		       struct err *err);
/* Put the terminal back as it was and free.  NULL is fine. */
void term_close(struct terminal *t);

/* Where its input comes from, for a loop. */
int term_fd(const struct terminal *t);
bool term_ascii(const struct terminal *t);

/* The size the kernel says it has now; draw all of the next canvas. */
void term_resize(struct terminal *t, int *rows, int *cols);

/* NO_COLOR and terminals without colours are mono, whatever is asked. */
void term_set_scheme(struct terminal *t, enum config_scheme scheme);

/* Put the canvas on the screen; what has not changed is not sent. */
void term_draw(struct terminal *t, const struct canvas *c);

/* The next canvas is sent whole: something else wrote to the terminal. */
void term_redraw(struct terminal *t);

/* The next event; false when there is none now.  Never waits. */
bool term_next(struct terminal *t, struct term_event *ev);

/* Give the terminal back and stop this process (Ctrl-Z); back on SIGCONT. */
void term_suspend(struct terminal *t);
/* Take the terminal over again after this process was stopped. */
void term_resume(struct terminal *t);

#endif
