/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/elf/elf_symbols.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sys.h"
#include "samples/names.h"
#include "symbols/elf/elf_code.h"
#include "symbols/elf/elf_file.h"
#include "symbols/elf/elf_walk.h"
#include "symbols/elf/symbol_table.h"

/* Size of saved data besides the symbols: the loads, a last long name. */
enum { SAVED_REST = 4 << 20 };
/* The same for all files and machines, whatever their pages are. */
enum { PLACE_PAGE = 4096 };

struct elf_symbols {
	struct symbol_table *table;	/* by virtual address */
	struct elf_extents extents;	/* of functions without a symbol */
	struct elf_load *loads;
	int nr_loads;
	size_t max_bytes;
	bool cut;		/* some were dropped */
	unsigned int tables;	/* see elf_symbols_tables() */
};

/* Which symbols a section may have. */
enum section_kind {
	SECTION_OTHER,
	SECTION_CODE,
	SECTION_TEXT,		/* code whose labels are used as names */
};

/* State of reading a symbol table. */
struct reading {
	struct elf_symbols *to;
	struct elf_file *f;
	struct elf_syms *syms;
	uint8_t *kinds;		/* by section: enum section_kind */
	size_t nr_kinds;
};

static uint8_t section_kind(struct elf_file *f, const GElf_Shdr *shdr)
{
	if (!(shdr->sh_flags & SHF_EXECINSTR) || !(shdr->sh_flags & SHF_ALLOC))
		return SECTION_OTHER;
	return strstr(elf_file_section_name(f, shdr), "text") ? SECTION_TEXT :
								SECTION_CODE;
}

static int read_kinds(struct reading *r)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	if (elf_getshdrnum(r->f->elf, &r->nr_kinds) || !r->nr_kinds)
		return -ENOENT;
	r->kinds = calloc(r->nr_kinds, 1);
	if (!r->kinds)
		return -ENOMEM;
	while ((scn = elf_nextscn(r->f->elf, scn)))
		if (elf_ndxscn(scn) < r->nr_kinds && gelf_getshdr(scn, &shdr))
			r->kinds[elf_ndxscn(scn)] = section_kind(r->f, &shdr);
	return 0;
}

/* "$x", "$d.12": marks of code and data on ARM and RISC-V. */
static bool is_mapping_symbol(const struct reading *r, const char *name)
{
	switch (r->f->ehdr.e_machine) {
	case EM_ARM:
	case EM_AARCH64:
	case EM_RISCV:
		return name[0] == '$' && name[1] && strchr("adtx", name[1]) &&
		       (r->f->ehdr.e_machine == EM_RISCV || !name[2] ||
			name[2] == '.');
	default:
		return false;
	}
}

/*
 * Whether a symbol names code: like elf_sym__filter() and elf_sym__is_label()
 * of tools/perf/util/symbol-elf.c, for symbols in executable sections.
 */
