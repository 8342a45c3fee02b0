/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs that run on the simulated CPUs: which functions they are made
 * of, where these lie, which call which, and how much time goes where.  Made
 * once, then read by any thread.
 */
#ifndef RBTOP_SIM_SIM_CODE_H
#define RBTOP_SIM_SIM_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "samples/symbol.h"

struct sim_code;

struct sim_function {
	const char *name, *dso;		/* live as long as the code */
	enum symbol_kind kind;
	uint64_t addr;
};

/* Functions stand in the order of their addresses, each of so many bytes. */
enum { SIM_CODE_FUNCTION = 0x400 };

enum { SIM_CODE_FRAMES = 32 };	/* most that are on a stack */

/* Where a sample was taken: addresses, innermost first. */
struct sim_stack {
	uint64_t ips[SIM_CODE_FRAMES];
	unsigned int nr;
	unsigned int nr_kernel;		/* of them, the first ones */
};

/* The names of the kinds of code, NULL behind the last. */
const char *const *sim_code_kinds(void);

/* The code of that kind (an index).  NULL when out of memory. */
struct sim_code *sim_code_new(unsigned int kind);
void sim_code_free(struct sim_code *code);

/* The program @comm, for sim_code_pick(). */
unsigned int sim_code_program(const struct sim_code *code, const char *comm);

/*
 * What the program does at a moment picked by @random, after @turn earlier
 * ones: of one kind of code it goes by turns.
 */
const struct sim_stack *sim_code_pick(const struct sim_code *code,
				      unsigned int program, uint32_t random,
				      uint64_t turn);

/* All functions; and the one at @addr, NULL where there is none. */
const struct sim_function *sim_code_functions(const struct sim_code *code,
					      size_t *nr);
const struct sim_function *sim_code_find(const struct sim_code *code,
					 uint64_t addr);

#endif
