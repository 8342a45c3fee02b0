/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/elf/elf_walk.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "symbols/elf/debug_data.h"
#include "symbols/elf/debug_file.h"
#include "symbols/elf/elf_file.h"
#include "symbols/elf/elf_syms.h"

static const char default_debug_root[] = "/usr/lib/debug";

struct walk {
	elf_walk_fn *fn;
	void *ctx;
	char where[PATH_MAX];	/* path of the debug file */
};

/* Call back with the table of @type, if there is one.  Its result. */
static int give_table(struct walk *w, struct elf_file *f, uint32_t type)
{
	struct elf_syms *syms;
	GElf_Shdr shdr;
	Elf_Scn *scn = elf_file_section(f, type, NULL, &shdr);
	int got;

	if (!scn)
		return 0;
	got = elf_syms_open(f, scn, &syms);
	if (got)
		return got == -ENOENT ? 0 : got;
	got = w->fn(w->ctx, f, syms);
	elf_syms_free(syms);
	return got;
}

static int give_debug_file(struct walk *w, const struct debug_file *want,
			   int fd)
{
	struct elf_file f;
	GElf_Shdr shdr;
	int got = 0;

	if (!elf_file_open(&f, fd)) {
		if (elf_file_section(&f, SHT_SYMTAB, NULL, &shdr))
			debug_file_charge(want, shdr.sh_size);
		got = give_table(w, &f, SHT_SYMTAB);
		elf_file_close(&f);
	}
	return got;
}

static int give_debug_files(struct walk *w, struct elf_file *f,
			    const struct elf_walk_opts *opts)
{
	struct debug_file want = {
		.root = opts->debug_root ? opts->debug_root :
					   default_debug_root,
		.prefix = opts->prefix ? opts->prefix : "",
		.path = opts->path,
		.owner = opts->owner,
		.until = opts->debug_seconds > 0 ?
				 sys_now() + opts->debug_seconds : 0,
		.budget = opts->budget,
	};
	int got = 0;

	elf_file_build_id(f, &want.id);
	debug_file_read_link(&want, f);
	for (unsigned int n = 0; !got; n++) {
		int fd = debug_file_open(&want, n, w->where, sizeof(w->where));

		if (fd == -ERANGE)
			break;
		if (fd < 0)
			continue;
		got = give_debug_file(w, &want, fd);
		sys_close(fd);
	}
	return got;
}

static int give_debug_data(struct walk *w, struct elf_file *f)
{
	struct elf_file inner;
	size_t size;
	void *image = debug_data_read(f, &size);
	int got = 0;

	if (!image)
		return 0;
	if (!elf_file_memory(&inner, image, size)) {
		got = give_table(w, &inner, SHT_SYMTAB);
		elf_file_close(&inner);
	}
	free(image);
	return got;
}

/* 0 with *@origin, or -ENOMEM. */
static int set_origin(char **origin, const char *what, const char *where)
{
	if (asprintf(origin, "%s%s", what, where) >= 0)
		return 0;
	*origin = NULL;
	return -ENOMEM;
}

/* Use the tables of a file without .symtab. */
static int give_stripped(struct walk *w, struct elf_file *f, char **origin)
{
	int exported = give_table(w, f, SHT_DYNSYM);
	int more = exported < 0 ? exported : give_debug_data(w, f);

	if (more < 0)
		return more;
	if (!exported && !more)
		return set_origin(origin, "no symbols", "");
	return set_origin(origin, exported ? "dynsym" : ".gnu_debugdata",
			  exported && more ? " and .gnu_debugdata" : "");
}

int elf_walk(struct elf_file *f, const struct elf_walk_opts *opts,
	     elf_walk_fn *fn, void *ctx, char **origin)
{
	struct walk w = { .fn = fn, .ctx = ctx };
	int got = give_table(&w, f, SHT_SYMTAB);

	*origin = NULL;
	if (got > 0)
		return set_origin(origin, "symtab", "");
	if (!got && opts->path)
		got = give_debug_files(&w, f, opts);
	if (got > 0)
		return set_origin(origin, "debug file ", w.where);
	return got ? got : give_stripped(&w, f, origin);
}
