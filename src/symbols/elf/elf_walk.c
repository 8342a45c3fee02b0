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
#include <unistd.h>

#include "base/array.h"
#include "base/sys.h"
#include "symbols/elf/debug_file.h"
#include "symbols/elf/elf_file.h"
#include "symbols/elf/elf_symbols.h"

enum {
	TABLE_MAX = 64 << 20,	/* limit of a table, bytes */
	PIECE = 2048,		/* symbols read at a time */
	/*
	 * Strings are mostly in the order of their symbols, or in a few such
	 * sequences, for each of which a window is kept.
	 */
	WINDOWS = 64,
	STEP = 4096,		/* distance between the starts of windows */
	WINDOW = 2 * STEP,	/* longer, so that most strings end in it */
};

struct window {
	bool read;
	uint64_t at;
	size_t len;
	char text[WINDOW];
};

struct elf_syms {
	struct elf_file *f;
	uint64_t offset;	/* position of the table */
	size_t item, nr;
	bool cut;
	size_t first, held;	/* symbols in @piece */
	union {
		Elf64_Sym wide[PIECE];
		Elf32_Sym narrow[PIECE];
	} piece;
	uint64_t strings, strings_len;	/* position of the string table */
	struct window windows[WINDOWS];
	char longest[ELF_STRING_MAX];
};

static bool set_table(struct elf_syms *s, const GElf_Shdr *shdr)
{
	uint64_t size = shdr->sh_size;

	s->item = gelf_fsize(s->f->elf, ELF_T_SYM, 1, EV_CURRENT);
	if (!s->item || shdr->sh_entsize != s->item ||
	    !elf_file_has(s->f, shdr))
		return false;
	s->cut = size > TABLE_MAX;
	if (s->cut)
		size = TABLE_MAX;
	s->offset = shdr->sh_offset;
	s->nr = (size_t)size / s->item;
	return true;
}

static bool set_strings(struct elf_syms *s, size_t section)
{
	Elf_Scn *scn = elf_getscn(s->f->elf, section);
	GElf_Shdr shdr;

	if (!scn || !gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_STRTAB ||
	    !elf_file_has(s->f, &shdr))
		return false;
	s->strings = shdr.sh_offset;
	s->strings_len = shdr.sh_size;
	return true;
}

/*
 * Open the table in section @scn of @f, which must stay open.  0 with *@out;
 * -ENOENT if it is no valid table; -ENOMEM.
 */
static int open_syms(struct elf_file *f, Elf_Scn *scn, struct elf_syms **out)
{
	struct elf_syms *s = calloc(1, sizeof(*s));
	GElf_Shdr shdr;

	if (!s)
		return -ENOMEM;
	s->f = f;
	if (!gelf_getshdr(scn, &shdr) || !set_table(s, &shdr) ||
	    !set_strings(s, shdr.sh_link)) {
		free(s);
		return -ENOENT;
	}
	*out = s;
	return 0;
}

size_t elf_syms_len(const struct elf_syms *s)
{
	return s->nr;
}

bool elf_syms_cut(const struct elf_syms *s)
{
	return s->cut;
}

/* Read the piece that starts with symbol @i. */
static bool read_piece(struct elf_syms *s, size_t i)
{
	size_t want = s->nr - i < PIECE ? s->nr - i : PIECE;
	Elf_Data data = {
		.d_buf = &s->piece,
		.d_type = ELF_T_SYM,
		.d_version = EV_CURRENT,
	};

	data.d_size = elf_file_read(s->f, s->offset + i * s->item, &s->piece,
				    want * s->item);
	s->first = i;
	s->held = data.d_size / s->item;
	data.d_size = s->held * s->item;
	return s->held && gelf_xlatetom(s->f->elf, &data, &data,
					s->f->ehdr.e_ident[EI_DATA]);
}

bool elf_syms_at(struct elf_syms *s, size_t i, GElf_Sym *sym)
{
	const Elf32_Sym *narrow;

	if (i >= s->nr)
		return false;
	if ((i < s->first || i - s->first >= s->held) && !read_piece(s, i))
		return false;
	i -= s->first;
	if (s->item == sizeof(Elf64_Sym)) {
		*sym = s->piece.wide[i];
		return true;
	}
	narrow = &s->piece.narrow[i];
	*sym = (GElf_Sym){
		.st_name = narrow->st_name,
		.st_info = narrow->st_info,
		.st_other = narrow->st_other,
		.st_shndx = narrow->st_shndx,
		.st_value = narrow->st_value,
		.st_size = narrow->st_size,
	};
	return true;
}

/* Read the string table from @offset into @buf.  Returns the bytes read. */
static size_t read_strings(const struct elf_syms *s, uint64_t offset,
			   char *buf, size_t size)
{
	if (size > s->strings_len - offset)
		size = (size_t)(s->strings_len - offset);
	return elf_file_read(s->f, s->strings + offset, buf, size);
}

static struct window *window_of(struct elf_syms *s, uint64_t offset)
{
	uint64_t at = offset - offset % STEP;
	struct window *w = &s->windows[at / STEP % WINDOWS];

	if (!w->read || w->at != at) {
		w->len = read_strings(s, at, w->text, sizeof(w->text));
		w->at = at;
		w->read = true;
	}
	return w;
}

