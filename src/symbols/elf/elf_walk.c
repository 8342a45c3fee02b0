/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/elf/elf_walk.h"

#include <errno.h>
#include <limits.h>
#include <lzma.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/sys.h"
#include "symbols/elf/debug_file.h"
#include "symbols/elf/elf_file.h"
#include "symbols/elf/elf_syms.h"

static const char default_debug_root[] = "/usr/lib/debug";

enum {
	DATA_FIRST = 64 << 10,
	DATA_MOST = 32 << 20,		/* of the decompressed file */
	/*
	 * Of the decoder; xz -9 reserves 65 MiB, but touches only what it
	 * writes.
	 */
	DATA_MEMORY = 80 << 20,
};

/*
 * Decompress that file of @f to an allocation that the caller frees; *@size is
 * its size.  NULL if there is none, or if it is damaged or implausibly large.
 */
static void *read_debug_data(struct elf_file *f, size_t *size)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = elf_file_section(f, SHT_PROGBITS, ".gnu_debugdata",
					&shdr);
	Elf_Data *data = scn ? elf_file_data(f, scn) : NULL;
	lzma_stream xz = LZMA_STREAM_INIT;
	unsigned char *buf = NULL;
	size_t room = 0;
	lzma_ret ret = LZMA_OK;

	if (!data || lzma_stream_decoder(&xz, DATA_MEMORY, 0) != LZMA_OK)
		return NULL;
	xz.next_in = data->d_buf;
	xz.avail_in = data->d_size;
	while (ret == LZMA_OK) {
		if (!xz.avail_out) {
			if (array_fit_most(buf, room, MAX(room + 1, DATA_FIRST),
					   DATA_MOST))
				break;
			xz.next_out = buf + xz.total_out;
			xz.avail_out = room - (size_t)xz.total_out;
		}
		ret = lzma_code(&xz, LZMA_FINISH);
	}
	*size = (size_t)xz.total_out;
	lzma_end(&xz);
	if (ret != LZMA_STREAM_END) {
		free(buf);
		return NULL;
	}
	return buf;
}

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
	void *image = read_debug_data(f, &size);
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
