/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An owner of perf rings that executes commands, one per line of standard
 * input, and answers each with one line: "ok" and the values requested, or
 * "error" and why.  Its rings record its own page faults, one record of RECORD
 * bytes each, so that all figures are known in advance.
 *
 *	open RING PAGES [KEY=VALUE...]	an event, off, and its ring; keys: cpu,
 *			watermark (bytes), events (between wakeups), overwrite=1
 *			(PAGES 0: no ring), stack (bytes of the user's stack in
 *			each record)
 *	on RING, off RING		let its event count
 *	fault N				N page faults
 *	drain RING			ok RECORDS LOST BYTES, of the drain
 *	gaps RING SECONDS N...		for each N, N faults and a drain; again
 *			and again for SECONDS, at least once
 *	read RING			ok HEAD TAIL COUNT LOST_SAMPLES ID FD
 *	poll RING MS			ok 1 if it was woken, else ok 0
 *	remap RING PAGES		unmap it and map that instead
 *	unmap RING			close RING (its fd alone)
 *	move RING TO			unmap it and write into TO's ring
 *	pause RING 0|1
 *	tail RING BYTES			a tail BYTES beyond the head
 *	scribble RING			faults, with garbage in all positions of
 *			the ring's user page, until the next line (any word),
 *			which gets no answer of its own; then ok HEAD, the
 *			correct one
 *	run RING PATH			faults and drains until the next line,
 *			in the same way, and lines of "BEFORE HEAD TAIL AFTER"
 *			to PATH: the times, in ns of CLOCK_REALTIME, before and
 *			after reading the positions
 *	churn ROUNDS PAGES		open, map, unmap, remap, redirect, close
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { RINGS = 64, WORDS = 12, FAULT_PAGES = 256 };

struct ring {
	int fd;
	struct perf_event_mmap_page *page;	/* NULL: none */
	size_t bytes;				/* of the mapping */
	int prot;
	uint64_t lost;				/* in its LOST records */
	uint64_t tail;		/* not stored for an overwrite ring */
};

struct reading {
	uint64_t count, id, lost;
};

static struct ring rings[RINGS] = { [0 ... RINGS - 1] = { .fd = -1 } };
static size_t page_size;
static char *arena;		/* the pages that fault */

static int refuse(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

static int refuse(const char *fmt, ...)
{
	va_list args;

	fputs("error ", stdout);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
	return -1;
}

static int failed(const char *what)
{
	return refuse("%s: %s", what, strerror(errno));
}

/* The value of KEY=VALUE in @words; @none if it is not there. */
static uint64_t option(char *const *words, const char *key, uint64_t none)
{
	size_t length = strlen(key);

	for (; *words; words++)
		if (strncmp(*words, key, length) == 0 &&
		    (*words)[length] == '=')
			return strtoull(*words + length + 1, NULL, 0);
	return none;
}

static int open_event(char *const *words)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
			       PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	uint64_t watermark = option(words, "watermark", 0);
	uint64_t stack = option(words, "stack", 0);

	if (watermark) {
		attr.watermark = 1;
		attr.wakeup_watermark = (uint32_t)watermark;
	} else {
		attr.wakeup_events = (uint32_t)option(words, "events", 0);
	}
	if (stack) {
		attr.sample_type |= PERF_SAMPLE_STACK_USER;
		attr.sample_stack_user = (uint32_t)stack;
	}
	return (int)syscall(SYS_perf_event_open, &attr, 0,
			    (int)option(words, "cpu", UINT64_MAX), -1,
			    PERF_FLAG_FD_CLOEXEC);
}

static int map(struct ring *ring, size_t pages)
{
	void *page;

	ring->bytes = (1 + pages) * page_size;
	page = mmap(NULL, ring->bytes, ring->prot, MAP_SHARED, ring->fd, 0);
	if (page == MAP_FAILED)
		return -1;
	ring->page = page;
	ring->tail = 0;
	return 0;
}

static void unmap(struct ring *ring)
{
	if (ring->page)
		munmap(ring->page, ring->bytes);
	ring->page = NULL;
}

static void forget(struct ring *ring)
{
	unmap(ring);
	if (ring->fd >= 0)
		close(ring->fd);
	*ring = (struct ring){ .fd = -1 };
}

static int ring_open(struct ring *ring, size_t pages, char *const *words)
{
	forget(ring);
	ring->prot = PROT_READ;
	if (!option(words, "overwrite", 0))
		ring->prot |= PROT_WRITE;
	ring->fd = open_event(words);
	if (ring->fd < 0)
		return failed("perf_event_open");
	return pages && map(ring, pages) ? failed("mmap") : 0;
}

