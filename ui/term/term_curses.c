/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/term/term_curses.h"

/* functions, not macros: those do not convert cleanly */
#define NCURSES_NOMACROS 1
#include <curses.h>

#include <errno.h>
#include <langinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/err.h"
#include "ui/kit/keys.h"
#include "ui/term/term_restore.h"

/* the last one, for it makes macros of words like "tab" and "columns" */
#include <term.h>

enum { ESCAPE_DELAY_MS = 25, WHEEL_LINES = 3 };

/* How a role looks. */
struct look {
	attr_t attr;
	short pair;
};

struct terminal {
	SCREEN *screen;
	struct termios modes;	/* as they were */
	bool ascii;
	bool colours;
	bool whole;		/* send all of the next canvas */
	struct look looks[ROLES];
	struct canvas *shown;	/* what the screen holds; NULL: unknown */
};

#define COLOR_NONE (-1)
#define ROLE(id, letter, fg, bold, blind_fg, mono) \
	{ COLOR_##fg, COLOR_##blind_fg, bold, A_##mono },
static const struct {
	short fg, blind_fg;
	bool bold;
	attr_t mono;
} themes[ROLES] = {
#include "ui/kit/theme.def"
};
#undef ROLE

#define REMEDY	"use -b to run without a screen"

static bool is_string(const char *capability)
{
	return capability && capability != (char *)-1;
}

/* What terminfo has to say about @term. */
static int check_type(const char *term, struct err *err)
{
	int status = 0;
	bool can_move;

	/* with a status pointer it returns where it would exit otherwise */
	if (setupterm(NULL, STDOUT_FILENO, &status) != OK)
		return err_set(err, -ENOTTY, "TERM=%s: terminfo has no screen "
			       "of that type; set TERM, or " REMEDY, term);
	can_move = is_string(tigetstr("cup"));
	del_curterm(cur_term);
	if (!can_move)
		return err_set(err, -ENOTTY, "TERM=%s: the cursor of such a "
			       "terminal cannot be placed; " REMEDY, term);
	return 0;
}

int term_check(struct err *err)
{
	const char *term = getenv("TERM");

	if (!isatty(STDIN_FILENO))
		return err_set(err, -ENOTTY, "standard input is not a "
			       "terminal; " REMEDY);
	if (!isatty(STDOUT_FILENO))
		return err_set(err, -ENOTTY, "standard output is not a "
			       "terminal; " REMEDY);
	if (!term || !*term)
		return err_set(err, -ENOTTY, "TERM is not set; set it to the "
			       "type of this terminal, or " REMEDY);
	return check_type(term, err);
}

/* Where tputs, which takes no context, puts what it makes of a sequence. */
static struct {
	char *buf;
	size_t size, len;
} sequence;

static int sequence_put(int c)
{
	if (sequence.len + 1 < sequence.size)
		sequence.buf[sequence.len++] = (char)c;
	return c;
}

/*
 * Write the sequences that bring the terminal back: mouse, colours, keypad,
 * cursor, the screen that was there before.
 */
static void leave_sequence(char *buf, size_t size)
{
	static const char *const names[] = {
		"sgr0", "op", "rmkx", "cnorm", "rmcup",
	};

	sequence.buf = buf;
	sequence.size = size;
	sequence.len = 0;
	/* xterm's mouse reports, as mousemask() turns them on */
	if (is_string(tigetstr("kmous")))
		tputs("\033[?1000l\033[?1006l", 1, sequence_put);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (is_string(tigetstr(names[i])))
			tputs(tigetstr(names[i]), 1, sequence_put);
	}
	buf[sequence.len] = '\0';
}

static short pair_of(enum role role)
{
	return (short)(role + 1);
}

void term_set_scheme(struct terminal *t, enum config_scheme scheme)
{
	bool mono = scheme == CONFIG_SCHEME_MONO || !t->colours;

	for (int i = 0; i < ROLES; i++) {
		short fg = scheme == CONFIG_SCHEME_COLOUR_BLIND ?
			themes[i].blind_fg : themes[i].fg;
		bool bold = themes[i].bold;

		/* grey is a colour of its own where there are 16 */
		if (fg == COLOR_BLACK && COLORS >= 16) {
			fg = 8;
			bold = false;
		}
		t->looks[i].attr = mono ? themes[i].mono :
				   bold ? A_BOLD : A_NORMAL;
		t->looks[i].pair = 0;
		if (!mono && fg != COLOR_NONE) {
			init_pair(pair_of((enum role)i), fg, -1);
			t->looks[i].pair = pair_of((enum role)i);
		}
	}
	term_redraw(t);
}

