/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The terminal: the only code that uses curses and, with watchdog.c, that
 * writes to the terminal.  It shows a canvas and reads keys and mouse events.
 * One terminal at a time; all calls from one thread.
 */
#ifndef RBTOP_UI_TERM_TERM_CURSES_H
#define RBTOP_UI_TERM_TERM_CURSES_H

#include <stdbool.h>

#include "cli/config.h"
#include "ui/draw/canvas.h"

struct doctor_terminal;
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
 * Check that a screen can be opened: standard input and output are terminals,
 * terminfo knows TERM, and its cursor can be placed.  0 or -errno with @err.
 */
int term_check(struct err *err);

/* Describe the terminal on standard output without changing it. */
void term_describe(struct doctor_terminal *terminal);

/*
 * Take over the terminal.  Until term_close() it is restored on a crash or a
 * signal that kills, and guarded by the watchdog.  ASCII only with @ascii or in
 * a locale without UTF-8.  The mouse is the terminal's until term_set_mouse().
 * NULL with @err on failure.
 */
struct terminal *term_open(bool ascii, enum config_scheme scheme,
		       struct err *err);
/* Restore the terminal and free @t, which may be NULL. */
void term_close(struct terminal *t);

/* The file descriptor of its input, for a loop. */
int term_fd(const struct terminal *t);
bool term_ascii(const struct terminal *t);

/* Set the size to the kernel's TIOCGWINSZ and return it in @rows and @cols;
 * the next canvas is sent whole. */
void term_resize(struct terminal *t, int *rows, int *cols);

/* Change the colours; with NO_COLOR or without colours it is always mono. */
void term_set_scheme(struct terminal *t, enum config_scheme scheme);

/* Take clicks and the wheel, or leave the mouse to the terminal, which selects
 * text with it. */
void term_set_mouse(struct terminal *t, bool on);

/* Show the canvas; cells that have not changed are not sent. */
void term_draw(struct terminal *t, const struct canvas *c);

/* Send the next canvas whole, after something else wrote to the terminal. */
void term_redraw(struct terminal *t);

/*
 * Offer @text to the terminal for the clipboard (OSC 52).  Terminals do not say
 * whether they take it; screen(1), and tmux(1) without set-clipboard, do not.
 */
void term_copy(const char *text);
/* Whether the terminal is such a one, by the environment. */
bool term_is_multiplexed(void);

/* The next event; false when there is none now.  Never waits. */
bool term_next(struct terminal *t, struct term_event *ev);

/* Restore the terminal and stop this process (Ctrl-Z); returns after SIGCONT
 * with the terminal taken over again. */
void term_suspend(struct terminal *t);
/* Take the terminal over again after this process was stopped. */
void term_resume(struct terminal *t);

#endif