/* Fault @n times, on pages that were given back. */
static void fault(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		size_t at = i % FAULT_PAGES;

		if (at == 0)
			madvise(arena, FAULT_PAGES * page_size, MADV_DONTNEED);
		*(volatile char *)(arena + at * page_size) = 1;
	}
}

static uint64_t head_of(const struct ring *ring)
{
	return __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
}

static uint64_t word_at(const struct ring *ring, uint64_t position)
{
	const char *data = (const char *)ring->page + page_size;
	uint64_t word;

	memcpy(&word, data + (position & (ring->bytes - page_size - 1)),
	       sizeof(word));
	return word;
}

struct drained {
	uint64_t records, lost, bytes;
};

/* All records are multiples of 8 bytes, so no word of one wraps. */
static struct drained drain(struct ring *ring)
{
	uint64_t head = head_of(ring), from = ring->tail;
	struct drained got = { 0 };

	while (ring->tail < head) {
		uint64_t word = word_at(ring, ring->tail);
		struct perf_event_header header;

		memcpy(&header, &word, sizeof(header));
		if (header.type == PERF_RECORD_LOST)
			got.lost += word_at(ring, ring->tail + 16);
		got.records++;
		ring->tail += header.size;
	}
	got.bytes = ring->tail - from;
	ring->lost += got.lost;
	__atomic_store_n(&ring->page->data_tail, ring->tail, __ATOMIC_RELEASE);
	return got;
}

static int say_reading(const struct ring *ring)
{
	struct reading r = { 0 };

	if (ring->fd >= 0 && read(ring->fd, &r, sizeof(r)) < 0)
		return failed("read");
	printf("ok %lu %lu %lu %lu %lu %d\n",
	       ring->page ? head_of(ring) : 0, ring->tail, r.count, r.lost,
	       r.id, ring->fd);
	return 0;
}

static int move(struct ring *ring, const struct ring *to)
{
	unmap(ring);
	return ioctl(ring->fd, PERF_EVENT_IOC_SET_OUTPUT, to->fd);
}

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/*
 * Sleep 1 ms; true once another line has come, which is consumed, or the end of
 * input. stdin is unbuffered, so no line can wait in a buffer.
 */
static bool is_told(void)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
	char line[64];

	return poll(&p, 1, 1) > 0 &&
	       (fgets(line, sizeof(line), stdin) || feof(stdin));
}

/*
 * A drain for every 64 lines, so that the tail moves too.  The last line is
 * from after the end was requested.
 */
static int run(struct ring *ring, const char *path)
{
	FILE *out = fopen(path, "we");
	bool told = false;

	if (!out)
		return failed(path);
	for (unsigned int i = 0; !told; i++) {
		uint64_t before, head, tail;

		told = is_told();
		fault(1 + i % 4);
		if (i % 64 == 63)
			drain(ring);
		before = now();
		head = head_of(ring);
		tail = ring->tail;
		fprintf(out, "%lu %lu %lu %lu\n", before, head, tail, now());
	}
	return fclose(out) ? failed(path) : 0;
}

static void set_tail(struct ring *ring, int64_t beyond)
{
	__atomic_store_n(&ring->page->data_tail,
			 head_of(ring) + (uint64_t)beyond, __ATOMIC_RELEASE);
}

static void write_garbage(struct perf_event_mmap_page *page)
{
	uint64_t any = (uint64_t)random() << 33 ^ (uint64_t)random();

	page->data_head = any;
	page->data_tail = any * 3;
	page->data_offset = page->data_size = any >> 7;
	page->aux_head = any * 5;
	page->aux_tail = any * 7;
	page->aux_offset = page->aux_size = any >> 9;
}

/* With a page fault now and then, at which the kernel stores the head again. */
static int scribble(struct ring *ring)
{
	do {
		for (unsigned int i = 0; i < 4096; i++)
			write_garbage(ring->page);
		fault(1);
	} while (!is_told());
	ring->page->data_tail = 0;
	ring->page->aux_head = ring->page->aux_tail = 0;
	fault(1);
	set_tail(ring, 0);
	return printf("ok %lu\n", head_of(ring));
}

/*
 * All operations that a mapping or descriptor of another process would make
 * fail.
 */
static int churn_once(size_t pages)
{
	char *const none[] = { NULL };
	struct ring a = { .fd = -1 }, b = { .fd = -1 };
	int err = 0;

	if (ring_open(&a, pages, none) || ring_open(&b, 1, none))
		return -1;
	ioctl(a.fd, PERF_EVENT_IOC_ENABLE, 0);
	ioctl(b.fd, PERF_EVENT_IOC_ENABLE, 0);
	fault(20);
	drain(&a);
	unmap(&a);
	if (map(&a, pages * 2))
		err = failed("map another size");
	else if (move(&b, &a))
		err = failed("redirect");
	else if (fault(20), unmap(&a), map(&a, 1))
		err = failed("map a third time");
	forget(&b);
	forget(&a);
	return err;
}

