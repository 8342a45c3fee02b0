/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rings of the machine as OpenMetrics. */
#ifndef RBTOP_EXPORT_OPENMETRICS_HOST_H
#define RBTOP_EXPORT_OPENMETRICS_HOST_H

#include <stdio.h>

struct host;

void openmetrics_host_put(const struct host *host, FILE *out);

#endif
