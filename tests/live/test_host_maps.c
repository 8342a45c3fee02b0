/* SPDX-License-Identifier: GPL-2.0-or-later */
/* BPF ring buffers, and maps with perf events in their slots. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <linux/bpf.h>
#include <sys/syscall.h>

#include "tests/live/host_rig.h"

static int map_create(uint32_t type, uint32_t size, uint32_t entries)
{
	union bpf_attr attr = {
		.map_type = type, .key_size = size, .value_size = size,
		.max_entries = entries, .map_name = "rbtop_test",
	};

	return (int)syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof(attr));
}

static uint32_t map_id(int fd)
{
	struct bpf_map_info info = { 0 };
	union bpf_attr attr = { .info = {
		.bpf_fd = (uint32_t)fd, .info_len = sizeof(info),
		.info = (uintptr_t)&info,
	} };

	assert_int_equal(syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &attr,
				 sizeof(attr)), 0);
	return info.id;
}

static void test_ringbuf(void **state)
{
	int fd = map_create(BPF_MAP_TYPE_RINGBUF, 0, 65536);
	const struct host_pass_ring *ring;
	void *page;
	uint32_t id;

	(void)state;
	assert_true(fd >= 0);
	id = map_id(fd);
	rig_look(HOST_ALL, 0);
	ring = rig_ring(id);
	assert_non_null(ring);
	assert_int_equal(ring->kind, RING_BPF);
	assert_int_equal(ring->size, 65536);
	assert_string_equal(ring->map, "rbtop_test");
	assert_non_null(rig_holder(id, getpid()));
	assert_false(rig_holder(id, getpid())->maps);
	/* The owner writes the tail itself. */
	page = mmap(NULL, sys_page_size(), PROT_READ | PROT_WRITE, MAP_SHARED,
		    fd, 0);
	assert_ptr_not_equal(page, MAP_FAILED);
	*(volatile unsigned long *)page = 4711;
	rig_look(HOST_ALL, 0);
	assert_int_equal(rig_ring(id)->tail, 4711);
	assert_true(rig_holder(id, getpid())->maps);
	munmap(page, sys_page_size());
	close(fd);
}

/* That of a process to a BPF program: Linux 6.1. */
static void test_user_ringbuf(void **state)
{
	int fd = map_create(31 /* BPF_MAP_TYPE_USER_RINGBUF */, 0, 65536);
	const struct host_pass_ring *ring;
	uint32_t id;

	(void)state;
	if (fd < 0)
		skip();
	id = map_id(fd);
	rig_look(HOST_ALL, 0);
	ring = rig_ring(id);
	assert_non_null(ring);
	assert_true(ring->to_kernel);
	assert_int_equal(ring->size, 65536);
	assert_non_null(rig_holder(id, getpid()));
	close(fd);
}

/* The ring of an event in a map has the map's name. */
static void test_perf_event_array(void **state)
{
	int fd = map_create(BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, 2000);
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_BPF_OUTPUT,
		.sample_type = PERF_SAMPLE_RAW,
		.sample_period = 1,
	};
	uint32_t slot = 1;
	union bpf_attr update;
	struct own_ring own;

	(void)state;
	assert_true(fd >= 0);
	own_event(&own, &attr, -1, 0);
	own_map(&own, sys_page_size(), PROT_READ | PROT_WRITE);
	rig_look(HOST_ALL, 0);
	assert_int_equal(rig_ring_of(own.id)->map_id, 0);
	update = (union bpf_attr){
		.map_fd = (uint32_t)fd, .key = (uintptr_t)&slot,
		.value = (uintptr_t)&own.fd,
	};
	assert_int_equal(syscall(SYS_bpf, BPF_MAP_UPDATE_ELEM, &update,
				 sizeof(update)), 0);
	rig_look(HOST_ALL, 0);
	assert_int_equal(rig_ring_of(own.id)->map_id, map_id(fd));
	assert_string_equal(rig_ring_of(own.id)->map, "rbtop_test");
	own_close(&own);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ringbuf),
		cmocka_unit_test(test_user_ringbuf),
		cmocka_unit_test(test_perf_event_array),
	};
	const struct CMUnitTest unavailable[] = {
		cmocka_unit_test(test_rig_is_there),
	};
	int failed;

	if (!rig_open())
		return cmocka_run_group_tests_name("host_maps", unavailable,
						   NULL, NULL);
	failed = cmocka_run_group_tests_name("host_maps", tests, NULL, NULL);
	rig_close();
	return failed;
}
