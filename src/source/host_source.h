/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --host: every ring of the machine and none of rbtop's own.  Opens no event,
 * so its frames have no rings but those of frame->host.
 */
#ifndef RBTOP_SOURCE_HOST_SOURCE_H
#define RBTOP_SOURCE_HOST_SOURCE_H

#include "host/host_watch.h"

struct err;
struct source;

/*
 * Starting it waits for the first look at the machine, up to @patience
 * seconds.  NULL with @err.
 */
struct source *host_source_open(const struct host_watch_opts *opts,
				double patience, struct err *err);

#endif
