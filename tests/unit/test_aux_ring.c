/* SPDX-License-Identifier: GPL-2.0-or-later */
/* AUX rings in a file with the layout of a perf event's memory. */
#include "tests/group.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/sys.h"
#include "perf/abi/aux_ring.h"

enum { DATA_PAGES = 2, AUX_PAGES = 4 };

static uint64_t page_size;

/* Make a file with the user page, the data and, after them, the AUX ring. */
static int fake_event(void)
{
	int fd = memfd_create("ring", MFD_CLOEXEC);

	page_size = sys_page_size();
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)((1 + DATA_PAGES + AUX_PAGES) *
					       page_size)),
			 0);
	return fd;
}

/* Check the fields of the user page that the kernel reads at mmap(2). */
static void expect_announced(const struct ring *ring)
{
	assert_int_equal(ring->page->aux_offset, 3 * page_size);
	assert_int_equal(ring->page->aux_size, AUX_PAGES * page_size);
}

TEST(test_map)
{
	int fd = fake_event();
	unsigned char byte = 0;
	struct aux_ring aux;
	struct ring ring;

	assert_int_equal(ring_map(&ring, fd, DATA_PAGES * page_size, false), 0);
	assert_int_equal(aux_ring_map(&aux, &ring, AUX_PAGES * page_size,
				      false),
			 0);
	expect_announced(&ring);
	assert_ptr_equal(aux.page, ring.page);
	assert_int_equal(aux.size, AUX_PAGES * page_size);
	assert_int_equal(aux.watermark, 2 * page_size);
	assert_false(aux.overwrite);
	/* the AUX ring begins after the data */
	aux.data[5] = 0xa5;
	assert_int_equal(pread(fd, &byte, 1, (off_t)(3 * page_size + 5)), 1);
	assert_int_equal(byte, 0xa5);
	aux_ring_unmap(&aux);
	assert_null(aux.data);
	aux_ring_unmap(&aux);
	ring_unmap(&ring);
	close(fd);
}

/* Whether @address is writable, according to /proc/self/maps. */
static int writable(const void *address)
{
	unsigned long start, end;
	char perms[5], line[512];
	FILE *maps = fopen("/proc/self/maps", "re");
	int found = -1;

	assert_non_null(maps);
	while (found < 0 && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %4s", &start, &end, perms) == 3 &&
		    (unsigned long)address >= start &&
		    (unsigned long)address < end)
			found = perms[1] == 'w';
	fclose(maps);
	return found;
}

TEST(test_protection)
{
	int fd = fake_event();
	struct aux_ring aux;
	struct ring ring;

	assert_int_equal(ring_map(&ring, fd, DATA_PAGES * page_size, false), 0);
	assert_int_equal(aux_ring_map(&aux, &ring, AUX_PAGES * page_size,
				      true),
			 0);
	assert_true(aux.overwrite);
	assert_int_equal(aux.watermark, 0);
	assert_int_equal(writable(aux.data), 0);
	assert_int_equal(writable(aux.page), 1);
	aux_ring_unmap(&aux);
	assert_int_equal(aux_ring_map(&aux, &ring, AUX_PAGES * page_size,
				      false),
			 0);
	assert_int_equal(writable(aux.data), 1);
	aux_ring_unmap(&aux);
	ring_unmap(&ring);
	close(fd);
}

/* The user page is read-only for us, but has to be written to. */
TEST(test_beside_overwrite_ring)
{
	int fd = fake_event();
	struct aux_ring aux;
	struct ring ring;

	assert_int_equal(ring_map(&ring, fd, DATA_PAGES * page_size, true), 0);
	assert_int_equal(aux_ring_map(&aux, &ring, AUX_PAGES * page_size,
				      true),
			 0);
	expect_announced(&ring);
	assert_int_equal(writable(ring.page), 0);
	aux_ring_unmap(&aux);
	ring_unmap(&ring);
	close(fd);
}

TEST(test_refused)
{
	struct aux_ring aux = { 0 };
	int fd = fake_event();
	struct ring ring;

	assert_int_equal(ring_map(&ring, fd, DATA_PAGES * page_size, false), 0);
	sys_fail_at(SYS_MMAP, 1, ENOMEM);
	assert_int_equal(aux_ring_map(&aux, &ring, page_size, true), -ENOMEM);
	assert_null(aux.data);
	assert_null(aux.page);
	ring_unmap(&ring);
	assert_int_equal(ring_map(&ring, fd, DATA_PAGES * page_size, true), 0);
	sys_fail_at(SYS_MMAP, 1, EPERM);
	assert_int_equal(aux_ring_map(&aux, &ring, page_size, true), -EPERM);
	assert_null(aux.data);
	ring_unmap(&ring);
	close(fd);
}

/* The kernel's error for an event that does not trace. */
static void expect_no_aux(bool overwrite)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.write_backward = overwrite,
	};
	int fd = sys_perf_event_open(&attr, 0, -1, -1, 0);
	struct aux_ring aux = { 0 };
	struct ring ring;

	if (fd == -EACCES || fd == -EPERM || fd == -ENOSYS)
		skip();
	assert_true(fd >= 0);
	assert_int_equal(ring_map(&ring, fd, sys_page_size(), overwrite), 0);
	assert_int_equal(aux_ring_map(&aux, &ring, sys_page_size(), true),
			 -EOPNOTSUPP);
	/* the kernel accepted offset and size and called the PMU */
	assert_int_equal(ring.page->aux_size, sys_page_size());
	ring_unmap(&ring);
	close(fd);
}

TEST(test_event_that_does_not_trace)
{
	expect_no_aux(false);
	expect_no_aux(true);
}

TEST(test_head_and_tail)
{
	struct perf_event_mmap_page page = { .aux_head = 5, .aux_tail = 3 };
	unsigned char data[16];
	struct aux_ring aux;

	aux_ring_attach(&aux, &page, data, sizeof(data), false);
	assert_int_equal(aux_ring_head(&aux), 5);
	assert_int_equal(aux_ring_tail(&aux), 3);
	aux_ring_consume(&aux, 5);
	assert_int_equal(page.aux_tail, 5);
	assert_int_equal(aux.watermark, 8);
}

static void expect_pieces(uint64_t from, uint64_t to, const char *first,
			  const char *second)
{
	struct perf_event_mmap_page page = { 0 };
	unsigned char data[8] = "abcdefgh";
	struct aux_pieces pieces;
	struct aux_ring aux;

	aux_ring_attach(&aux, &page, data, sizeof(data), true);
	pieces = aux_ring_pieces(&aux, from, to);
	assert_int_equal(pieces.len[0], strlen(first));
	assert_int_equal(pieces.len[1], strlen(second));
	assert_memory_equal(pieces.data[0], first, strlen(first));
	assert_memory_equal(pieces.data[1], second, strlen(second));
}

TEST(test_pieces)
{
	expect_pieces(0, 0, "", "");
	expect_pieces(5, 5, "", "");
	expect_pieces(0, 3, "abc", "");
	expect_pieces(2, 8, "cdefgh", "");
	expect_pieces(0, 8, "abcdefgh", "");
	expect_pieces(6, 11, "gh", "abc");
	expect_pieces(3, 11, "defgh", "abc");
	expect_pieces(800, 808, "abcdefgh", "");
	/* at most what is there, the newest bytes */
	expect_pieces(0, 11, "defgh", "abc");
	/* positions are free-running and wrap at 64 bits */
	expect_pieces(UINT64_MAX - 1, 2, "gh", "ab");
}

TEST_GROUP(aux_ring);
