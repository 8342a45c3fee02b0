/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/term/term_curses.h"

/* functions, not macros, which cause conversion warnings */
#define NCURSES_NOMACROS 1
#include <curses.h>

#include <errno.h>
#include <langinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/array.h"
#include "base/err.h"
#include "base/text.h"
#include "doctor/doctor.h"
#include "ui/draw/theme.h"
#include "ui/kit/keys.h"
#include "ui/term/watchdog.h"

/* last, since it defines macros such as "tab" and "columns" */
#include <term.h>

enum { ESCAPE_DELAY_MS = 25, WHEEL_LINES = 3 };

/* How a role is drawn. */
struct style {
	attr_t attr;
	short pair;		/* curses', of two colours */
};

struct pair {
	int fg, bg;		/* colours, as in struct theme_style */
};

struct terminal {
	SCREEN *screen;
	struct termios modes;	/* as they were */
	bool ascii;
	enum theme_depth depth;
	bool whole;		/* send all of the next canvas */
	bool sgr;		/* ask for SGR mouse reports: curses does not */
	bool mouse;		/* taken */
	struct pair *pairs;	/* of colours, from curses' pair 1 on */
	size_t nr_pairs, pairs_cap;
	struct style styles[ROLES];
	struct style selected[ROLES];	/* the same with the background */
	struct canvas *shown;	/* what the screen holds; NULL: unknown */
};

#define REMEDY	"use -b to run without a screen"

static bool is_string(const char *capability)
{
	return capability && capability != (char *)-1;
}

/* Check that terminfo knows @term and can place its cursor.  0 or -errno. */
static int check_type(const char *term, struct err *err)
{
	int status = 0;
	bool can_move;

	/* without a status pointer it would exit on errors */
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

static bool no_colour_wanted(void)
{
	const char *no_color = getenv("NO_COLOR");

	return no_color && *no_color;
}

/* Whether the locale's character set has more than ASCII to draw with. */
static bool has_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

void term_describe(struct doctor_terminal *terminal)
{
	const char *term = getenv("TERM");
	struct winsize size;
	int status = 0;

	*terminal = (struct doctor_terminal){
		.is_terminal = isatty(STDOUT_FILENO),
		.no_color = no_colour_wanted(),
		.utf8 = has_utf8(),
	};
	text_copy(terminal->type, sizeof(terminal->type), term ? term : "");
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
		terminal->rows = size.ws_row;
		terminal->cols = size.ws_col;
	}
	if (!terminal->type[0] ||
	    setupterm(NULL, STDOUT_FILENO, &status) != OK)
		return;
	terminal->known = is_string(tigetstr("cup"));
	terminal->colours = tigetnum("colors");
	if (terminal->colours < 0)
		terminal->colours = 0;
	terminal->mouse = is_string(tigetstr("kmous"));
	del_curterm(cur_term);
}

/* The output of tputs(), whose callback takes no context. */
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
 * Where terminfo has only X10 reports, whose bytes end at column 223 and are no
 * UTF-8 from column 96 on, as of screen and tmux, curses asks for those; SGR
 * reports as well, which terminals prefer if they know them, are asked for and
 * read here.
 */
static bool has_no_sgr(void)
{
	const char *report = tigetstr("kmous");

	return is_string(report) && strcmp(report, "\033[M") == 0;
}

static void ask_sgr(const struct terminal *t, bool on)
{
	if (!t->sgr)
		return;
	fputs(on ? "\033[?1006h" : "\033[?1006l", stdout);
	fflush(stdout);
}

/*
 * Write the sequences that restore the terminal to @buf: mouse, colours,
 * keypad, cursor, the previous screen.
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

/* Curses' pair of two colours; 0, the terminal's own, if there is no room. */
static short pair_of(struct terminal *t, int fg, int bg)
{
	struct pair *pair;

	if (fg == THEME_OWN && bg == THEME_OWN)
		return 0;
	for (size_t i = 0; i < t->nr_pairs; i++) {
		if (t->pairs[i].fg == fg && t->pairs[i].bg == bg)
			return (short)(i + 1);
	}
	if (t->nr_pairs + 1 >= (size_t)COLOR_PAIRS)
		return 0;
	pair = array_add(t->pairs, t->nr_pairs, t->pairs_cap);
	if (!pair)
		return 0;
	*pair = (struct pair){ fg, bg };
	init_extended_pair((int)t->nr_pairs, fg, bg);
	return (short)t->nr_pairs;
}