static bool is_code(const struct reading *r, const GElf_Sym *sym)
{
	uint8_t kind;

	/*
	 * Higher values are SHN_ABS and SHN_COMMON.  SHN_XINDEX cannot occur,
	 * as elf_file refuses files with that many sections.
	 */
	if (!sym->st_name || sym->st_shndx == SHN_UNDEF ||
	    sym->st_shndx >= r->nr_kinds)
		return false;
	kind = r->kinds[sym->st_shndx];
	switch (GELF_ST_TYPE(sym->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
	case STT_OBJECT:
		return kind != SECTION_OTHER;
	case STT_NOTYPE:
		return kind == SECTION_TEXT &&
		       GELF_ST_VISIBILITY(sym->st_other) != STV_HIDDEN &&
		       GELF_ST_VISIBILITY(sym->st_other) != STV_INTERNAL;
	default:
		return false;
	}
}

static enum symbol_rank rank(const GElf_Sym *sym)
{
	if (GELF_ST_TYPE(sym->st_info) == STT_NOTYPE ||
	    GELF_ST_BIND(sym->st_info) == STB_WEAK)
		return SYMBOL_RANK_WEAK;
	return GELF_ST_BIND(sym->st_info) == STB_GLOBAL ? SYMBOL_RANK_GLOBAL :
							  SYMBOL_RANK_LOCAL;
}

/* 1 if it was added, 0 if it is not a function, -ENOMEM. */
static int add_symbol(struct reading *r, const GElf_Sym *sym)
{
	uint64_t addr = sym->st_value;
	const char *name;

	if (!is_code(r, sym))
		return 0;
	name = elf_syms_string(r->syms, sym->st_name);
	if (!name || !*name || is_mapping_symbol(r, name))
		return 0;
	if (r->f->ehdr.e_machine == EM_ARM &&
	    GELF_ST_TYPE(sym->st_info) == STT_FUNC)
		addr &= ~(uint64_t)1;	/* bit 0 marks Thumb code */
	if (symbol_table_add(r->to->table, addr, sym->st_size, name,
			     rank(sym)))
		return -ENOMEM;
	return 1;
}

/* Add the functions of a symbol table.  Returns their number, or -errno. */
static int read_table(struct reading *r)
{
	struct elf_symbols *to = r->to;
	GElf_Sym sym;
	int added = 0;

	to->cut |= elf_syms_cut(r->syms);
	for (size_t i = 1; elf_syms_at(r->syms, i, &sym); i++) {
		int got = add_symbol(r, &sym);

		if (got < 0)
			return got;
		added += got;
		if (symbol_table_used(to->table) >= to->max_bytes) {
			to->cut |= i + 1 < elf_syms_len(r->syms);
			break;
		}
	}
	return added;
}

/* Add a table of elf_walk().  The number of functions, or -ENOMEM. */
static int take_in(void *ctx, struct elf_file *f, struct elf_syms *syms)
{
	struct reading r = { .to = ctx, .f = f, .syms = syms };
	int got = read_kinds(&r);

	if (!got)
		got = read_table(&r);
	free(r.kinds);
	return got == -ENOENT ? 0 : got;
}

/* Read what the symbols leave room for. */
static int read_extents(struct elf_symbols *s, struct elf_file *f)
{
	size_t used = symbol_table_used(s->table);
	int err = elf_extents_read(&s->extents, f, s->table,
				   used < s->max_bytes ? s->max_bytes - used :
							 0);

	s->cut |= s->extents.cut;
	return err;
}

static int read_all(struct elf_symbols *s, struct elf_file *f,
		    const char *path, const struct elf_symbols_opts *opts)
{
	int err;

	s->nr_loads = elf_file_loads(f, &s->loads);
	if (s->nr_loads < 0)
		return s->nr_loads;
	if (!s->nr_loads)
		return -ENOEXEC;
	err = elf_walk(f, path, opts, take_in, s, &s->tables);
	if (!err)
		err = elf_plt_add(f, s->table, s->max_bytes);
	if (!err)
		err = symbol_table_sort(s->table);
	if (!err)
		err = read_extents(s, f);
	return err;
}

static int read_opened(struct elf_file *f, const char *path,
		       const struct elf_symbols_opts *opts,
		       struct elf_symbols **out)
{
	struct elf_symbols *s = calloc(1, sizeof(*s));
	int err = -ENOMEM;

	if (s) {
		s->max_bytes = opts->max_bytes;
		s->table = symbol_table_new();
	}
	if (s && s->table)
		err = read_all(s, f, path, opts);
	elf_file_close(f);
	if (err) {
		elf_symbols_free(s);
		return err;
	}
	*out = s;
	return 0;
}

int elf_symbols_read(int fd, const char *path,
		     const struct elf_symbols_opts *opts,
		     struct elf_symbols **out)
{
	struct elf_file f;
	int err = elf_file_open(&f, fd);

	return err ? err : read_opened(&f, path, opts, out);
}

int elf_symbols_image(const void *image, size_t size,
		      struct elf_symbols **out)
{
	struct elf_symbols_opts opts = { .max_bytes = SIZE_MAX };
	struct elf_file f;
	/* libelf needs it writable and aligned. */
	void *copy = malloc(size);
	int err;

	if (!copy)
		return -ENOMEM;
	memcpy(copy, image, size);
	err = elf_file_memory(&f, copy, size);
	if (!err)
		err = read_opened(&f, NULL, &opts, out);
	free(copy);
	return err;
}

void elf_symbols_free(struct elf_symbols *elf)
{
	if (!elf)
		return;
	symbol_table_free(elf->table);
	elf_extents_free(&elf->extents);
	free(elf->loads);
	free(elf);
}

/* Start of saved symbols; the loads, the extents and the table follow. */
struct saved {
	uint8_t cut, tables;
	int nr_loads;
};

static bool write_all(const struct elf_symbols *elf, FILE *out)
{
	const struct saved head = {
		.cut = elf->cut,
		.tables = (uint8_t)elf->tables,
		.nr_loads = elf->nr_loads,
	};

	return fwrite(&head, sizeof(head), 1, out) == 1 &&
	       fwrite(elf->loads, sizeof(*elf->loads), (size_t)head.nr_loads,
		      out) == (size_t)head.nr_loads &&
	       !elf_extents_save(&elf->extents, out) &&
	       !symbol_table_save(elf->table, out);
}

/* Open a stream on a file that stays open. */
static FILE *open_stream(int fd, const char *mode)
{
	int own = dup(fd);
	FILE *stream = own < 0 ? NULL : fdopen(own, mode);

	if (!stream)
		sys_close(own);
	return stream;
}

int elf_symbols_save(const struct elf_symbols *elf, int fd)
{
	FILE *out = open_stream(fd, "w");
	bool written = out && write_all(elf, out);

	if (!out || fclose(out) || !written)
		return errno ? -errno : -EIO;
	return 0;
}

/* The size, or -errno if it exceeds that of symbols of @max_bytes. */
static off_t saved_size(int fd, size_t max_bytes)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (st.st_size > SAVED_REST &&
	    (uint64_t)st.st_size - SAVED_REST > max_bytes)
		return -EFBIG;
	return st.st_size;
}