const char *elf_syms_string(struct elf_syms *s, uint64_t offset)
{
	struct window *w;
	size_t in, len;

	if (offset >= s->strings_len)
		return NULL;
	w = window_of(s, offset);
	in = (size_t)(offset - w->at);
	if (in < w->len && memchr(w->text + in, 0, w->len - in))
		return w->text + in;
	len = read_strings(s, offset, s->longest, sizeof(s->longest));
	return memchr(s->longest, 0, len) ? s->longest : NULL;
}

static const char default_debug_root[] = "/usr/lib/debug";

enum {
	DATA_FIRST = 64 << 10,
	DATA_MAX = 32 << 20,		/* of the decompressed file */
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
			if (array_fit_max(buf, room, MAX(room + 1, DATA_FIRST),
					  DATA_MAX))
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
	got = open_syms(f, scn, &syms);
	if (got)
		return got == -ENOENT ? 0 : got;
	got = w->fn(w->ctx, f, syms);
	free(syms);
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
			    const char *path,
			    const struct elf_symbols_opts *opts)
{
	struct debug_file want = {
		.root = opts->debug_root ? opts->debug_root :
					   default_debug_root,
		.prefix = opts->prefix ? opts->prefix : "",
		.path = path,
		.owner = opts->owner,
		.until = opts->debug_seconds > 0 ?
				 sys_now() + opts->debug_seconds : 0,
		.budget = opts->budget,
	};
	char found[PATH_MAX];
	int got = 0;

	elf_file_build_id(f, &want.id);
	debug_file_read_link(&want, f);
	for (unsigned int n = 0; !got; n++) {
		int fd = debug_file_open(&want, n, found, sizeof(found));

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

int elf_walk(struct elf_file *f, const char *path,
	     const struct elf_symbols_opts *opts,
	     elf_walk_fn *fn, void *ctx, unsigned int *tables)
{
	struct walk w = { .fn = fn, .ctx = ctx };
	int got = give_table(&w, f, SHT_SYMTAB);

	*tables = got > 0 ? ELF_SYMTAB : 0;
	if (!got && path) {
		got = give_debug_files(&w, f, path, opts);
		*tables = got > 0 ? ELF_DEBUG_FILE : 0;
	}
	if (got)
		return MIN(got, 0);
	got = give_table(&w, f, SHT_DYNSYM);
	*tables |= got > 0 ? ELF_DYNSYM : 0;
	if (got >= 0)
		got = give_debug_data(&w, f);
	*tables |= got > 0 ? ELF_DEBUGDATA : 0;
	return MIN(got, 0);
}

struct functions {
	struct elf_load *loads;	/* of the file itself */
	int nr_loads;
	elf_function_fn *fn;
	void *ctx;
};

static bool is_function(const GElf_Sym *sym)
{
	int type = GELF_ST_TYPE(sym->st_info);

	return sym->st_name && sym->st_shndx != SHN_UNDEF &&
	       sym->st_shndx < SHN_LORESERVE &&
	       (type == STT_FUNC || type == STT_GNU_IFUNC);
}

static char bind_of(const GElf_Sym *sym)
{
	switch (GELF_ST_BIND(sym->st_info)) {
	case STB_GLOBAL:
	case STB_GNU_UNIQUE:
		return 'g';
	case STB_WEAK:
		return 'w';
	default:
		return 'l';
	}
}

/* Convert @vaddr to a file offset.  False if it is not in the file. */
static bool offset_of(const struct functions *w, uint64_t vaddr, uint64_t *offset)
{
	for (int i = 0; i < w->nr_loads; i++) {
		const struct elf_load *load = &w->loads[i];

		if (vaddr - load->vaddr >= load->size)
			continue;
		*offset = vaddr - load->vaddr + load->offset;
		return true;
	}
	return false;
}

/* 0, or what @fn returned. */
static int visit(const struct functions *w, const struct elf_file *f,
		 struct elf_syms *syms, const GElf_Sym *sym, int *found)
{
	struct elf_function function = {
		.size = sym->st_size,
		.bind = bind_of(sym),
	};
	uint64_t vaddr = sym->st_value;

	if (!is_function(sym))
		return 0;
	if (f->ehdr.e_machine == EM_ARM)
		vaddr &= ~(uint64_t)1;	/* bit 0 marks Thumb code */
	if (!offset_of(w, vaddr, &function.offset))
		return 0;
	function.name = elf_syms_string(syms, sym->st_name);
	if (!function.name || !*function.name)
		return 0;
	++*found;
	return w->fn(w->ctx, &function);
}

static int visit_table(void *ctx, struct elf_file *f, struct elf_syms *syms)
{
	int ret = 0, found = 0;
	GElf_Sym sym;

	for (size_t i = 1; !ret && elf_syms_at(syms, i, &sym); i++)
		ret = visit(ctx, f, syms, &sym, &found);
	return ret ? ret : found;
}

int elf_functions_each(int fd, const char *path, elf_function_fn *fn, void *ctx)
{
	const struct elf_symbols_opts opts = { .owner = getuid() };
	struct functions w = { .fn = fn, .ctx = ctx };
	unsigned int tables;
	struct elf_file f;
	int ret = elf_file_open(&f, fd);

	if (ret)
		return ret;
	w.nr_loads = elf_file_loads(&f, &w.loads);
	ret = w.nr_loads < 0 ? w.nr_loads :
			       elf_walk(&f, path, &opts, visit_table, &w,
					&tables);
	free(w.loads);
	elf_file_close(&f);
	return ret;
}
