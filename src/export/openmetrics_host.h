/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rings of the machine as metrics. */
#ifndef RBTOP_EXPORT_OPENMETRICS_HOST_H
#define RBTOP_EXPORT_OPENMETRICS_HOST_H

struct host;
struct openmetrics_out;

/* What --host knows.  0, or -ENOMEM with some of it written. */
int openmetrics_host_put(const struct host *host,
			 const struct openmetrics_out *out);

#endif