/* Whether to use colours: no-color.org, and what the terminal has. */
static bool start_colours(void)
{
	const char *no_color = getenv("NO_COLOR");

	if ((no_color && *no_color) || !has_colors())
		return false;
	/* -1 as a colour is the terminal's own */
	return start_color() == OK && use_default_colors() == OK &&
	       COLORS >= 8 && COLOR_PAIRS > ROLES;
}

static void set_up_curses(struct terminal *t)
{
	struct sigaction stop = { .sa_handler = SIG_DFL };

	/* newterm() catches it where it finds the default; see
	 * term_suspend(), which needs just that */
	sigaction(SIGTSTP, &stop, NULL);
	cbreak();
	noecho();
	nonl();
	nodelay(stdscr, TRUE);
	keypad(stdscr, TRUE);
	leaveok(stdscr, FALSE);
	mouseinterval(0);
	mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
	t->colours = start_colours();
}

struct terminal *term_open(bool ascii, enum config_scheme scheme,
		       struct err *err)
{
	struct terminal *t = calloc(1, sizeof(*t));
	char leave[256];

	if (!t) {
		err_set(err, -ENOMEM, "screen: out of memory");
		return NULL;
	}
	t->ascii = ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	if (tcgetattr(STDOUT_FILENO, &t->modes) < 0) {
		err_set(err, -errno, "modes of the terminal: %s; " REMEDY,
			strerror(errno));
		free(t);
		return NULL;
	}
	set_escdelay(ESCAPE_DELAY_MS);
	t->screen = newterm(NULL, stdout, stdin);
	if (!t->screen) {
		err_set(err, -EIO, "curses cannot use this terminal; "
			REMEDY);
		free(t);
		return NULL;
	}
	leave_sequence(leave, sizeof(leave));
	term_restore_arm(STDOUT_FILENO, &t->modes, leave);
	set_up_curses(t);
	term_set_scheme(t, scheme);
	return t;
}

void term_close(struct terminal *t)
{
	if (!t)
		return;
	endwin();
	term_restore_disarm();
	delscreen(t->screen);
	canvas_free(t->shown);
	free(t);
}

int term_fd(const struct terminal *t)
{
	(void)t;
	return STDIN_FILENO;
}

bool term_ascii(const struct terminal *t)
{
	return t->ascii;
}

void term_resize(struct terminal *t, int *rows, int *cols)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row &&
	    size.ws_col && size.ws_row <= CANVAS_MAX_ROWS &&
	    size.ws_col <= CANVAS_MAX_COLS)
		resizeterm(size.ws_row, size.ws_col);
	*rows = getmaxy(stdscr);
	*cols = getmaxx(stdscr);
	term_redraw(t);
}

void term_redraw(struct terminal *t)
{
	t->whole = true;
}

static void put_cell(const struct terminal *t, int row, int col,
		     const struct cell *cell)
{
	const struct look *look = &t->looks[cell->role];
	wchar_t text[2] = { (wchar_t)cell->ch, L'\0' };
	attr_t attr = look->attr;
	cchar_t cc;

	if (cell->reverse)
		attr ^= A_REVERSE;
	if (setcchar(&cc, text, attr, look->pair, NULL) == OK)
		mvadd_wchnstr(row, col, &cc, 1);
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
	return a->ch == b->ch && a->role == b->role &&
	       a->reverse == b->reverse;
}

/* Curses compares too, but per cell it costs more than this. */
static void put_row(const struct terminal *t, const struct canvas *c, int row)
{
	size_t at = (size_t)row * (size_t)c->cols;
	const struct cell *now = &c->cells[at];
	const struct cell *before = t->whole ? NULL : &t->shown->cells[at];

	for (int col = 0; col < c->cols; col++) {
		/* ch 0 is put with the left half, which differs then too */
		if (now[col].ch &&
		    (!before || !same_cell(&now[col], &before[col]) ||
		     (col + 1 < c->cols && before[col + 1].ch == 0 &&
		      now[col + 1].ch != 0)))
			put_cell(t, row, col, &now[col]);
	}
}

/* Keep what is on the screen now, to compare the next canvas with. */
static void remember(struct terminal *t, const struct canvas *c)
{
	size_t size = (size_t)c->rows * (size_t)c->cols * sizeof(*c->cells);

	if (t->shown && (t->shown->rows != c->rows ||
			 t->shown->cols != c->cols)) {
		canvas_free(t->shown);
		t->shown = NULL;
	}
	if (!t->shown)
		t->shown = canvas_new(c->rows, c->cols, c->ascii);
	t->whole = !t->shown;
	if (t->shown)
		memcpy(t->shown->cells, c->cells, size);
}