static struct style curses_style(struct terminal *t, struct theme_style from)
{
	static const struct {
		unsigned int attr;
		attr_t curses;
	} attrs[] = {
		{ THEME_BOLD, A_BOLD },
		{ THEME_DIM, A_DIM },
		{ THEME_UNDERLINE, A_UNDERLINE },
		{ THEME_REVERSE, A_REVERSE },
	};
	struct style style = { .pair = pair_of(t, from.fg, from.bg) };

	for (size_t i = 0; i < sizeof(attrs) / sizeof(attrs[0]); i++)
		style.attr |= from.attr & attrs[i].attr ? attrs[i].curses : 0;
	return style;
}

void term_set_scheme(struct terminal *t, enum config_scheme scheme)
{
	t->nr_pairs = 0;
	for (int i = 0; i < ROLES; i++) {
		enum role role = (enum role)i;

		t->styles[i] = curses_style(t, theme_style(scheme, role, false,
							   t->depth));
		t->selected[i] = curses_style(t, theme_style(scheme, role, true,
							     t->depth));
	}
	term_redraw(t);
}

void term_set_mouse(struct terminal *t, bool on)
{
	t->mouse = on;
	mousemask(on ? BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0,
		  NULL);
	ask_sgr(t, on);
}

/* The colours to use: none with NO_COLOR (no-color.org). */
static enum theme_depth start_colours(void)
{
	if (no_colour_wanted() || !has_colors())
		return THEME_NO_COLOURS;
	/* from then on colour -1 is the terminal's default */
	if (start_color() != OK || use_default_colors() != OK)
		return THEME_NO_COLOURS;
	return theme_depth(COLORS);
}

static void set_up_curses(struct terminal *t)
{
	struct sigaction stop = { .sa_handler = SIG_DFL };

	/* newterm() has replaced the default action, which term_suspend()
	 * needs */
	sigaction(SIGTSTP, &stop, NULL);
	cbreak();
	noecho();
	nonl();
	nodelay(stdscr, TRUE);
	keypad(stdscr, TRUE);
	leaveok(stdscr, FALSE);
	mouseinterval(0);
	t->depth = start_colours();
}

/*
 * The type of a terminal that shows true colour, or NULL.  Emulators say in
 * COLORTERM that they do; terminfo describes them under another name, such as
 * xterm-direct for xterm-256color, which a system may not have.
 */
static const char *direct_type(char *buf, size_t size)
{
	const char *claim = getenv("COLORTERM"), *term = getenv("TERM");
	const char *tail;
	int status = 0, base;

	if (!term || !claim ||
	    (strcmp(claim, "truecolor") && strcmp(claim, "24bit")))
		return NULL;
	tail = strstr(term, "-256color");
	base = tail ? (int)(tail - term) : (int)strlen(term);
	if ((size_t)snprintf(buf, size, "%.*s-direct", base, term) >= size)
		return NULL;
	if (setupterm(buf, STDOUT_FILENO, &status) != OK)
		return NULL;
	del_curterm(cur_term);
	return buf;
}

struct terminal *term_open(bool ascii, enum config_scheme scheme,
		       struct err *err)
{
	struct terminal *t = calloc(1, sizeof(*t));
	char leave[256], type[64];

	if (!t) {
		err_set(err, -ENOMEM, "screen: out of memory");
		return NULL;
	}
	t->ascii = ascii || !has_utf8();
	if (tcgetattr(STDOUT_FILENO, &t->modes) < 0) {
		err_set(err, -errno, "modes of the terminal: %s; " REMEDY,
			strerror(errno));
		free(t);
		return NULL;
	}
	set_escdelay(ESCAPE_DELAY_MS);
	t->screen = newterm(direct_type(type, sizeof(type)), stdout, stdin);
	if (!t->screen) {
		err_set(err, -EIO, "curses cannot use this terminal; "
			REMEDY);
		free(t);
		return NULL;
	}
	t->sgr = has_no_sgr();
	leave_sequence(leave, sizeof(leave));
	watchdog_guard(STDOUT_FILENO, &t->modes, leave);
	set_up_curses(t);
	term_set_scheme(t, scheme);
	return t;
}