/* 0 or -errno; the file has @size bytes. */
static int read_saved(struct elf_symbols *s, FILE *in, size_t size)
{
	struct saved head;
	int err;

	if (fread(&head, sizeof(head), 1, in) != 1 || head.nr_loads <= 0 ||
	    (size_t)head.nr_loads > size / sizeof(*s->loads))
		return -EINVAL;
	s->cut = head.cut != 0;
	s->tables = head.tables;
	s->nr_loads = head.nr_loads;
	s->loads = calloc((size_t)head.nr_loads, sizeof(*s->loads));
	if (!s->loads)
		return -ENOMEM;
	if (fread(s->loads, sizeof(*s->loads), (size_t)head.nr_loads, in) !=
	    (size_t)head.nr_loads)
		return -EINVAL;
	err = elf_extents_restore(&s->extents, in, size);
	return err ? err : symbol_table_restore(in, size, &s->table);
}

int elf_symbols_restore(int fd, size_t max_bytes, struct elf_symbols **out)
{
	struct elf_symbols *s = calloc(1, sizeof(*s));
	FILE *in = open_stream(fd, "r");
	off_t size = saved_size(fd, max_bytes);
	int ret = s && in ? 0 : -ENOMEM;

	if (!ret && size < 0)
		ret = (int)size;
	if (!ret && fseeko(in, 0, SEEK_SET))
		ret = -errno;
	if (!ret)
		ret = read_saved(s, in, (size_t)size);
	if (in)
		fclose(in);
	if (ret)
		elf_symbols_free(s);
	else
		*out = s;
	return ret;
}

int elf_symbols_build_id(int fd, struct elf_build_id *id)
{
	struct elf_file f;
	int err = elf_file_open(&f, fd);

	if (err) {
		memset(id, 0, sizeof(*id));
		return err;
	}
	err = elf_file_build_id(&f, id);
	elf_file_close(&f);
	return err;
}

static const struct elf_load *load_at(const struct elf_symbols *elf,
				      uint64_t offset)
{
	for (int i = 0; i < elf->nr_loads; i++)
		if (offset - elf->loads[i].offset < elf->loads[i].size)
			return &elf->loads[i];
	return NULL;
}

const char *elf_symbols_find(struct elf_symbols *elf, uint64_t offset,
			     struct names *names, uint64_t *start)
{
	const struct elf_load *load = load_at(elf, offset);
	const char *name;
	uint64_t vaddr;

	if (!load)
		return NULL;
	name = symbol_table_find(elf->table,
				 offset - load->offset + load->vaddr, names,
				 &vaddr);
	if (name)
		*start = vaddr - load->vaddr + load->offset;
	return name;
}

const char *elf_symbols_place(const struct elf_symbols *elf, uint64_t offset,
			      struct names *names, uint64_t *start)
{
	const struct elf_load *load = load_at(elf, offset);
	char name[sizeof("page@0x") + 16];
	const char *kind = "page";
	uint64_t vaddr;

	if (!load)
		return NULL;
	*start = offset - offset % PLACE_PAGE;
	if (elf_extents_find(&elf->extents,
			     offset - load->offset + load->vaddr, &vaddr) &&
	    vaddr >= load->vaddr) {
		*start = vaddr - load->vaddr + load->offset;
		kind = "fn";
	}
	snprintf(name, sizeof(name), "%s@0x%" PRIx64, kind, *start);
	return names_add(names, name);
}

unsigned int elf_symbols_tables(const struct elf_symbols *elf)
{
	return elf->tables;
}

bool elf_symbols_cut(const struct elf_symbols *elf)
{
	return elf->cut;
}

size_t elf_symbols_bytes(const struct elf_symbols *elf)
{
	return sizeof(*elf) + symbol_table_bytes(elf->table) +
	       elf_extents_bytes(&elf->extents) +
	       (size_t)elf->nr_loads * sizeof(*elf->loads);
}
