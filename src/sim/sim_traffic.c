/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/sim_traffic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/random.h"

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

enum code_kind { TYPICAL, TWO, TURNS };

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
	enum code_kind kind;
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
	code->kind = (enum code_kind)kind;
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

static const struct task {
	pid_t pid;
	char comm[16];
	char file[24];
} tasks[SIM_TRAFFIC_TASKS] = {
	{ 2741, "postgres", "/usr/bin/postgres" },
	{ 1893, "nginx", "/usr/sbin/nginx" },
	{ 4410, "redis-server", "/usr/bin/redis-server" },
	{ 3377, "java", "/usr/bin/java" },
	{ 912, "systemd-journal", "/usr/lib/journald" },
	{ 5120, "cc1", "/usr/lib/gcc/cc1" },
	{ 5133, "rsync", "/usr/bin/rsync" },
	{ 640, "sshd", "/usr/sbin/sshd" },
};

/* Number of each kind in 10000 records; the rest are samples. */
enum kind { COMM, MMAP2, FORK, EXIT, THROTTLE, SWITCH, KINDS };

static const char *const mix_names[] = {
	"samples", "normal", "tasks", "switches", "throttled", NULL,
};

static const uint16_t mixes[][KINDS] = {
	/* COMM MMAP2 FORK EXIT THROTTLE SWITCH */
	{ 0 },
	{ 20, 60, 20, 20, 0, 100 },
	{ 500, 1500, 500, 500, 0, 1000 },
	{ 0, 0, 0, 0, 0, 5000 },
	{ 20, 60, 20, 20, 20, 100 },
};

const char *const *sim_traffic_mixes(void)
{
	return mix_names;
}

void sim_traffic_init(struct sim_traffic *traffic, int cpu,
		      const struct sim_traffic_opts *opts)
{
	*traffic = (struct sim_traffic){
		.random = opts->seed ^ (uint64_t)cpu << 32,
		.opts = *opts,
	};
	traffic->first_task = (unsigned int)(random_next(&traffic->random) %
					     SIM_TRAFFIC_TASKS);
	for (int i = 0; i < SIM_TRAFFIC_TASKS; i++)
		traffic->programs[i] = sim_code_program(opts->code,
							tasks[i].comm);
}

double sim_traffic_random(struct sim_traffic *traffic)
{
	return (double)(random_next(&traffic->random) >> 11) * 0x1p-53;
}

/* A square of an even distribution prefers low indices: few tasks run most. */
static const struct task *pick_task(const struct sim_traffic *traffic,
				    uint8_t random)
{
	unsigned int i = (unsigned int)random * random *
			 SIM_TRAFFIC_TASKS >> 16;

	return &tasks[(traffic->first_task + i) % SIM_TRAFFIC_TASKS];
}

static enum kind pick_kind(const struct sim_traffic *traffic, uint16_t random)
{
	const uint16_t *mix = mixes[traffic->opts.mix];
	unsigned int left = random * 10000u >> 16;
	int kind;

	for (kind = 0; kind < KINDS && left >= mix[kind]; kind++)
		left -= mix[kind];
	return (enum kind)kind;
}

static enum sim_ring_result write_comm(struct sim_ring *ring,
				       struct sim_event *side_band,
				       const struct sim_context *by,
				       const struct task *task)
{
	struct {
		uint32_t pid, tid;
		char comm[16];
	} body = { .pid = (uint32_t)by->pid, .tid = (uint32_t)by->tid };

	memcpy(body.comm, task->comm, sizeof(body.comm));
	return sim_ring_record(ring, side_band, by, PERF_RECORD_COMM,
			       PERF_RECORD_MISC_COMM_EXEC, &body, sizeof(body));
}

static enum sim_ring_result write_mmap2(struct sim_ring *ring,
					struct sim_event *side_band,
					const struct sim_context *by,
					const struct task *task)
{
	struct {
		uint32_t pid, tid;
		uint64_t addr, len, pgoff;
		uint32_t major, minor;
		uint64_t inode, generation;
		uint32_t prot, flags;
		char file[24];
	} body = {
		.pid = (uint32_t)by->pid,
		.tid = (uint32_t)by->tid,
		.addr = 0x555555554000,
		.len = 0x21000,
		.major = 8,
		.minor = 1,
		.inode = (uint64_t)by->pid,
		.prot = 5,	/* PROT_READ | PROT_EXEC */
		.flags = 2,	/* MAP_PRIVATE */
	};

	memcpy(body.file, task->file, sizeof(body.file));
	return sim_ring_record(ring, side_band, by, PERF_RECORD_MMAP2,
			       PERF_RECORD_MISC_USER, &body, sizeof(body));
}

/* FORK and EXIT have the same layout. */
static enum sim_ring_result write_task(struct sim_ring *ring,
				       struct sim_event *side_band,
				       const struct sim_context *by,
				       uint32_t type)
{
	struct {
		uint32_t pid, ppid, tid, ptid;
		uint64_t time;
	} body = {
		.pid = (uint32_t)by->pid,
		.ppid = 1,
		.tid = (uint32_t)by->tid,
		.ptid = (uint32_t)by->pid,
		.time = by->time,
	};

	return sim_ring_record(ring, side_band, by, type, 0, &body,
			       sizeof(body));
}

