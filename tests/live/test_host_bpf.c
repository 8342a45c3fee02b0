/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rings as read from the kernel by BPF iterators, compared with the owner's own
 * mapping.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "perf/tracepoint/tracefs.h"
#include "tests/live/host_rig.h"

enum { READS = 5000, FILES = HOST_FILES };
/* Seconds to wait for events whose speed depends on the machine. */
static const double patience = 120;

/* Two threads keep a ring busy: one writes records, the other drains them. */
struct traffic {
	struct own_ring ring;
	bool stop;
};

/*
 * Bytes of the record being written, with a LOST record before it: the kernel's
 * own head is already beyond them, the one in the user page is not yet, for
 * long if the writer is delayed.
 */
enum { UNPUBLISHED = 32 + 24 };

static bool stopped(const struct traffic *t)
{
	return __atomic_load_n(&t->stop, __ATOMIC_RELAXED);
}

static void *write_records(void *arg)
{
	struct traffic *t = arg;
	struct perf_event_attr attr = own_faults();

	own_event(&t->ring, &attr, 0, -1);
	own_map(&t->ring, 8 * sys_page_size(), PROT_READ | PROT_WRITE);
	__atomic_store_n(&t->stop, false, __ATOMIC_RELEASE);
	while (!stopped(t))
		own_fault(10);
	return NULL;
}

static void *drain_records(void *arg)
{
	struct traffic *t = arg;

	while (!stopped(t)) {
		own_drain(&t->ring, own_head(&t->ring));
		usleep(50);
	}
	return NULL;
}

static void between(uint64_t before, uint64_t is, uint64_t after)
{
	if (is < before || is > after)
		fail_msg("%llu is not in %llu..%llu", (unsigned long long)is,
			 (unsigned long long)before,
			 (unsigned long long)after);
}

static void read_ring(struct traffic *t)
{
	uint64_t head = own_head(&t->ring), tail = own_tail(&t->ring);
	const struct host_pass_ring *ring;

	rig_look(FILES, getpid());
	ring = rig_ring_of(t->ring.id);
	assert_non_null(ring);
	between(tail, ring->tail, own_tail(&t->ring));
	between(head, ring->head, own_head(&t->ring) + UNPUBLISHED);
	assert_true(ring->head >= ring->tail);
	assert_true(ring->head - ring->tail <= ring->size);
}

/*
 * The ring has to be written and drained all the time, otherwise this proves
 * nothing.
 */
static void read_busy_ring(struct traffic *t)
{
	double end = sys_now() + patience;

	for (int i = 0; i < READS; i++)
		read_ring(t);
	while (own_tail(&t->ring) < 20 * t->ring.size && sys_now() < end)
		read_ring(t);
	assert_true(own_tail(&t->ring) >= 20 * t->ring.size);
}

static void test_head_and_tail(void **state)
{
	static struct traffic t;
	pthread_t writer, drainer;

	(void)state;
	t.stop = true;
	assert_int_equal(pthread_create(&writer, NULL, write_records, &t), 0);
	while (__atomic_load_n(&t.stop, __ATOMIC_ACQUIRE))
		usleep(100);
	assert_int_equal(pthread_create(&drainer, NULL, drain_records, &t), 0);
	read_busy_ring(&t);
	__atomic_store_n(&t.stop, true, __ATOMIC_RELAXED);
	pthread_join(writer, NULL);
	pthread_join(drainer, NULL);
	own_close(&t.ring);
}

static void test_event_of_a_thread(void **state)
{
	struct perf_event_attr attr = own_faults();
	const struct host_pass_event *event;
	uint64_t values[2];
	struct own_ring own;

	(void)state;
	own_event(&own, &attr, 0, -1);
	own_map(&own, 4 * sys_page_size(), PROT_READ | PROT_WRITE);
	own_fault(50);
	ioctl(own.fd, PERF_EVENT_IOC_DISABLE, 0);
	rig_look(FILES, getpid());
	event = rig_event(own.id);
	assert_non_null(event);
	assert_string_equal(event->event.name, "minor-faults:u");
	assert_int_equal(event->event.cpu, -1);
	assert_int_equal(event->event.tid, sys_gettid());
	assert_int_equal(event->event.state, RING_EVENT_OFF);
	assert_true(event->event.maps);
	assert_false(event->event.freq);
	assert_int_equal(event->event.period, 1);
	assert_int_equal(read(own.fd, values, sizeof(values)), sizeof(values));
	assert_true(values[0] >= 50);
	assert_int_equal(event->event.count, values[0]);
	own_close(&own);
}

