/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A simulated kernel: a writer thread plays the kernel's side of the ring
 * protocol on memory laid out like perf's mappings, and the same collector
 * reads it.  For the demo without privileges, for tests, for scale.
 */
#ifndef RBTOP_SOURCE_SIM_H
#define RBTOP_SOURCE_SIM_H

struct err;
struct source;

/*
 * @spec: "cpus=N,rate=R,size=S,watermark=B,reader=slow,..." (see sim_help).
 * Rings are looked at every @interval seconds; of all rings together
 * @decode_rate samples a second are decoded (0: none).  NULL with @err
 * (ERR_USAGE for bad syntax, naming the valid keys).
 */
struct source *sim_open(const char *spec, double interval, double decode_rate,
			struct err *err);

/* One line per key, for the man page and -h. */
const char *sim_help(void);

#endif
