/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A simulated kernel: a writer thread plays the kernel's side of the ring
 * protocol on memory laid out like perf's mappings, and the same collector
 * reads it.  For the demo without privileges, for tests, for scale.
 */
#ifndef RBTOP_SIM_SIM_H
#define RBTOP_SIM_SIM_H

struct err;
struct source;
struct source_snapshots;

struct sim_opts {
	const char *spec;	/* "cpus=N,rate=R,size=S,watermark=B,..." (see
				 * sim_help) */
	double interval;	/* seconds between looks at the rings */
	double decode_rate;	/* samples a second to decode, of all rings
				 * together; 0: none */
	const struct source_snapshots *snapshots;	/* NULL: by request
							 * alone */
};

/*
 * NULL with @err: ERR_USAGE for bad syntax, naming the valid keys; or what
 * there is no memory for, or a simulated kernel cannot do.
 */
struct source *sim_open(const struct sim_opts *opts, struct err *err);

/* One line per key, for the man page and -h. */
const char *sim_help(void);

#endif
