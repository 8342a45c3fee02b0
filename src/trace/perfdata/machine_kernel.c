/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/perfdata/machine_kernel.h"

#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sys.h"
#include "base/text.h"
#include "trace/perfdata/machine.h"

enum {
	NOTES_BYTES = 64 << 10,
	MODULES_MAX = 16384,
	LIST_BYTES = 16 << 20,		/* of a list of modules */
};

/* The build-id among @size bytes of notes, elf(5).  Its length, 0 for none. */
static size_t find_build_id(const char *notes, size_t size, uint8_t id[20])
{
	size_t at = 0;

	while (at <= size && size - at >= sizeof(Elf64_Nhdr)) {
		size_t name, desc;
		Elf64_Nhdr note;

		memcpy(&note, notes + at, sizeof(note));
		if (note.n_namesz > size || note.n_descsz > size)
			return 0;
		name = at + sizeof(note);
		desc = name + ((note.n_namesz + 3u) & ~3u);
		at = desc + ((note.n_descsz + 3u) & ~3u);
		if (desc + note.n_descsz > size)
			return 0;
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
		    memcmp(notes + name, "GNU", 4) || note.n_descsz > 20)
			continue;
		memcpy(id, notes + desc, note.n_descsz);
		return note.n_descsz;
	}
	return 0;
}

static size_t read_build_id(const char *path, uint8_t id[20])
{
	char *notes;
	ssize_t len = sys_read_file_alloc(path, NOTES_BYTES, &notes);
	size_t found = len > 0 ? find_build_id(notes, (size_t)len, id) : 0;

	free(notes);
	return found;
}

/* "address type name", of the kernel itself. */
static bool parse_symbol(const char *line, uint64_t *addr, const char **name)
{
	char *end;

	*addr = strtoull(line, &end, 16);
	if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ')
		return false;
	*name = end + 3;
	return true;
}

/*
 * From _text to _etext.  Addresses are all 0 where they are hidden.  Symbols
 * come by address, so that what is behind _etext is not read: a kernel has
 * some 200,000 of them.
 */
static void read_addresses(struct perfdata_machine *machine, const char *root)
{
	char path[PATH_MAX], *line = NULL;
	const char *name;
	size_t size = 0;
	uint64_t addr;
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/kallsyms", root);
	f = fopen(path, "re");
	if (!f)
		return;
	while (getline(&line, &size, f) > 0) {
		if (!parse_symbol(line, &addr, &name))
			continue;
		if (!strcmp(name, "_text\n"))
			machine->kernel_start = addr;
		if (!strcmp(name, "_etext\n")) {
			machine->kernel_end = addr;
			break;
		}
	}
	free(line);
	fclose(f);
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
	m->build_id_len = read_build_id(path, m->build_id);
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
	machine->kernel_build_id_len =
		read_build_id(path, machine->kernel_build_id);
	read_addresses(machine, root);
	ret = read_modules(machine, root);
	return ret ? ret : find_modules(machine, root);
}