static int churn(unsigned long rounds, size_t pages)
{
	for (unsigned long i = 0; i < rounds; i++)
		if (churn_once(pages))
			return -1;
	return 0;
}

/* The number of records between two drains is fixed, independent of speed. */
static void gaps(struct ring *ring, double seconds, char *const *faults)
{
	uint64_t end = now() + (uint64_t)(seconds * 1e9);

	do {
		for (size_t i = 0; faults[i]; i++) {
			fault(strtoul(faults[i], NULL, 0));
			drain(ring);
		}
		poll(NULL, 0, 1);
	} while (now() < end);
}

static int woken(const struct ring *ring, int ms)
{
	struct pollfd p = { .fd = ring->fd, .events = POLLIN };

	return poll(&p, 1, ms) > 0;
}

/* Commands for one ring; 1 if there is no such command. */
static int tell_ring(const char *word, struct ring *ring, char *const *rest)
{
	unsigned long n = rest[0] ? strtoul(rest[0], NULL, 0) : 0;
	struct drained got;

	if (strcmp(word, "open") == 0)
		return ring_open(ring, n, rest);
	if (strcmp(word, "close") == 0) {
		close(ring->fd);
		ring->fd = -1;
	} else if (strcmp(word, "unmap") == 0) {
		unmap(ring);
	} else if (strcmp(word, "remap") == 0) {
		unmap(ring);
		return map(ring, n) ? failed("mmap") : 0;
	} else if (strcmp(word, "move") == 0) {
		return move(ring, &rings[n % RINGS]) ? failed(word) : 0;
	} else if (strcmp(word, "on") == 0) {
		return ioctl(ring->fd, PERF_EVENT_IOC_ENABLE, 0) ?
			failed(word) : 0;
	} else if (strcmp(word, "off") == 0) {
		return ioctl(ring->fd, PERF_EVENT_IOC_DISABLE, 0) ?
			failed(word) : 0;
	} else if (strcmp(word, "pause") == 0) {
		return ioctl(ring->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, n) ?
			failed(word) : 0;
	} else if (strcmp(word, "tail") == 0) {
		set_tail(ring, rest[0] ? strtol(rest[0], NULL, 0) : 0);
	} else if (strcmp(word, "scribble") == 0) {
		return scribble(ring);
	} else if (strcmp(word, "run") == 0 && rest[0]) {
		return run(ring, rest[0]);
	} else if (strcmp(word, "gaps") == 0 && rest[0]) {
		gaps(ring, strtod(rest[0], NULL), rest + 1);
	} else if (strcmp(word, "poll") == 0) {
		return printf("ok %d\n", woken(ring, (int)n));
	} else if (strcmp(word, "read") == 0) {
		return say_reading(ring) ? -1 : 1;
	} else if (strcmp(word, "drain") == 0) {
		got = drain(ring);
		return printf("ok %lu %lu %lu\n", got.records, got.lost,
			      got.bytes);
	} else {
		return refuse("no such word: %s", word);
	}
	return 0;
}

/* 0: done; "ok" still has to be printed. */
static int tell(char *const *words)
{
	char *const *rest = words + 2;
	unsigned long n;

	if (!words[0] || !words[1])
		return refuse("a word is missing");
	n = strtoul(words[1], NULL, 0);
	if (strcmp(words[0], "fault") == 0) {
		fault(n);
		return 0;
	}
	if (strcmp(words[0], "churn") == 0)
		return churn(n, rest[0] ? strtoul(rest[0], NULL, 0) : 1);
	return tell_ring(words[0], &rings[n % RINGS], rest);
}

static void split(char *line, char *words[WORDS + 1])
{
	char *state = NULL, *word = strtok_r(line, " \n", &state);
	size_t n = 0;

	for (; word && n < WORDS; word = strtok_r(NULL, " \n", &state))
		words[n++] = word;
	for (; n <= WORDS; n++)
		words[n] = NULL;
}

int main(void)
{
	char line[512], *words[WORDS + 1];

	page_size = (size_t)sysconf(_SC_PAGESIZE);
	arena = mmap(NULL, FAULT_PAGES * page_size, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (arena == MAP_FAILED)
		return 1;
	/* a fault of a huge page would stand for many */
	madvise(arena, FAULT_PAGES * page_size, MADV_NOHUGEPAGE);
	setvbuf(stdin, NULL, _IONBF, 0);
	setvbuf(stdout, NULL, _IOLBF, 0);
	fault(1);
	while (fgets(line, sizeof(line), stdin)) {
		split(line, words);
		if (tell(words) == 0)
			puts("ok");
	}
	return 0;
}
