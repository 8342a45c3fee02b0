/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/kernel_symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "symbols/elf/kallsyms.h"

#define FIRST_INTERVAL_NS 10000000000ull
#define LAST_INTERVAL_NS 600000000000ull

struct kernel_symbols {
	int fd;				/* -errno: failed to open */
	char path[PATH_MAX], proc[PATH_MAX / 2];
	struct kallsyms *kallsyms;	/* NULL: not read, or hidden */
	bool tried;
	bool changed;			/* by records, since it was read */
	uint64_t generation;
	uint64_t missed;		/* unknown addresses since it was
					 * read */
	uint64_t read_at, interval;	/* ns */
	char hidden[256];
};

struct kernel_symbols *kernel_symbols_new(const char *path, const char *proc)
{
	struct kernel_symbols *k = calloc(1, sizeof(*k));

	if (!k)
		return NULL;
	snprintf(k->path, sizeof(k->path), "%s", path);
	snprintf(k->proc, sizeof(k->proc), "%s", proc);
	k->fd = *path ? sys_open_read(path) : -ENOENT;
	k->generation = 1ull << 63;
	k->interval = FIRST_INTERVAL_NS;
	return k;
}

void kernel_symbols_free(struct kernel_symbols *k)
{
	if (!k)
		return;
	kallsyms_free(k->kallsyms);
	sys_close(k->fd);
	free(k);
}

/*
 * Whether addresses are visible: kallsyms_show_value() in
 * kernel/ksyms_common.c.
 */
static void say_zeroed(struct kernel_symbols *k)
{
	char path[PATH_MAX];
	long long restricted = 0;

	snprintf(path, sizeof(path), "%s/sys/kernel/kptr_restrict",
		 *k->proc ? k->proc : "/proc");
	sys_read_number(path, &restricted);
	if (restricted >= 2)
		snprintf(k->hidden, sizeof(k->hidden),
			 "kernel.kptr_restrict is %lld, which hides kernel "
			 "addresses from everyone; as root: sysctl "
			 "kernel.kptr_restrict=1",
			 restricted);
	else if (restricted == 1)
		snprintf(k->hidden, sizeof(k->hidden),
			 "kernel.kptr_restrict is 1: kernel addresses need "
			 "CAP_SYSLOG; run as root");
	else
		snprintf(k->hidden, sizeof(k->hidden),
			 "kernel addresses need CAP_SYSLOG while "
			 "kernel.perf_event_paranoid is above 1; run as root");
}

static void say_why(struct kernel_symbols *k, int error)
{
	if (!*k->path)
		snprintf(k->hidden, sizeof(k->hidden),
			 "the recording is of another kernel or boot: build-id "
			 "or addresses differ");
	else if (error == -EACCES && k->fd >= 0)
		say_zeroed(k);
	else if (error == -ENOENT)
		snprintf(k->hidden, sizeof(k->hidden),
			 "there is no %.100s: the kernel was built without "
			 "CONFIG_KALLSYMS, or /proc is not mounted",
			 k->path);
	else
		snprintf(k->hidden, sizeof(k->hidden),
			 "cannot read %.100s: %s", k->path, strerror(-error));
}

static void read_kallsyms(struct kernel_symbols *k)
{
	struct kallsyms *fresh = NULL;
	int ret = k->fd;

	k->tried = true;
	k->missed = 0;
	if (k->fd >= 0)
		ret = kallsyms_read(k->fd, &fresh);
	if (ret < 0) {
		/* keep the present symbols, if any */
		if (!k->kallsyms)
			say_why(k, ret);
		return;
	}
	kallsyms_free(k->kallsyms);
	k->kallsyms = fresh;
	k->changed = false;
	k->hidden[0] = '\0';
	k->generation++;
}

/* Records before the first reading are included in the text. */
void kernel_symbols_record(struct kernel_symbols *k,
			   const struct side_band_ksymbol *record)
{
	if (!k->kallsyms)
		return;
	if (record->unregister)
		kallsyms_remove(k->kallsyms, record->addr);
	else
		kallsyms_add(k->kallsyms, record->addr, record->len,
			     record->name);
	k->changed = true;
	k->generation++;
}

void kernel_symbols_restart(struct kernel_symbols *k)
{
	k->tried &= !k->changed;
}

const char *kernel_symbols_find(struct kernel_symbols *k, uint64_t addr,
				struct names *names, uint64_t *start,
				const char **dso)
{
	const char *name;

	if (!k->tried)
		read_kallsyms(k);
	if (!k->kallsyms)
		return NULL;
	name = kallsyms_find(k->kallsyms, addr, names, start, dso);
	if (!name)
		k->missed++;
	return name;
}

/* Waits longer if there was nothing new: some addresses have no symbol. */
void kernel_symbols_refresh(struct kernel_symbols *k, uint64_t now_ns)
{
	size_t before = kernel_symbols_len(k);

	if (!k->read_at)
		k->read_at = now_ns;
	if (!k->kallsyms || !k->missed || now_ns < k->read_at + k->interval)
		return;
	read_kallsyms(k);
	k->read_at = now_ns;
	if (kernel_symbols_len(k) != before)
		k->interval = FIRST_INTERVAL_NS;
	else if (k->interval < LAST_INTERVAL_NS)
		k->interval *= 2;
}

uint64_t kernel_symbols_generation(const struct kernel_symbols *k)
{
	return k->generation;
}

const char *kernel_symbols_hidden(const struct kernel_symbols *k)
{
	return k->hidden[0] ? k->hidden : NULL;
}

size_t kernel_symbols_len(const struct kernel_symbols *k)
{
	return k->kallsyms ? kallsyms_len(k->kallsyms) : 0;
}

size_t kernel_symbols_bytes(const struct kernel_symbols *k)
{
	return k->kallsyms ? kallsyms_bytes(k->kallsyms) : 0;
}
