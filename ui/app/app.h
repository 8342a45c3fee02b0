/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interactive front end: a loop over the terminal, the clock, signals and
 * the source.  It draws frames and turns keys into actions and requests.
 * main() calls it through front_end_screen.
 */
#ifndef RBTOP_UI_APP_APP_H
#define RBTOP_UI_APP_APP_H

#include <stdio.h>

struct frame;

/* front_end_screen.report, which needs no terminal.  (app_request.c) */
void app_report(const struct frame *frame, FILE *out);

#endif