static void test_event_of_a_cpu(void **state)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS_MIN,
		.freq = 1, .sample_freq = 49, .wakeup_events = 7,
	};
	double end = sys_now() + patience;
	const struct host_pass_event *event;
	struct own_ring own;

	(void)state;
	own_event(&own, &attr, -1, 0);
	own_map(&own, 4 * sys_page_size(), PROT_READ | PROT_WRITE);
	/* Opening another event there stops this one for a moment. */
	do {
		rig_look(FILES, 0);
		event = rig_event(own.id);
		assert_non_null(event);
	} while (event->event.state != RING_EVENT_ACTIVE && sys_now() < end);
	assert_int_equal(event->event.cpu, 0);
	assert_int_equal(event->event.tid, -1);
	assert_int_equal(event->event.state, RING_EVENT_ACTIVE);
	assert_true(event->event.freq);
	assert_int_equal(event->event.period, 49);
	assert_int_equal(event->wakeup_events, 7);
	own_close(&own);
}

/* The kernel replaces the attr's type, and the frequency by a period. */
static void test_event_of_a_clock(void **state)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.freq = 1, .sample_freq = 100,
	};
	struct own_ring own;

	(void)state;
	own_event(&own, &attr, -1, 0);
	own_map(&own, sys_page_size(), PROT_READ | PROT_WRITE);
	rig_look(FILES, getpid());
	assert_string_equal(rig_event(own.id)->event.name, "cpu-clock");
	assert_int_equal(rig_event(own.id)->event.period,
			 rig_event(own.id)->event.freq ? 100 : 10000000);
	own_close(&own);
}

/* Without tracefs: the kernel itself has their names. */
static void test_events_of_tracepoints(void **state)
{
	static const char *const names[][2] = {
		{ "sched", "sched_switch" },
		{ "syscalls", "sys_enter_getpid" },	/* is no tracepoint's */
	};
	struct event_labels *labels = event_labels_new(NULL, "/nonexistent");
	struct host_bpf *bpf = host_bpf_open(labels, &rig_err);
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT,
					.sample_period = 1 };
	struct own_ring own;
	char name[64];

	(void)state;
	assert_non_null(bpf);
	for (size_t i = 0; i < 2; i++) {
		if (tracefs_event_id(tracefs_mounted(), names[i][0],
				     names[i][1], (uint64_t *)&attr.config,
				     NULL))
			skip();
		own_event(&own, &attr, 0, -1);
		own_map(&own, sys_page_size(), PROT_READ | PROT_WRITE);
		host_pass_clear(&rig_pass);
		assert_int_equal(host_bpf_read(bpf, FILES, getpid(), &rig_pass,
					       &rig_err), 0);
		snprintf(name, sizeof(name), "%s:%s", names[i][0], names[i][1]);
		assert_string_equal(rig_event(own.id)->event.name, name);
		own_close(&own);
	}
	host_bpf_free(bpf);
	event_labels_free(labels);
}

static void test_ring_and_holder(void **state)
{
	struct perf_event_attr attr = own_faults();
	const struct host_pass_holder *holder;
	const struct host_pass_ring *ring;
	struct own_ring own;

	(void)state;
	attr.watermark = 1;
	attr.wakeup_watermark = 5000;
	own_event(&own, &attr, 0, -1);
	own_map(&own, 4 * sys_page_size(), PROT_READ | PROT_WRITE);
	rig_look(HOST_ALL, 0);
	ring = rig_ring_of(own.id);
	assert_non_null(ring);
	assert_int_equal(ring->kind, RING_PERF);
	assert_true(ring->known);
	assert_int_equal(ring->size, own.size);
	assert_int_equal(ring->locked, own.size + sys_page_size());
	assert_int_equal(ring->watermark, 5000);
	assert_true(ring->by_watermark);
	assert_false(ring->overwrite || ring->backward || ring->paused);
	assert_int_equal(ring->uid, getuid());
	assert_int_equal(ring->aux.size, 0);
	holder = rig_holder(ring->key, getpid());
	assert_non_null(holder);
	assert_true(holder->maps);
	assert_int_equal(holder->uid, getuid());
	own_close(&own);
}

