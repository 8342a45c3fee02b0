/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests that own rings and read them as other processes' rings: a ring of
 * the test, and a pass over it with BPF.
 */
#ifndef RBTOP_TESTS_HOST_RIG_H
#define RBTOP_TESTS_HOST_RIG_H

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "host/host_bpf.h"
#include "perf/event/event_label.h"

struct own_ring {
	int fd;
	uint64_t id;
	struct perf_event_mmap_page *page;
	size_t size;		/* of data */
};

/* Shared by all tests of a program. */
static struct event_labels *rig_labels;
static struct host_bpf *rig_bpf;
static struct host_pass rig_pass;
static struct err rig_err;

/* Load the BPF programs; false if the machine does not allow it. */
static inline bool rig_open(void)
{
	rig_labels = event_labels_new(NULL, NULL);
	if (rig_labels)
		rig_bpf = host_bpf_open(rig_labels, &rig_err);
	return rig_bpf != NULL;
}

static inline void rig_close(void)
{
	host_bpf_free(rig_bpf);
	event_labels_free(rig_labels);
	host_pass_free(&rig_pass);
}

/*
 * The only test that runs if the others cannot: skipped if that is not an error
 * of rbtop.
 */
static inline void test_rig_is_there(void **state)
{
	(void)state;
	print_message("%s\n", rig_err.text);
	if (rig_err.code && rig_err.code != -EPERM &&
	    rig_err.code != -EOPNOTSUPP)
		fail();
	skip();
}

/* Make a new pass. */
static inline void rig_look(unsigned int parts, pid_t pid)
{
	struct err err = { 0 };

	host_pass_clear(&rig_pass);
	if (host_bpf_read(rig_bpf, parts, pid, &rig_pass, &err))
		fail_msg("%s", err.text);
}

static inline const struct host_pass_event *rig_event(uint64_t id)
{
	for (size_t i = 0; i < rig_pass.nr_events; i++)
		if (rig_pass.events[i].event.id == id)
			return &rig_pass.events[i];
	return NULL;
}

static inline const struct host_pass_ring *rig_ring(uint64_t key)
{
	for (size_t i = 0; i < rig_pass.nr_rings; i++)
		if (rig_pass.rings[i].key == key)
			return &rig_pass.rings[i];
	return NULL;
}

/* The ring that event @id writes to; NULL if it has none. */
static inline const struct host_pass_ring *rig_ring_of(uint64_t id)
{
	const struct host_pass_event *event = rig_event(id);

	return event && event->ring ? rig_ring(event->ring) : NULL;
}

static inline const struct host_pass_holder *rig_holder(uint64_t ring,
							pid_t pid)
{
	for (size_t i = 0; i < rig_pass.nr_holders; i++)
		if (rig_pass.holders[i].ring == ring &&
		    rig_pass.holders[i].pid == pid)
			return &rig_pass.holders[i];
	return NULL;
}

/* Open an event of this thread, without a ring. */
static inline void own_event(struct own_ring *ring,
			     struct perf_event_attr *attr, pid_t tid, int cpu)
{
	attr->size = sizeof(*attr);
	*ring = (struct own_ring){
		.fd = sys_perf_event_open(attr, tid, cpu, -1, 0),
	};
	assert_true(ring->fd >= 0);
	assert_int_equal(ioctl(ring->fd, PERF_EVENT_IOC_ID, &ring->id), 0);
}

/* Map its ring, with @size bytes of data. */
static inline void own_map(struct own_ring *ring, size_t size, int prot)
{
	void *map;

	assert_int_equal(sys_mmap(ring->fd, sys_page_size() + size, prot, 0,
				  &map), 0);
	ring->page = map;
	ring->size = size;
}

static inline void own_unmap(struct own_ring *ring)
{
	sys_munmap(ring->page, sys_page_size() + ring->size);
	ring->page = NULL;
}

static inline void own_close(struct own_ring *ring)
{
	if (ring->page)
		own_unmap(ring);
	sys_close(ring->fd);
	ring->fd = -1;
}

/* Attr of an event with a record for each page fault. */
static inline struct perf_event_attr own_faults(void)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS_MIN,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			PERF_SAMPLE_TIME,
		.read_format = PERF_FORMAT_LOST,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
}

/* Cause at least @nr page faults. */
static inline void own_fault(unsigned int nr)
{
	size_t page = sys_page_size();
	char *memory = mmap(NULL, page, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(memory, MAP_FAILED);
	while (nr--) {
		*(volatile char *)memory = 1;
		madvise(memory, page, MADV_DONTNEED);
	}
	munmap(memory, page);
}

/* The same for each 4 KiB of a page. */
static inline void own_fault_pages(unsigned int nr)
{
	own_fault(nr * (unsigned int)(sys_page_size() / 4096));
}

static inline uint64_t own_head(const struct own_ring *ring)
{
	return __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
}

static inline uint64_t own_tail(const struct own_ring *ring)
{
	return __atomic_load_n(&ring->page->data_tail, __ATOMIC_ACQUIRE);
}

/* Drain it up to @tail. */
static inline void own_drain(struct own_ring *ring, uint64_t tail)
{
	__atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
}

#endif
