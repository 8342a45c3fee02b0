/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RBTOP_SIM_SIM_REQUEST_H
#define RBTOP_SIM_SIM_REQUEST_H

struct err;
struct request;
struct source;

/* See struct source_ops. */
int sim_request(struct source *source, const struct request *rq,
		struct err *err);

#endif