void term_close(struct terminal *t)
{
	if (!t)
		return;
	ask_sgr(t, false);
	endwin();
	/* Without a second screen the cursor is on the last line drawn. */
	if (!is_string(exit_ca_mode)) {
		fputs("\n", stdout);
		fflush(stdout);
	}
	watchdog_release();
	delscreen(t->screen);
	canvas_free(t->shown);
	free(t->pairs);
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

bool term_is_multiplexed(void)
{
	const char *tmux = getenv("TMUX"), *term = getenv("TERM");

	return (tmux && *tmux) || (term && (strncmp(term, "tmux", 4) == 0 ||
					    strncmp(term, "screen", 6) == 0));
}

void term_copy(const char *text)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t len = strlen(text);

	fputs("\033]52;c;", stdout);
	for (size_t i = 0; i < len; i += 3) {
		unsigned int three = 0;

		for (size_t n = 0; n < 3; n++)
			three = three << 8 |
				(i + n < len ? (unsigned char)text[i + n] : 0);
		for (size_t n = 0; n < 4; n++)
			putchar(i + n <= len ?
				digits[three >> (18 - 6 * n) & 63] : '=');
	}
	fputs("\a", stdout);
	fflush(stdout);
}

static void put_cell(const struct terminal *t, int row, int col,
		     const struct cell *cell)
{
	const struct style *style = cell->selected ? &t->selected[cell->role] :
						   &t->styles[cell->role];
	wchar_t text[2] = { (wchar_t)cell->ch, L'\0' };
	attr_t attr = style->attr;
	cchar_t cc;

	if (cell->reverse)
		attr ^= A_REVERSE;
	if (setcchar(&cc, text, attr, style->pair, NULL) == OK)
		mvadd_wchnstr(row, col, &cc, 1);
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
	return a->ch == b->ch && a->role == b->role &&
	       a->reverse == b->reverse && a->selected == b->selected;
}

/* Put the cells that changed: curses compares too, but at a higher cost. */
static void put_row(const struct terminal *t, const struct canvas *c, int row)
{
	size_t at = (size_t)row * (size_t)c->cols;
	const struct cell *now = &c->cells[at];
	const struct cell *before = t->whole ? NULL : &t->shown->cells[at];

	for (int col = 0; col < c->cols; col++) {
		/*
		 * ch 0, a right half, is put with its left half.  A left half
		 * is overwritten when its right half becomes a character.
		 */
		if (now[col].ch &&
		    (!before || !same_cell(&now[col], &before[col]) ||
		     (col + 1 < c->cols && before[col + 1].ch == 0 &&
		      now[col + 1].ch != 0)))
			put_cell(t, row, col, &now[col]);
	}
}

/* Keep a copy of the canvas shown, to compare the next one with. */
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

/* Translate a curses key code; KEYS_NONE if there is no code for it. */
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
		/* Home and End as VT220 names them; of the number pad */
		{ KEY_FIND, KEYS_HOME },       { KEY_SELECT, KEYS_END },
		{ KEY_A1, KEYS_HOME },	       { KEY_C1, KEYS_END },
		{ KEY_A3, KEYS_PAGE_UP },      { KEY_C3, KEYS_PAGE_DOWN },
		{ KEY_LL, KEYS_END },
	};

	if (key >= KEY_F(1) && key <= KEY_F(12))
		return KEYS_F1 + (int)(key - KEY_F(1));
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		if ((int)key == codes[i].curses)
			return codes[i].code;
	}
	return KEYS_NONE;
}

/* The key code of a character; on an ASCII terminal KEYS_NONE beyond ASCII. */
static int char_code(const struct terminal *t, wint_t ch)
{
	if (ch == '\n')
		return KEYS_ENTER;
	if (ch == '\b')
		return KEYS_BACKSPACE;
	return ch > 0x7f && t->ascii ? KEYS_NONE : (int)ch;
}

/*
 * The key of a sequence Esc [ or Esc O that ends in @final, as terminals of all
 * kinds send them, whatever TERM says: \e[H, \eOH, \e[1~ (VT220, Linux), \e[7~
 * (rxvt).  KEYS_NONE: no such key.
 */
