/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/perfdata/machine_kernel.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sys.h"
#include "base/text.h"
#include "symbols/elf/elf_file.h"
#include "symbols/elf/kallsyms_lines.h"
#include "trace/perfdata/machine.h"

enum {
	NOTES_BYTES = 64 << 10,
	MODULES_MAX = 16384,
	LIST_BYTES = 16 << 20,		/* of a list of modules */
};

static void read_build_id(const char *path, struct elf_build_id *id)
{
	char *notes;
	ssize_t len = sys_read_file_alloc(path, NOTES_BYTES, &notes);

	if (len > 0)
		elf_file_find_build_id((unsigned char *)notes, (size_t)len, 4,
				       false, id);
	free(notes);
}

/*
 * From _text to _etext.  Symbols come by address, so that what is behind
 * _etext is not read: a kernel has some 200,000 of them.
 */
static int take_address(void *ctx, const struct kallsyms_line *line)
{
	struct perfdata_machine *machine = ctx;

	if (line->module[0])
		return 0;
	if (!strcmp(line->name, "_text"))
		machine->kernel_start = line->addr;
	if (strcmp(line->name, "_etext"))
		return 0;
	machine->kernel_end = line->addr;
	return 1;
}

/* They are all 0 where they are hidden. */
static void read_addresses(struct perfdata_machine *machine, const char *root)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/proc/kallsyms", root);
	fd = sys_open_read(path);
	if (fd < 0)
		return;
	kallsyms_lines_each(fd, take_address, machine);
	sys_close(fd);
	if (machine->kernel_end <= machine->kernel_start)
		machine->kernel_start = machine->kernel_end = 0;
	machine->kernel_ref = machine->kernel_start;
}

static int add_module(struct perfdata_machine *machine, const char *name,
		      uint64_t start, uint64_t len, const char *root)
{
	struct perfdata_module *m;
	char path[PATH_MAX];

	m = array_add(machine->modules, machine->nr_modules,
		      machine->room_modules);
	if (!m)
		return -ENOMEM;
	m->start = start;
	m->len = len;
	snprintf(m->name, sizeof(m->name), "[%.60s]", name);
	text_sanitize(m->name);
	snprintf(path, sizeof(path),
		 "%s/sys/module/%s/notes/.note.gnu.build-id", root, name);
	read_build_id(path, &m->build_id);
	return 0;
}

/* "ext4 831488 1 - Live 0xffffffffc0400000" */
static int read_modules(struct perfdata_machine *machine, const char *root)
{
	char path[PATH_MAX], *text, *rest, *line;
	int ret = 0;

	snprintf(path, sizeof(path), "%s/proc/modules", root);
	if (sys_read_file_alloc(path, LIST_BYTES, &text) < 0)
		return 0;
	rest = text;
	while (!ret && (line = strsep(&rest, "\n"))) {
		unsigned long long len, start;
		char name[57];

		if (sscanf(line, "%56s %llu %*s %*s %*s 0x%llx", name, &len,
			   &start) != 3 ||
		    !start || !len || start + len < start ||
		    !text_is_file_name(name) ||
		    machine->nr_modules == MODULES_MAX)
			continue;
		ret = add_module(machine, name, start, len, root);
	}
	free(text);
	return ret;
}

static int by_name(const void *a, const void *b)
{
	const struct perfdata_module *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* "[snd_pcm]" for "kernel/sound/core/snd-pcm.ko.xz"; false for no module. */
static bool module_name(const char *path, size_t len, char *name, size_t size)
{
	const char *slash = memrchr(path, '/', len);
	const char *base = slash ? slash + 1 : path;
	const char *end = memmem(base, len - (size_t)(base - path), ".ko", 3);
	size_t n = end ? (size_t)(end - base) : 0;

	if (!n || n + 3 > size)
		return false;
	snprintf(name, size, "[%.*s]", (int)n, base);
	for (char *c = name; *c; c++) {
		if (*c == '-')
			*c = '_';
	}
	return true;
}

static int set_path(struct perfdata_machine *machine, const char *dir,
		    const char *path, size_t len)
{
	struct perfdata_module key, *m;

	if (!module_name(path, len, key.name, sizeof(key.name)))
		return 0;
	m = bsearch(&key, machine->modules, machine->nr_modules,
		    sizeof(*machine->modules), by_name);
	if (!m || m->path)
		return 0;
	if (asprintf(&m->path, "%s/%.*s", dir, (int)len, path) < 0) {
		m->path = NULL;
		return -ENOMEM;
	}
	return 0;
}

/* modules.dep: "kernel/fs/ext4/ext4.ko.xz: kernel/fs/jbd2/jbd2.ko.xz" */
static int find_modules(struct perfdata_machine *machine, const char *root)
{
	char dir[128], path[PATH_MAX], *text, *rest, *line;
	int ret = 0;

	if (!machine->nr_modules)
		return 0;
	snprintf(dir, sizeof(dir), "/lib/modules/%s", machine->release);
	snprintf(path, sizeof(path), "%s%s/modules.dep", root, dir);
	if (sys_read_file_alloc(path, LIST_BYTES, &text) < 0)
		return 0;
	qsort(machine->modules, machine->nr_modules, sizeof(*machine->modules),
	      by_name);
	rest = text;
	while (!ret && (line = strsep(&rest, "\n"))) {
		size_t len = strcspn(line, ":");

		if (line[len] && len < PATH_MAX / 2)
			ret = set_path(machine, dir, line, len);
	}
	free(text);
	return ret;
}

int machine_kernel_read(struct perfdata_machine *machine, const char *root)
{
	char path[PATH_MAX];
	int ret;

	snprintf(path, sizeof(path), "%s/sys/kernel/notes", root);
	read_build_id(path, &machine->kernel_build_id);
	read_addresses(machine, root);
	ret = read_modules(machine, root);
	return ret ? ret : find_modules(machine, root);
}
