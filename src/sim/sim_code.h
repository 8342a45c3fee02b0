/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs that run on the simulated CPUs: their functions, with addresses,
 * calls and shares of time.  Made once, then read by any thread.
 */
#ifndef RBTOP_SIM_SIM_CODE_H
#define RBTOP_SIM_SIM_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "samples/symbol.h"

struct sim_code;

struct sim_function {
	const char *name, *dso;		/* valid as long as the code */
	enum symbol_kind kind;
	uint64_t addr;
};

/* Functions are sorted by address, and have this size in bytes. */
enum { SIM_CODE_FUNCTION = 0x400 };

enum { SIM_CODE_FRAMES = 32 };	/* most frames of a stack */

/* The stack of a sample: addresses, innermost first. */
struct sim_stack {
	uint64_t ips[SIM_CODE_FRAMES];
	unsigned int nr;
	unsigned int nr_kernel;		/* kernel frames, the first of them */
};

/* The names of the kinds of code, terminated by NULL. */
const char *const *sim_code_kinds(void);

/* The code of a kind (index).  NULL when out of memory. */
struct sim_code *sim_code_new(unsigned int kind);
void sim_code_free(struct sim_code *code);

/* The index of program @comm, for sim_code_pick(). */
unsigned int sim_code_program(const struct sim_code *code, const char *comm);

/*
 * A stack of the program, selected by @random, for sample number @turn; one
 * kind of code uses @turn instead.
 */
const struct sim_stack *sim_code_pick(const struct sim_code *code,
				      unsigned int program, uint32_t random,
				      uint64_t turn);

/* All functions; and the one at @addr, or NULL. */
const struct sim_function *sim_code_functions(const struct sim_code *code,
					      size_t *nr);
const struct sim_function *sim_code_find(const struct sim_code *code,
					 uint64_t addr);

#endif