static int sequence_code(int number, wint_t final)
{
	static const struct {
		char final;
		int number;	/* the first parameter; 0: any */
		int code;
	} keys[] = {
		{ 'A', 0, KEYS_UP },	{ 'B', 0, KEYS_DOWN },
		{ 'C', 0, KEYS_RIGHT }, { 'D', 0, KEYS_LEFT },
		{ 'H', 0, KEYS_HOME },	{ 'F', 0, KEYS_END },
		{ '~', 1, KEYS_HOME },	{ '~', 4, KEYS_END },
		{ '~', 7, KEYS_HOME },	{ '~', 8, KEYS_END },
		{ '~', 2, KEYS_INSERT }, { '~', 3, KEYS_DELETE },
		{ '~', 5, KEYS_PAGE_UP }, { '~', 6, KEYS_PAGE_DOWN },
		{ 'Z', 0, KEYS_BACK_TAB },
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if ((wint_t)keys[i].final == final &&
		    (!keys[i].number || keys[i].number == number))
			return keys[i].code;
	}
	return KEYS_NONE;
}

/* A mouse report \e[<button;column;rowM, with m for a release: only what the
 * app takes, with any of Shift, Alt and Ctrl. */
static bool sgr_event(const int *numbers, wint_t final, struct term_event *ev)
{
	enum { MODIFIERS = 4 | 8 | 16, WHEEL = 64 };
	int button = numbers[0] & ~MODIFIERS;

	if (final != 'M' || numbers[1] < 1 || numbers[2] < 1)
		return false;
	*ev = (struct term_event){
		.kind = button ? TERM_WHEEL : TERM_CLICK,
		.row = numbers[2] - 1,
		.col = numbers[1] - 1,
		.by = button == WHEEL ? -WHEEL_LINES :
		      button ? WHEEL_LINES : 0,
	};
	return !button || button == WHEEL || button == WHEEL + 1;
}

enum { NUMBERS = 3, MAX_NUMBER = 9999 };

/*
 * The parameters of a sequence up to its final byte; a private one has '<' in
 * front.  What curses has not read yet arrives within the delay of Esc: the
 * rest would act as keys.  ERR if the sequence does not end.
 */
static int read_numbers(int *numbers, bool *private, wint_t *final)
{
	size_t nr = 0;
	bool known = true;
	wint_t ch;
	int ret;

	timeout(ESCAPE_DELAY_MS);
	/* ECMA-48, 5.4: parameters up to a final byte from '@' to '~' */
	for (int i = 0; (ret = get_wch(&ch)) == OK && (ch < '@' || ch > '~');
	     i++) {
		if (i == 0 && ch == '<')
			*private = true;
		else if (ch == ';')
			nr++;
		else
			known = known && ch >= '0' && ch <= '9';
		if (known && nr < NUMBERS && ch >= '0' && ch <= '9' &&
		    numbers[nr] < MAX_NUMBER)
			numbers[nr] = numbers[nr] * 10 + (int)(ch - '0');
	}
	nodelay(stdscr, TRUE);
	*final = ch;
	return ret;
}

/*
 * After Esc: the key, or the mouse report, of a sequence that terminfo does not
 * know.  An unknown one is discarded, since its letters would act as keys:
 * KEYS_NONE.  KEYS_ESC if Esc itself was typed.
 */
static void read_sequence(struct term_event *ev)
{
	int numbers[NUMBERS] = { 0 }, ret;
	bool private = false;
	wint_t ch;

	ev->code = KEYS_ESC;
	ret = get_wch(&ch);
	/* another key, which arrived right after Esc */
	if (ret == KEY_CODE_YES)
		ungetch((int)ch);
	if (ret != OK)
		return;
	if (ch != '[' && ch != 'O') {
		unget_wch((wchar_t)ch);
		return;
	}
	ev->code = KEYS_NONE;
	if (read_numbers(numbers, &private, &ch) != OK)
		return;
	if (!private)
		ev->code = sequence_code(numbers[0], ch);
	else if (!sgr_event(numbers, ch, ev))
		*ev = (struct term_event){ .code = KEYS_NONE };
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
		else if (ch == KEYS_ESC)
			read_sequence(ev);
		else
			ev->code = char_code(t, ch);
		if (ev->kind != TERM_KEY || ev->code != KEYS_NONE)
			return true;
	}
	return false;
}

void term_suspend(struct terminal *t)
{
	sigset_t stop, before;

	ask_sgr(t, false);
	endwin();
	/*
	 * Not SIGSTOP: the default action of SIGTSTP does not stop a process
	 * that no shell could continue (setpgid(2), orphaned process groups).
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
	ask_sgr(t, t->mouse);
	term_redraw(t);
}
