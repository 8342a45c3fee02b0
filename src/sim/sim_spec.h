/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of --sim: "cpus=N,rate=R,size=S,...", parsed. */
#ifndef RBTOP_SIM_SIM_SPEC_H
#define RBTOP_SIM_SIM_SPEC_H

#include <stdint.h>

struct err;

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
