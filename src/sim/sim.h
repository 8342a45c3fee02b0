/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A simulated kernel: a writer thread acts as the kernel's side of the ring
 * protocol, on memory with the layout of perf's mappings, and the usual
 * collector reads it.  For demos without privileges, for tests, and for large
 * systems.
 */
#ifndef RBTOP_SIM_SIM_H
#define RBTOP_SIM_SIM_H

struct err;
struct source;
struct source_snapshots;

struct sim_opts {
	const char *spec;	/* "cpus=N,rate=R,size=S,watermark=B,..." (see
				 * sim_help) */
	double interval;	/* seconds between timer drains */
	double decode_rate;	/* samples decoded per second, of all rings; 0:
				 * none */
	const struct source_snapshots *snapshots;	/* NULL: only on
							 * request */
};

/*
 * NULL with @err: ERR_USAGE for bad syntax, with the valid keys; out of memory;
 * or something that the simulated kernel cannot do.
 */
struct source *sim_open(const struct sim_opts *opts, struct err *err);

/* One line per key, for the man page and -h. */
const char *sim_help(void);

#endif
