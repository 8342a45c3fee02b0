/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics of the machine's rings. */
#ifndef RBTOP_EXPORT_OPENMETRICS_HOST_H
#define RBTOP_EXPORT_OPENMETRICS_HOST_H

struct host;
struct openmetrics_out;

/* Write what --host knows.  0, or -ENOMEM with part of it written. */
int openmetrics_host_put(const struct host *host,
			 const struct openmetrics_out *out);

#endif
