/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine's rings as text. */
#ifndef RBTOP_EXPORT_TEXT_HOST_H
#define RBTOP_EXPORT_TEXT_HOST_H

#include <stdio.h>

struct host;

/* What is monitored and how, a table of the rings, and warnings. */
void text_host_put(const struct host *host, FILE *out);

#endif
