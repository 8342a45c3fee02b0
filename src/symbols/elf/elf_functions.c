/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/elf/elf_functions.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "symbols/elf/debug_data.h"
#include "symbols/elf/debug_file.h"
#include "symbols/elf/elf_file.h"
#include "symbols/elf/elf_syms.h"

struct walk {
	struct elf_load *loads;	/* of the file itself */
	int nr_loads;
	elf_function_fn *fn;
	void *ctx;
	size_t found;
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

/* Where in the file @vaddr stands.  False where no bytes of it do. */
static bool offset_of(const struct walk *w, uint64_t vaddr, uint64_t *offset)
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

static int visit(struct walk *w, const struct elf_file *f,
		 struct elf_syms *syms, const GElf_Sym *sym)
{
	struct elf_function function = {
		.size = sym->st_size,
		.bind = bind_of(sym),
	};
	uint64_t vaddr = sym->st_value;

	if (!is_function(sym))
		return 0;
	if (f->ehdr.e_machine == EM_ARM)
		vaddr &= ~(uint64_t)1;	/* it says: Thumb */
	if (!offset_of(w, vaddr, &function.offset))
		return 0;
	function.name = elf_syms_string(syms, sym->st_name);
	if (!function.name || !*function.name)
		return 0;
	w->found++;
	return w->fn(w->ctx, &function);
}

/* The functions of the table of @type, if there is one. */
static int walk_table(struct walk *w, struct elf_file *f, uint32_t type)
{
	struct elf_syms *syms;
	GElf_Shdr shdr;
	Elf_Scn *scn = elf_file_section(f, type, NULL, &shdr);
	GElf_Sym sym;
	int ret;

	if (!scn)
		return 0;
	ret = elf_syms_open(f, scn, &syms);
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	for (size_t i = 1; !ret && elf_syms_at(syms, i, &sym); i++)
		ret = visit(w, f, syms, &sym);
	elf_syms_free(syms);
	return ret;
}

static int walk_debug_files(struct walk *w, struct elf_file *f,
			    const char *path)
{
	struct debug_file want = {
		.root = "/usr/lib/debug",
		.prefix = "",
		.path = path,
	};
	char where[PATH_MAX];
	struct elf_file debug;
	int fd, ret = 0;

	elf_file_build_id(f, &want.id);
	debug_file_read_link(&want, f);
	for (unsigned int n = 0; !ret && !w->found; n++) {
		fd = debug_file_open(&want, n, where, sizeof(where));
		if (fd == -ERANGE)
			break;
		if (fd < 0)
			continue;
		if (!elf_file_open(&debug, fd)) {
			ret = walk_table(w, &debug, SHT_SYMTAB);
			elf_file_close(&debug);
		}
		close(fd);
	}
	return ret;
}

/* The symbols that a distribution leaves in a stripped file, compressed. */
static int walk_debug_data(struct walk *w, struct elf_file *f)
{
	struct elf_file inner;
	size_t size;
	void *image = debug_data_read(f, &size);
	int ret = 0;

	if (!image)
		return 0;
	if (!elf_file_memory(&inner, image, size)) {
		ret = walk_table(w, &inner, SHT_SYMTAB);
		elf_file_close(&inner);
	}
	free(image);
	return ret;
}

static int walk_file(struct walk *w, struct elf_file *f, const char *path)
{
	int ret = walk_table(w, f, SHT_SYMTAB);

	if (ret || w->found)
		return ret;
	ret = walk_debug_files(w, f, path);
	if (ret || w->found)
		return ret;
	ret = walk_table(w, f, SHT_DYNSYM);
	return ret ? ret : walk_debug_data(w, f);
}

int elf_functions_each(int fd, const char *path, elf_function_fn *fn, void *ctx)
{
	struct walk w = { .fn = fn, .ctx = ctx };
	struct elf_file f;
	int ret = elf_file_open(&f, fd);

	if (ret)
		return ret;
	w.nr_loads = elf_file_loads(&f, &w.loads);
	ret = w.nr_loads < 0 ? w.nr_loads : walk_file(&w, &f, path);
	free(w.loads);
	elf_file_close(&f);
	return ret;
}
