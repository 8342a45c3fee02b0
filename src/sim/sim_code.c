/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/sim_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FUNCTIONS = 256, NAME = 64, CALL_SITE = 0x40 };

struct path {
	const char *program;	/* NULL: any */
	unsigned int share;	/* percent of the program's time */
	const char *frames;
};

#define SIM_PATH(program, share, frames) { program, share, frames },
static const struct path typical[] = {
#include "sim/sim_code.def"
};
#undef SIM_PATH

/* Two functions with exact shares, for tests. */
static const struct path two[] = {
	{ NULL, 70, "_start main often" },
	{ NULL, 30, "_start main seldom" },
};

static const struct path turns[] = {
	{ NULL, 50, "_start main even" },
	{ NULL, 50, "_start main odd" },
};

enum kind { TYPICAL, TWO, TURNS };

static const char *const kind_names[] = { "typical", "two", "turns", NULL };

#define PATHS(array) array, sizeof(array) / sizeof((array)[0])
static const struct {
	const struct path *paths;
	size_t nr;
} kinds[] = {
	[TYPICAL] = { PATHS(typical) },
	[TWO] = { PATHS(two) },
	[TURNS] = { PATHS(turns) },
};

/* Location of functions, by the letter after the @. */
static const struct place {
	char letter;
	enum symbol_kind kind;
	const char *dso;	/* NULL: the program's own */
	uint64_t base;
} places[] = {
	{ '\0', SYMBOL_USER, NULL, 0x555555554000 },
	{ 'j', SYMBOL_JIT, "/tmp/perf-3377.map", 0x7f0100000000 },
	{ 'c', SYMBOL_USER, "/usr/lib/x86_64-linux-gnu/libc.so.6",
	  0x7f2a00000000 },
	{ 'v', SYMBOL_USER, "[vdso]", 0x7ffd10000000 },
	{ 'k', SYMBOL_KERNEL, "[kernel.kallsyms]", 0xffffffff81000000 },
};

enum { PLACES = sizeof(places) / sizeof(places[0]) };

struct function {
	char name[NAME], dso[NAME];
	const struct place *place;
};

struct sim_code {
	enum kind kind;
	struct function texts[MAX_FUNCTIONS];
	struct sim_function functions[MAX_FUNCTIONS];
	size_t nr_functions;
	struct sim_stack *stacks;	/* one for each path */
};

const char *const *sim_code_kinds(void)
{
	return kind_names;
}

static const struct place *find_place(char letter)
{
	for (int i = 1; i < PLACES; i++)
		if (places[i].letter == letter)
			return &places[i];
	return &places[0];
}

/* Split "name@place" of @program. */
static void parse_function(const char *text, size_t len, const char *program,
			   struct function *out)
{
	const char *at = memchr(text, '@', len);
	size_t name = at ? (size_t)(at - text) : len;

	out->place = find_place(at ? at[1] : '\0');
	snprintf(out->name, sizeof(out->name), "%.*s", (int)name, text);
	if (out->place->dso)
		snprintf(out->dso, sizeof(out->dso), "%s", out->place->dso);
	else
		snprintf(out->dso, sizeof(out->dso), "/usr/bin/%s",
			 program ? program : "twosym");
}

static void add_function(struct sim_code *code, const struct function *f)
{
	for (size_t i = 0; i < code->nr_functions; i++)
		if (strcmp(code->texts[i].name, f->name) == 0 &&
		    strcmp(code->texts[i].dso, f->dso) == 0)
			return;
	if (code->nr_functions < MAX_FUNCTIONS)
		code->texts[code->nr_functions++] = *f;
}

/* Call @fn for each function of a path, outermost first. */
static void walk_path(struct sim_code *code, const struct path *path,
		      struct sim_stack *stack,
		      void (*fn)(struct sim_code *code,
				 const struct function *f,
				 struct sim_stack *stack))
{
	const char *at = path->frames;

	while (*at) {
		size_t len = strcspn(at, " ");
		struct function f;

		parse_function(at, len, path->program, &f);
		fn(code, &f, stack);
		at += len + strspn(at + len, " ");
	}
}

