/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A simulated kernel: a writer thread acts as the kernel's side of the ring
 * protocol, on memory with the layout of perf's mappings, and the usual
 * collector reads it.  For demos without privileges, for tests, and for large
 * systems.
 */
#ifndef RBTOP_SIM_SIM_H
#define RBTOP_SIM_SIM_H

#include <stdint.h>

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

/* The options of --sim: "cpus=N,rate=R,size=S,...", parsed.  (sim_spec.c) */

enum sim_reader {
	SIM_READER_NORMAL,
	SIM_READER_SLOW,	/* woken late */
	SIM_READER_STUCK,	/* never woken, and its timer does not fire */
};

#define SIM_KEY(name, kind, min, max, preset, help) uint64_t name;
struct sim_spec {
#include "sim/sim_keys.def"
};
#undef SIM_KEY

/*
 * Parse @text into @spec; missing keys get their defaults.  0, or -EINVAL with
 * @err (ERR_USAGE), which lists the valid keys if one is unknown.
 */
int sim_spec_parse(struct sim_spec *spec, const char *text, struct err *err);

/*
 * Check that a watermark of spec->watermark bytes (0: half) can be crossed in a
 * ring of @size.  0, or -EINVAL with @err (ERR_USAGE).
 */
int sim_spec_check_watermark(const struct sim_spec *spec, uint64_t size,
			     struct err *err);

#endif
