/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rings of the machine as text, 80 columns wide. */
#ifndef RBTOP_EXPORT_TEXT_HOST_H
#define RBTOP_EXPORT_TEXT_HOST_H

#include <stdio.h>

struct host;

/* What is watched and how, a table of the rings, and what is wrong. */
void text_host_put(const struct host *host, FILE *out);

#endif
