/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/elf/elf_functions.h"

#include <stdlib.h>
#include <unistd.h>

#include "symbols/elf/elf_file.h"
#include "symbols/elf/elf_syms.h"
#include "symbols/elf/elf_walk.h"

struct walk {
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

/* 0, or what @fn returned. */
static int visit(const struct walk *w, const struct elf_file *f,
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
	const struct elf_walk_opts opts = { .path = path,
					    .owner = getuid() };
	struct walk w = { .fn = fn, .ctx = ctx };
	char *origin = NULL;
	struct elf_file f;
	int ret = elf_file_open(&f, fd);

	if (ret)
		return ret;
	w.nr_loads = elf_file_loads(&f, &w.loads);
	ret = w.nr_loads < 0 ? w.nr_loads :
			       elf_walk(&f, &opts, visit_table, &w, &origin);
	free(origin);
	free(w.loads);
	elf_file_close(&f);
	return ret;
}