void term_draw(struct terminal *t, const struct canvas *c)
{
	if (!t->shown || t->shown->rows != c->rows ||
	    t->shown->cols != c->cols)
		t->whole = true;
	if (t->whole) {
		erase();
		clearok(stdscr, TRUE);
	}
	for (int row = 0; row < c->rows; row++)
		put_row(t, c, row);
	curs_set(c->cursor_row >= 0);
	if (c->cursor_row >= 0)
		move(c->cursor_row, c->cursor_col);
	refresh();
	remember(t, c);
}

/* A curses key code as ours, KEYS_NONE for what nothing is bound to. */
static int key_code(wint_t key)
{
	static const struct {
		int curses, code;
	} codes[] = {
		{ KEY_UP, KEYS_UP },	       { KEY_DOWN, KEYS_DOWN },
		{ KEY_LEFT, KEYS_LEFT },       { KEY_RIGHT, KEYS_RIGHT },
		{ KEY_HOME, KEYS_HOME },       { KEY_END, KEYS_END },
		{ KEY_PPAGE, KEYS_PAGE_UP },   { KEY_NPAGE, KEYS_PAGE_DOWN },
		{ KEY_IC, KEYS_INSERT },       { KEY_DC, KEYS_DELETE },
		{ KEY_BTAB, KEYS_BACK_TAB },   { KEY_ENTER, KEYS_ENTER },
		{ KEY_BACKSPACE, KEYS_BACKSPACE },
	};

	if (key >= KEY_F(1) && key <= KEY_F(12))
		return KEYS_F1 + (int)(key - KEY_F(1));
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		if ((int)key == codes[i].curses)
			return codes[i].code;
	}
	return KEYS_NONE;
}

/* A character's key code; in a locale of bytes only ASCII's are any. */
static int char_code(const struct terminal *t, wint_t ch)
{
	if (ch == '\n')
		return KEYS_ENTER;
	if (ch == '\b')
		return KEYS_BACKSPACE;
	return ch > 0x7f && t->ascii ? KEYS_NONE : (int)ch;
}

/*
 * After an Esc that begins a sequence which terminfo does not know: take the
 * rest of it, or its letters would act as keys.  False where Esc was typed.
 */
static bool swallow_sequence(void)
{
	wint_t ch;
	int ret = get_wch(&ch);

	/* a key of its own, which came at once */
	if (ret == KEY_CODE_YES)
		ungetch((int)ch);
	if (ret != OK)
		return false;
	if (ch != '[' && ch != 'O') {
		unget_wch((wchar_t)ch);
		return false;
	}
	/* ECMA-48, 5.4: parameters up to a final byte from '@' to '~' */
	while (get_wch(&ch) == OK && (ch < '@' || ch > '~'))
		;
	return true;
}

static bool mouse_event(struct term_event *ev)
{
	MEVENT m;

	if (getmouse(&m) != OK)
		return false;
	ev->row = m.y;
	ev->col = m.x;
	ev->kind = TERM_WHEEL;
	if (m.bstate & BUTTON4_PRESSED)
		ev->by = -WHEEL_LINES;
	else if (m.bstate & BUTTON5_PRESSED)
		ev->by = WHEEL_LINES;
	else
		ev->kind = TERM_CLICK;
	return true;
}

bool term_next(struct terminal *t, struct term_event *ev)
{
	wint_t ch;
	int ret;

	while ((ret = get_wch(&ch)) != ERR) {
		*ev = (struct term_event){ .kind = TERM_KEY };
		if (ret == KEY_CODE_YES && ch == KEY_MOUSE) {
			if (mouse_event(ev))
				return true;
			continue;
		}
		if (ret == KEY_CODE_YES)
			ev->code = key_code(ch);
		else if (ch != KEYS_ESC || !swallow_sequence())
			ev->code = char_code(t, ch);
		if (ev->code != KEYS_NONE)
			return true;
	}
	return false;
}

void term_suspend(struct terminal *t)
{
	sigset_t stop, before;

	endwin();
	/*
	 * Not SIGSTOP: with its default action SIGTSTP does not stop a
	 * process that no shell could continue (setpgid(2), orphaned groups).
	 */
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	pthread_sigmask(SIG_UNBLOCK, &stop, &before);
	raise(SIGTSTP);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	term_resume(t);
}

void term_resume(struct terminal *t)
{
	reset_prog_mode();
	term_redraw(t);
}