/* Alternately THROTTLE and UNTHROTTLE, of the event @id. */
static enum sim_ring_result write_throttle(struct sim_traffic *traffic,
					   struct sim_ring *ring,
					   struct sim_event *side_band,
					   const struct sim_context *by,
					   uint64_t id)
{
	uint64_t body[3] = { by->time, id, id };
	uint32_t type = traffic->throttled ? PERF_RECORD_UNTHROTTLE
					   : PERF_RECORD_THROTTLE;

	traffic->throttled = !traffic->throttled;
	return sim_ring_record(ring, side_band, by, type, 0, body,
			       sizeof(body));
}

static enum sim_ring_result write_switch(struct sim_traffic *traffic,
					 struct sim_ring *ring,
					 struct sim_event *side_band,
					 const struct sim_context *by)
{
	traffic->switched_out = !traffic->switched_out;
	return sim_ring_record(ring, side_band, by, PERF_RECORD_SWITCH,
			       traffic->switched_out ?
				       PERF_RECORD_MISC_SWITCH_OUT : 0,
			       NULL, 0);
}

/*
 * Frames of @stack with their context markers, innermost first: the kernel's,
 * then the user's (perf_callchain()).  @ip is the innermost address.
 */
static size_t make_chain(const struct sim_stack *stack, uint64_t ip,
			 unsigned int max, uint64_t *chain)
{
	unsigned int frames = MIN(stack->nr, max);
	size_t nr = 0;

	for (unsigned int i = 0; i < frames; i++) {
		if (i == 0 && stack->nr_kernel)
			chain[nr++] = PERF_CONTEXT_KERNEL;
		if (i == stack->nr_kernel)
			chain[nr++] = PERF_CONTEXT_USER;
		chain[nr++] = i ? stack->ips[i] : ip;
	}
	return nr;
}

static enum sim_ring_result write_sample(struct sim_traffic *traffic,
					 struct sim_ring *ring,
					 struct sim_event *event,
					 const struct sim_context *by,
					 const struct task *task,
					 uint64_t period)
{
	uint64_t random = random_next(&traffic->random);
	unsigned int program = traffic->programs[task - tasks];
	const struct sim_stack *stack =
		sim_code_pick(traffic->opts.code, program, (uint32_t)random,
			      traffic->samples++);
	uint64_t chain[SIM_CODE_FRAMES + 2];
	struct sim_sample sample = {
		/* random address in the function */
		.ip = (stack->ips[0] & -(uint64_t)SIM_CODE_FUNCTION) +
		      (random >> 32) % SIM_CODE_FUNCTION,
		.misc = stack->nr_kernel ? PERF_RECORD_MISC_KERNEL
					 : PERF_RECORD_MISC_USER,
		.period = period,
		.size = traffic->opts.record,
	};

	if (traffic->opts.chain) {
		sample.chain = chain;
		sample.nr_chain = make_chain(stack, sample.ip,
					     traffic->opts.chain, chain);
	}
	return sim_ring_sample(ring, event, by, &sample);
}

enum sim_ring_result sim_traffic_next(struct sim_traffic *traffic,
				      struct sim_ring *ring,
				      struct sim_event *events, size_t nr,
				      uint64_t period, uint64_t time)
{
	uint64_t random = random_next(&traffic->random);
	const struct task *task = pick_task(traffic, (uint8_t)(random >> 16));
	struct sim_context by = {
		.pid = task->pid,
		.tid = task->pid +
		       (pid_t)((random >> 24) % SIM_TRAFFIC_THREADS),
		.time = time,
	};
	struct sim_event *event = &events[1 + (random >> 32) % (nr - 1)];

	switch (pick_kind(traffic, (uint16_t)random)) {
	case COMM:
		return write_comm(ring, events, &by, task);
	case MMAP2:
		return write_mmap2(ring, events, &by, task);
	case FORK:
		return write_task(ring, events, &by, PERF_RECORD_FORK);
	case EXIT:
		return write_task(ring, events, &by, PERF_RECORD_EXIT);
	case THROTTLE:
		return write_throttle(traffic, ring, events, &by, event->id);
	case SWITCH:
		return write_switch(traffic, ring, events, &by);
	case KINDS:
		break;
	}
	return write_sample(traffic, ring, event, &by, task, period);
}

void sim_traffic_tell(struct sim_ring *ring, struct sim_event *side_band,
		      uint64_t time)
{
	for (int i = 0; i < SIM_TRAFFIC_TASKS; i++) {
		struct sim_context by = {
			.pid = tasks[i].pid, .tid = tasks[i].pid, .time = time,
		};

		write_mmap2(ring, side_band, &by, &tasks[i]);
		for (int k = 0; k < SIM_TRAFFIC_THREADS; k++, by.tid++)
			write_comm(ring, side_band, &by, &tasks[i]);
	}
}

const char *sim_traffic_comm(pid_t pid)
{
	for (int i = 0; i < SIM_TRAFFIC_TASKS; i++)
		if (tasks[i].pid == pid)
			return tasks[i].comm;
	return NULL;
}