/* Lost records are not reported until the ring is drained. */
static void test_loss(void **state)
{
	struct perf_event_attr attr = own_faults();
	const struct host_pass_ring *ring;
	uint64_t values[2];
	struct own_ring own;

	(void)state;
	own_event(&own, &attr, 0, -1);
	own_map(&own, sys_page_size(), PROT_READ | PROT_WRITE);
	own_fault_pages(1000);
	ioctl(own.fd, PERF_EVENT_IOC_DISABLE, 0);
	assert_int_equal(read(own.fd, values, sizeof(values)), sizeof(values));
	rig_look(FILES, getpid());
	ring = rig_ring_of(own.id);
	assert_non_null(ring);
	assert_true(values[1] > 500);
	assert_int_equal(rig_event(own.id)->event.lost, values[1]);
	assert_int_equal(ring->lost, values[1]);
	own_close(&own);
}

/* rb->wakeup in struct host_pass_ring, and polling. */
static void test_wakeups(void **state)
{
	struct perf_event_attr attr = own_faults();
	const struct host_pass_ring *ring;
	struct own_ring own;
	struct pollfd pollfd;

	(void)state;
	attr.watermark = 1;
	attr.wakeup_watermark = 1000;
	own_event(&own, &attr, 0, -1);
	own_map(&own, 4 * sys_page_size(), PROT_READ | PROT_WRITE);
	own_fault(200);
	ioctl(own.fd, PERF_EVENT_IOC_DISABLE, 0);
	rig_look(FILES, getpid());
	ring = rig_ring_of(own.id);
	assert_non_null(ring);
	assert_int_equal(ring->head, own_head(&own));
	assert_true(ring->head > 4000);
	/* a crossing is strictly beyond the watermark */
	assert_int_equal(ring->wakeup, (ring->head - 1) / 1000 * 1000);
	assert_true(ring->woken);
	rig_look(FILES, getpid());
	assert_true(rig_ring_of(own.id)->woken);	/* not by looking */
	pollfd = (struct pollfd){ .fd = own.fd, .events = POLLIN };
	assert_int_equal(poll(&pollfd, 1, 0), 1);
	rig_look(FILES, getpid());
	assert_false(rig_ring_of(own.id)->woken);
	own_close(&own);
}

static void test_paused(void **state)
{
	struct perf_event_attr attr = own_faults();
	struct own_ring own;

	(void)state;
	own_event(&own, &attr, 0, -1);
	own_map(&own, sys_page_size(), PROT_READ | PROT_WRITE);
	ioctl(own.fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 1);
	rig_look(FILES, getpid());
	assert_true(rig_ring_of(own.id)->paused);
	ioctl(own.fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 0);
	rig_look(FILES, getpid());
	assert_false(rig_ring_of(own.id)->paused);
	own_close(&own);
}

static void test_overwrite_and_backward(void **state)
{
	struct perf_event_attr attr = own_faults();
	const struct host_pass_ring *ring;
	struct own_ring own;

	(void)state;
	attr.write_backward = 1;
	own_event(&own, &attr, 0, -1);
	own_map(&own, sys_page_size(), PROT_READ);
	own_fault_pages(300);
	ioctl(own.fd, PERF_EVENT_IOC_DISABLE, 0);
	rig_look(FILES, getpid());
	ring = rig_ring_of(own.id);
	assert_non_null(ring);
	assert_true(ring->overwrite && ring->backward);
	assert_int_equal(ring->head, own_head(&own));
	assert_true(-ring->head > own.size);
	assert_int_equal(ring->lost, 0);
	own_close(&own);
}

/* It gets a ring of another size while it is watched. */
static void test_remap(void **state)
{
	struct perf_event_attr attr = own_faults();
	struct own_ring own;

	(void)state;
	own_event(&own, &attr, 0, -1);
	for (size_t pages = 1; pages <= 64; pages *= 2) {
		rig_look(HOST_ALL, 0);
		assert_non_null(rig_event(own.id));
		assert_null(rig_ring_of(own.id));
		own_map(&own, pages * sys_page_size(),
			PROT_READ | PROT_WRITE);
		rig_look(HOST_ALL, 0);
		assert_non_null(rig_ring_of(own.id));
		assert_int_equal(rig_ring_of(own.id)->size, own.size);
		own_unmap(&own);
	}
	own_close(&own);
}

static void *remap(void *arg)
{
	struct traffic *t = arg;

	for (size_t i = 0; !stopped(t); i++) {
		own_map(&t->ring, (1U << i % 6) * sys_page_size(),
			PROT_READ | PROT_WRITE);
		usleep(20);
		own_unmap(&t->ring);
	}
	return NULL;
}

