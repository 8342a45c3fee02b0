/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --host: all rings of the machine and none of rbtop's own.  Opens no event, so
 * its frames have no rings except those of frame->host.
 */
#ifndef RBTOP_SOURCE_HOST_SOURCE_H
#define RBTOP_SOURCE_HOST_SOURCE_H

#include "host/host_watch.h"

struct err;
struct source;

/*
 * Starting the source waits for the first pass over the machine, at most
 * @patience seconds.  NULL with @err.
 */
struct source *host_source_open(const struct host_watch_opts *opts,
				double patience, struct err *err);

#endif
