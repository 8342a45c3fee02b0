/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The terminal as rbtop --doctor sees it; filled by the front end. */
#ifndef RBTOP_DOCTOR_DOCTOR_TERMINAL_H
#define RBTOP_DOCTOR_DOCTOR_TERMINAL_H

#include <stdbool.h>

struct doctor_terminal {
	bool is_terminal;	/* standard output is one */
	char type[64];		/* TERM, sanitized; "": not set */
	bool known;		/* terminfo has it, and can place its cursor */
	int colours;		/* 0: none */
	bool no_color;		/* NO_COLOR is set, and not empty */
	bool mouse;
	bool utf8;		/* the locale's character set */
	int rows, cols;		/* 0: unknown */
};

#endif