/*
 * At any time: the ring is found with one of its sizes, or is not.  The kernel
 * waits between two mappings (RCU), and no size is there for long.
 */
static void test_remap_while_read(void **state)
{
	struct perf_event_attr attr = own_faults();
	const struct host_pass_ring *ring;
	static struct traffic t;
	unsigned int seen = 0, misses = 0;
	double end = sys_now() + patience;
	pthread_t remapper;

	(void)state;
	own_event(&t.ring, &attr, 0, -1);
	assert_int_equal(pthread_create(&remapper, NULL, remap, &t), 0);
	for (int i = 0; i < READS || ((seen != 63 || !misses) &&
				      sys_now() < end); i++) {
		rig_look(HOST_FILES | HOST_MAPPINGS, getpid());
		ring = rig_ring_of(t.ring.id);
		misses += ring == NULL;
		if (ring)
			seen |= (unsigned int)(ring->size / sys_page_size());
		assert_true(rig_pass.nr_rings <= 2);
	}
	__atomic_store_n(&t.stop, true, __ATOMIC_RELAXED);
	pthread_join(remapper, NULL);
	assert_int_equal(seen, 63);
	assert_true(misses > 0);
	own_close(&t.ring);
}

static void test_redirect(void **state)
{
	struct perf_event_attr attr = own_faults();
	struct own_ring maker, other;
	uint64_t key;

	(void)state;
	own_event(&maker, &attr, 0, -1);
	own_map(&maker, sys_page_size(), PROT_READ | PROT_WRITE);
	own_event(&other, &attr, 0, -1);
	assert_int_equal(ioctl(other.fd, PERF_EVENT_IOC_SET_OUTPUT, maker.fd),
			 0);
	rig_look(FILES, getpid());
	key = rig_event(maker.id)->ring;
	assert_int_not_equal(key, 0);
	assert_int_equal(rig_event(other.id)->ring, key);
	assert_true(rig_event(maker.id)->event.maps);
	assert_false(rig_event(other.id)->event.maps);
	assert_int_equal(ioctl(other.fd, PERF_EVENT_IOC_SET_OUTPUT, -1L), 0);
	rig_look(FILES, getpid());
	assert_int_equal(rig_event(maker.id)->ring, key);
	assert_int_equal(rig_event(other.id)->ring, 0);
	own_close(&other);
	own_close(&maker);
}

/* Its mapping keeps event and ring alive. */
static void test_closed_descriptor(void **state)
{
	struct perf_event_attr attr = own_faults();
	const struct host_pass_ring *ring;
	struct own_ring own;

	(void)state;
	own_event(&own, &attr, 0, -1);
	own_map(&own, sys_page_size(), PROT_READ | PROT_WRITE);
	sys_close(own.fd);
	own.fd = -1;
	rig_look(FILES, 0);
	assert_null(rig_event(own.id));
	rig_look(HOST_MAPPINGS, getpid());
	ring = rig_ring_of(own.id);
	assert_non_null(ring);
	assert_int_equal(ring->head, own_head(&own));
	assert_true(rig_holder(ring->key, getpid())->maps);
	own_close(&own);
	rig_look(HOST_ALL, 0);
	assert_null(rig_event(own.id));
}

/* A child that inherited the descriptor holds the ring, but does not map it. */
static void test_inherited_descriptor(void **state)
{
	struct perf_event_attr attr = own_faults();
	const struct host_pass_ring *ring;
	struct own_ring own;
	pid_t child;

	(void)state;
	own_event(&own, &attr, 0, -1);
	own_map(&own, sys_page_size(), PROT_READ | PROT_WRITE);
	child = fork();
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	rig_look(HOST_ALL, 0);
	ring = rig_ring_of(own.id);
	assert_non_null(ring);
	assert_true(rig_holder(ring->key, getpid())->maps);
	assert_non_null(rig_holder(ring->key, child));
	assert_false(rig_holder(ring->key, child)->maps);
	rig_look(FILES, child);
	assert_non_null(rig_ring_of(own.id));
	assert_int_equal(rig_pass.nr_holders, 1);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	/* A process that has ended is not an error. */
	rig_look(HOST_FILES | HOST_MAPPINGS, child);
	assert_int_equal(rig_pass.nr_events, 0);
	own_close(&own);
}