static void collect(struct sim_code *code, const struct function *f,
		    struct sim_stack *stack)
{
	(void)stack;
	add_function(code, f);
}

/* By location, then by file, so that the functions of a file are adjacent. */
static int compare_functions(const void *a, const void *b)
{
	const struct function *x = a, *y = b;
	int order = strcmp(x->dso, y->dso);

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return order ? order : strcmp(x->name, y->name);
}

static void place_functions(struct sim_code *code)
{
	const struct place *place = NULL;
	uint64_t addr = 0;

	qsort(code->texts, code->nr_functions, sizeof(code->texts[0]),
	      compare_functions);
	for (size_t i = 0; i < code->nr_functions; i++) {
		struct function *f = &code->texts[i];

		if (f->place != place)
			addr = f->place->base;
		place = f->place;
		code->functions[i] = (struct sim_function){
			.name = f->name,
			.dso = f->dso,
			.kind = f->place->kind,
			.addr = addr,
		};
		addr += SIM_CODE_FUNCTION;
	}
}

static uint64_t address_of(const struct sim_code *code,
			   const struct function *f)
{
	for (size_t i = 0; i < code->nr_functions; i++)
		if (strcmp(code->functions[i].name, f->name) == 0 &&
		    strcmp(code->functions[i].dso, f->dso) == 0)
			return code->functions[i].addr;
	return 0;
}

/* Add a frame further in; those already there move outwards. */
static void stack_up(struct sim_code *code, const struct function *f,
		     struct sim_stack *stack)
{
	if (stack->nr == SIM_CODE_FRAMES)
		return;
	memmove(stack->ips + 1, stack->ips, stack->nr * sizeof(*stack->ips));
	stack->ips[0] = address_of(code, f) + CALL_SITE;
	stack->nr++;
	stack->nr_kernel += f->place->kind == SYMBOL_KERNEL;
}

struct sim_code *sim_code_new(unsigned int kind)
{
	struct sim_code *code = calloc(1, sizeof(*code));
	size_t nr = kinds[kind].nr;

	if (!code)
		return NULL;
	code->kind = (enum kind)kind;
	code->stacks = calloc(nr, sizeof(*code->stacks));
	if (!code->stacks) {
		free(code);
		return NULL;
	}
	for (size_t i = 0; i < nr; i++)
		walk_path(code, &kinds[kind].paths[i], NULL, collect);
	place_functions(code);
	for (size_t i = 0; i < nr; i++)
		walk_path(code, &kinds[kind].paths[i], &code->stacks[i],
			  stack_up);
	return code;
}

void sim_code_free(struct sim_code *code)
{
	if (!code)
		return;
	free(code->stacks);
	free(code);
}

unsigned int sim_code_program(const struct sim_code *code, const char *comm)
{
	const struct path *paths = kinds[code->kind].paths;
	unsigned int i;

	for (i = 0; i < kinds[code->kind].nr; i++)
		if (!paths[i].program || strcmp(paths[i].program, comm) == 0)
			return i;
	return 0;
}

/* A program's paths are adjacent, and their shares add up to 100 %. */
const struct sim_stack *sim_code_pick(const struct sim_code *code,
				      unsigned int program, uint32_t random,
				      uint64_t turn)
{
	const struct path *path = &kinds[code->kind].paths[program];
	uint32_t percent = (uint32_t)((uint64_t)random * 100 >> 32);
	unsigned int i = program;

	if (code->kind == TURNS)
		return &code->stacks[turn % 2];
	for (; percent >= path->share; path++, i++)
		percent -= path->share;
	return &code->stacks[i];
}

const struct sim_function *sim_code_functions(const struct sim_code *code,
					      size_t *nr)
{
	*nr = code->nr_functions;
	return code->functions;
}

static int compare_addr(const void *key, const void *element)
{
	const uint64_t *addr = key;
	const struct sim_function *f = element;

	if (*addr < f->addr)
		return -1;
	return *addr - f->addr >= SIM_CODE_FUNCTION;
}

const struct sim_function *sim_code_find(const struct sim_code *code,
					 uint64_t addr)
{
	return bsearch(&addr, code->functions, code->nr_functions,
		       sizeof(code->functions[0]), compare_addr);
}
