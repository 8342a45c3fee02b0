/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/sim_traffic.h"

#include <string.h>

static const struct task {
	pid_t pid;
	char comm[16];
	char file[24];
} tasks[] = {
	{ 2741, "postgres", "/usr/bin/postgres" },
	{ 1893, "nginx", "/usr/sbin/nginx" },
	{ 4410, "redis-server", "/usr/bin/redis-server" },
	{ 3377, "java", "/usr/bin/java" },
	{ 912, "systemd-journal", "/usr/lib/journald" },
	{ 5120, "cc1", "/usr/lib/gcc/cc1" },
	{ 5133, "rsync", "/usr/bin/rsync" },
	{ 640, "sshd", "/usr/sbin/sshd" },
};

enum { TASKS = sizeof(tasks) / sizeof(tasks[0]) };

/* Of 10000 records, so many of each kind; the rest are samples. */
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

/* Sebastiano Vigna's splitmix64: one word of state, every seed is good. */
static uint64_t next_random(struct sim_traffic *traffic)
{
	uint64_t z = traffic->random += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

void sim_traffic_init(struct sim_traffic *traffic, uint64_t seed, int cpu,
		      unsigned int mix, size_t record)
{
	*traffic = (struct sim_traffic){
		.random = seed ^ (uint64_t)cpu << 32,
		.mix = mix,
		.record = record,
	};
	traffic->first_task = (unsigned int)(next_random(traffic) % TASKS);
}

double sim_traffic_random(struct sim_traffic *traffic)
{
	return (double)(next_random(traffic) >> 11) * 0x1p-53;
}

/* Few tasks do most: the square of an even number leans to the first. */
static const struct task *pick_task(const struct sim_traffic *traffic,
				    uint8_t random)
{
	unsigned int i = (unsigned int)random * random * TASKS >> 16;

	return &tasks[(traffic->first_task + i) % TASKS];
}

static enum kind pick_kind(const struct sim_traffic *traffic, uint16_t random)
{
	const uint16_t *mix = mixes[traffic->mix];
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

/* FORK and EXIT are laid out alike. */
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

/* About the event @id; a THROTTLE and an UNTHROTTLE take turns. */
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

enum sim_ring_result sim_traffic_next(struct sim_traffic *traffic,
				      struct sim_ring *ring,
				      struct sim_event *events, size_t nr,
				      uint64_t period, uint64_t time)
{
	uint64_t random = next_random(traffic);
	const struct task *task = pick_task(traffic, (uint8_t)(random >> 16));
	struct sim_context by = {
		.pid = task->pid,
		.tid = task->pid + (pid_t)(random >> 24 & 3),
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
	return sim_ring_sample(ring, event, &by, 0x555555554000 +
			       (random >> 44), period, traffic->record);
}

const char *sim_traffic_comm(pid_t pid)
{
	for (int i = 0; i < TASKS; i++)
		if (tasks[i].pid == pid)
			return tasks[i].comm;
	return NULL;
}