/* A child with a ring of its own, which this process does not have. */
static pid_t fork_owner(uint64_t *id)
{
	struct perf_event_attr attr = own_faults();
	struct own_ring own;
	int fds[2];
	pid_t child;

	assert_int_equal(pipe(fds), 0);
	child = fork();
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		own_event(&own, &attr, 0, -1);
		own_map(&own, sys_page_size(), PROT_READ | PROT_WRITE);
		if (write(fds[1], &own.id, sizeof(own.id)) < 0)
			_exit(1);
		for (;;)
			pause();
	}
	close(fds[1]);
	assert_int_equal(read(fds[0], id, sizeof(*id)), sizeof(*id));
	close(fds[0]);
	return child;
}

static bool is_stopped(uint64_t id, pid_t pid)
{
	const struct host_pass_ring *ring;
	const struct host_pass_holder *holder;

	rig_look(HOST_FILES | HOST_MAPPINGS, pid);
	ring = rig_ring_of(id);
	assert_non_null(ring);
	holder = rig_holder(ring->key, pid);
	assert_non_null(holder);
	return holder->stopped;
}

static void test_stopped_owner(void **state)
{
	uint64_t id;
	pid_t child;
	int status;

	(void)state;
	child = fork_owner(&id);
	assert_false(is_stopped(id, child));
	kill(child, SIGSTOP);
	assert_int_equal(waitpid(child, &status, WUNTRACED), child);
	assert_true(WIFSTOPPED(status));
	assert_true(is_stopped(id, child));
	kill(child, SIGCONT);
	assert_int_equal(waitpid(child, &status, WCONTINUED), child);
	assert_false(is_stopped(id, child));
	/* As a debugger does. */
	assert_int_equal(ptrace(PTRACE_SEIZE, child, NULL, NULL), 0);
	assert_int_equal(ptrace(PTRACE_INTERRUPT, child, NULL, NULL), 0);
	assert_int_equal(waitpid(child, &status, __WALL), child);
	assert_true(WIFSTOPPED(status));
	assert_true(is_stopped(id, child));
	assert_int_equal(ptrace(PTRACE_DETACH, child, NULL, NULL), 0);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, &status, 0), child);
}

static void test_many_descriptors(void **state)
{
	struct perf_event_attr attr = own_faults();
	struct own_ring own;
	int fds[100];

	(void)state;
	own_event(&own, &attr, 0, -1);
	own_map(&own, sys_page_size(), PROT_READ | PROT_WRITE);
	for (int i = 0; i < 100; i++)
		fds[i] = dup(own.fd);
	rig_look(FILES, getpid());
	assert_int_equal(rig_pass.files, 101);
	assert_int_equal(rig_pass.nr_events, 1);
	assert_int_equal(rig_pass.nr_rings, 1);
	assert_int_equal(rig_pass.nr_holders, 1);
	for (int i = 0; i < 100; i++)
		close(fds[i]);
	own_close(&own);
}

/* More than one read of the iterator returns: all of them, each once. */
static void test_many_rings(void **state)
{
	struct perf_event_attr attr = own_faults();
	struct own_ring own[400];

	(void)state;
	for (int i = 0; i < 400; i++) {
		own_event(&own[i], &attr, 0, -1);
		own_map(&own[i], sys_page_size(), PROT_READ | PROT_WRITE);
	}
	rig_look(HOST_FILES | HOST_MAPPINGS, getpid());
	assert_int_equal(rig_pass.files, 400);
	assert_int_equal(rig_pass.nr_events, 400);
	assert_int_equal(rig_pass.nr_rings, 400);
	assert_int_equal(rig_pass.nr_holders, 400);
	for (int i = 0; i < 400; i++) {
		assert_non_null(rig_ring_of(own[i].id));
		own_close(&own[i]);
	}
}

/* As for reading counters without a system call. */
static void test_user_page_alone(void **state)
{
	struct perf_event_attr attr = own_faults();
	struct own_ring own;

	(void)state;
	own_event(&own, &attr, 0, -1);
	own_map(&own, 0, PROT_READ | PROT_WRITE);
	rig_look(HOST_ALL, 0);
	assert_non_null(rig_event(own.id));
	assert_int_equal(rig_event(own.id)->ring, 0);
	own_close(&own);
}

/* Any user may give a file that name. */
static void test_file_of_that_name(void **state)
{
	char dir[] = "/tmp/rbtop-XXXXXX", path[64];
	int fd;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/[perf_event]", dir);
	fd = open(path, O_RDWR | O_CREAT, 0600);
	assert_true(fd >= 0);
	rig_look(HOST_FILES | HOST_MAPPINGS, getpid());
	assert_int_equal(rig_pass.files, 0);
	close(fd);
	unlink(path);
	rmdir(dir);
}

static const struct host_pass_ring *uring_ring(unsigned int which)
{
	for (size_t i = 0; i < rig_pass.nr_holders; i++) {
		const struct host_pass_holder *holder = &rig_pass.holders[i];
		const struct host_pass_ring *ring = rig_ring(holder->ring);

		if (holder->pid == getpid() && ring &&
		    ring->kind == RING_URING && (ring->key & 1) == which)
			return ring;
	}
	return NULL;
}

/*
 * io_uring: three submissions that the kernel has not taken, seven completions
 * that the process has not.  Also with the descriptor closed.
 */
static void test_uring(void **state)
{
	struct io_uring_params p = { 0 };
	int fd = (int)syscall(SYS_io_uring_setup, 16, &p);
	const size_t size = p.sq_off.array + p.sq_entries * sizeof(uint32_t);
	struct io_uring_sqe *sqes;
	uint32_t *tail;
	char *rings;

	(void)state;
	if (fd < 0)
		skip();
	rings = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		     IORING_OFF_SQ_RING);
	sqes = mmap(NULL, p.sq_entries * sizeof(*sqes), PROT_READ | PROT_WRITE,
		    MAP_SHARED, fd, IORING_OFF_SQES);
	assert_ptr_not_equal(rings, MAP_FAILED);
	assert_ptr_not_equal(sqes, MAP_FAILED);
	tail = (void *)(rings + p.sq_off.tail);
	for (uint32_t i = 0; i < 10; i++) {
		((uint32_t *)(void *)(rings + p.sq_off.array))[i] = i;
		sqes[i].opcode = IORING_OP_NOP;
	}
	*(volatile uint32_t *)tail = 10;
	assert_int_equal(syscall(SYS_io_uring_enter, fd, 7, 0, 0, NULL, 0), 7);
	rig_look(HOST_ALL, 0);
	assert_null(uring_ring(0));	/* not asked for */
	host_bpf_read_urings(rig_bpf);
	for (int closed = 0; closed < 2; closed++) {
		rig_look(HOST_ALL, 0);
		assert_non_null(uring_ring(0));
		assert_int_equal(uring_ring(0)->size, p.sq_entries * 64);
		assert_int_equal(uring_ring(0)->head, 10 * 64);
		assert_int_equal(uring_ring(0)->tail, 7 * 64);
		assert_non_null(uring_ring(1));
		assert_int_equal(uring_ring(1)->size, p.cq_entries * 16);
		assert_int_equal(uring_ring(1)->head, 7 * 16);
		assert_int_equal(uring_ring(1)->tail, 0);
		assert_int_equal(uring_ring(1)->lost_in_all, 0);
		if (!closed)
			close(fd);
	}
	munmap(rings, size);
	munmap(sqes, p.sq_entries * sizeof(*sqes));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_head_and_tail),
		cmocka_unit_test(test_event_of_a_thread),
		cmocka_unit_test(test_event_of_a_cpu),
		cmocka_unit_test(test_event_of_a_clock),
		cmocka_unit_test(test_events_of_tracepoints),
		cmocka_unit_test(test_ring_and_holder),
		cmocka_unit_test(test_loss),
		cmocka_unit_test(test_wakeups),
		cmocka_unit_test(test_paused),
		cmocka_unit_test(test_overwrite_and_backward),
		cmocka_unit_test(test_remap),
		cmocka_unit_test(test_remap_while_read),
		cmocka_unit_test(test_redirect),
		cmocka_unit_test(test_closed_descriptor),
		cmocka_unit_test(test_inherited_descriptor),
		cmocka_unit_test(test_stopped_owner),
		cmocka_unit_test(test_many_descriptors),
		cmocka_unit_test(test_many_rings),
		cmocka_unit_test(test_uring),
		cmocka_unit_test(test_user_page_alone),
		cmocka_unit_test(test_file_of_that_name),
	};
	const struct CMUnitTest unavailable[] = {
		cmocka_unit_test(test_rig_is_there),
	};
	int failed;

	if (!rig_open())
		return cmocka_run_group_tests_name("host_bpf", unavailable,
						   NULL, NULL);
	failed = cmocka_run_group_tests_name("host_bpf", tests, NULL, NULL);
	rig_close();
	return failed;
}
