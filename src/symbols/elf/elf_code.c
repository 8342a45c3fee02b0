/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/elf/elf_code.h"

#include <endian.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "symbols/elf/elf_file.h"
#include "symbols/elf/symbol_table.h"

enum {
	NAME_MAX_BYTES = 4096,
	/*
	 * Limit of slots with IFUNC symbols, such as strlen in libc: each costs
	 * a search of all symbols.
	 */
	CHOSEN_MAX = 256,
};

/* A slot that the dynamic linker sets to a function's address. */
struct slot {
	uint64_t addr;
	uint32_t sym;		/* index in the dynamic symbol table */
};

struct plt {
	struct elf_file *f;
	struct symbol_table *table;
	size_t max_bytes;
	Elf_Data *syms, *strings;
	struct slot *slots;	/* in relocation order */
	size_t nr_slots, room;
	bool ordered;		/* slots without a name have an entry too */
	int nr_chosen;
};

/* The IFUNC symbol whose resolver is at @resolver; 0: none. */
static uint32_t chosen_by(struct plt *plt, uint64_t resolver)
{
	GElf_Sym sym;

	if (!plt->syms || plt->nr_chosen++ >= CHOSEN_MAX)
		return 0;
	for (int i = 1; gelf_getsym(plt->syms, i, &sym); i++)
		if (GELF_ST_TYPE(sym.st_info) == STT_GNU_IFUNC &&
		    sym.st_value == resolver)
			return (uint32_t)i;
	return 0;
}

static int add_slot(struct plt *plt, uint64_t addr, uint32_t sym)
{
	struct slot *slot;

	/* Relative relocations, possibly millions, have no name. */
	if (!sym && !plt->ordered)
		return 0;
	slot = array_add(plt->slots, plt->nr_slots, plt->room);
	if (!slot)
		return -ENOMEM;
	slot->addr = addr;
	slot->sym = sym;
	return 0;
}

static int add_rela(struct plt *plt, const GElf_Rela *rela)
{
	uint32_t sym = (uint32_t)GELF_R_SYM(rela->r_info);

	if (plt->f->ehdr.e_machine == EM_X86_64 &&
	    GELF_R_TYPE(rela->r_info) == R_X86_64_IRELATIVE)
		sym = chosen_by(plt, (uint64_t)rela->r_addend);
	return add_slot(plt, rela->r_offset, sym);
}

/* Read the slots of a relocation section, and set the symbols for all. */
static int read_slots(struct plt *plt, const char *name, uint32_t type)
{
	GElf_Shdr shdr, linked;
	Elf_Scn *scn = elf_file_section(plt->f, type, name, &shdr), *syms;
	Elf_Data *data = scn ? elf_file_data(plt->f, scn) : NULL;
	GElf_Rela rela;
	GElf_Rel rel;
	int err = 0;

	syms = data ? elf_getscn(plt->f->elf, shdr.sh_link) : NULL;
	if (!syms || !gelf_getshdr(syms, &linked) ||
	    linked.sh_type != SHT_DYNSYM)
		return 0;
	plt->syms = elf_file_data(plt->f, syms);
	scn = elf_getscn(plt->f->elf, linked.sh_link);
	plt->strings = scn ? elf_file_data(plt->f, scn) : NULL;
	for (int i = 0; !err; i++) {
		if (type == SHT_RELA && gelf_getrela(data, i, &rela))
			err = add_rela(plt, &rela);
		else if (type == SHT_REL && gelf_getrel(data, i, &rel))
			err = add_slot(plt, rel.r_offset,
				       (uint32_t)GELF_R_SYM(rel.r_info));
		else
			break;
	}
	return err;
}

static int add_name(struct plt *plt, const struct slot *slot, uint64_t addr,
		    uint64_t size)
{
	char text[NAME_MAX_BYTES + sizeof("@plt")];
	const char *name = NULL;
	GElf_Sym sym;

	if (slot->sym && slot->sym <= INT32_MAX &&
	    gelf_getsym(plt->syms, (int)slot->sym, &sym) && sym.st_name)
		name = elf_file_string(plt->strings, sym.st_name);
	if (!name || !*name || strlen(name) > NAME_MAX_BYTES ||
	    symbol_table_used(plt->table) >= plt->max_bytes)
		return 0;
	snprintf(text, sizeof(text), "%s@plt", name);
	return symbol_table_add(plt->table, addr, size, text,
				SYMBOL_RANK_GLOBAL);
}

static int compare_slots(const void *one, const void *other)
{
	const struct slot *a = one, *b = other;

	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

/*
 * The slot that an x86-64 entry jumps through: [endbr64] [bnd] jmp
 * *disp32(%rip).  0: none, as in the head of the table and in the lazy half of
 * tables with endbr64.
 */
static uint64_t x86_target(const unsigned char *code, size_t len,
			   uint64_t addr)
{
	static const unsigned char endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	size_t at = 0;
	uint32_t disp;

	if (len >= 4 && !memcmp(code, endbr64, 4))
		at = 4;
	if (at < len && code[at] == 0xf2)
		at++;
	if (len - at < 6 || code[at] != 0xff || code[at + 1] != 0x25)
		return 0;
	memcpy(&disp, code + at + 2, sizeof(disp));
	return addr + at + 6 + (uint64_t)(int32_t)le32toh(disp);
}

/* The slots must be sorted. */
static int add_x86_section(struct plt *plt, const char *name)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = elf_file_section(plt->f, SHT_PROGBITS, name, &shdr);
	Elf_Data *data = scn ? elf_file_data(plt->f, scn) : NULL;
	size_t step;
	int err = 0;

	if (!data)
		return 0;
	step = shdr.sh_entsize == 8 ? 8 : 16;
	for (size_t at = 0; at + step <= data->d_size && !err; at += step) {
		uint64_t addr = shdr.sh_addr + at;
		struct slot key = { 0 }, *slot;

		key.addr = x86_target((unsigned char *)data->d_buf + at, step,
				      addr);
		if (!key.addr)
			continue;
		slot = bsearch(&key, plt->slots, plt->nr_slots, sizeof(key),
			       compare_slots);
		if (slot)
			err = add_name(plt, slot, addr, step);
	}
	return err;
}

/* x86-64 entries contain their slot, so their order does not matter. */
static int add_x86(struct plt *plt)
{
	static const char *const sections[] = { ".plt", ".plt.sec",
						".plt.got", ".plt.bnd" };
	GElf_Shdr shdr;
	int err = read_slots(plt, ".rela.plt", SHT_RELA);

	if (!err && elf_file_section(plt->f, SHT_PROGBITS, ".plt.got", &shdr))
		err = read_slots(plt, ".rela.dyn", SHT_RELA);
	if (err || !plt->nr_slots || !plt->syms || !plt->strings)
		return err;
	qsort(plt->slots, plt->nr_slots, sizeof(*plt->slots), compare_slots);
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections) && !err;
	     i++)
		err = add_x86_section(plt, sections[i]);
	return err;
}

/* On other machines entries follow a head in relocation order. */
struct plt_form {
	uint16_t machine;
	uint8_t head, entry;	/* bytes */
};

static const struct plt_form forms[] = {
	{ EM_386, 16, 16 },	{ EM_AARCH64, 32, 16 },
	{ EM_ARM, 20, 12 },	{ EM_RISCV, 32, 16 },
	{ EM_LOONGARCH, 32, 16 },
};

static int add_by_order(struct plt *plt, const struct plt_form *form)
{
	GElf_Shdr shdr;
	uint64_t entry, room;
	int err;

	plt->ordered = true;
	err = read_slots(plt, ".rela.plt", SHT_RELA);
	if (!err && !plt->nr_slots)
		err = read_slots(plt, ".rel.plt", SHT_REL);
	if (err || !plt->nr_slots || !plt->syms || !plt->strings ||
	    !elf_file_section(plt->f, SHT_PROGBITS, ".plt", &shdr) ||
	    shdr.sh_size <= form->head)
		return err;
	room = shdr.sh_size - form->head;
	entry = form->entry;
	/* With BTI or pointer authentication entries have 24 bytes. */
	if (form->machine == EM_AARCH64 && room == 24 * plt->nr_slots)
		entry = 24;
	for (size_t i = 0; i < plt->nr_slots && (i + 1) * entry <= room && !err;
	     i++)
		err = add_name(plt, &plt->slots[i],
			       shdr.sh_addr + form->head + i * entry, entry);
	return err;
}

int elf_plt_add(struct elf_file *f, struct symbol_table *table,
		size_t max_bytes)
{
	struct plt plt = { .f = f, .table = table, .max_bytes = max_bytes };
	int err = 0;

	if (f->ehdr.e_machine == EM_X86_64)
		err = add_x86(&plt);
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (f->ehdr.e_machine == forms[i].machine)
			err = add_by_order(&plt, &forms[i]);
	free(plt.slots);
	return err;
}

enum {
	/*
	 * The header, in the encodings that all linkers write: Linux Standard
	 * Base, Core, "Exception Frames".
	 */
	HDR_VERSION = 1,
	PE_FORMAT = 0x0f,	/* the bits of an encoding that give the size */
	PE_UDATA4 = 0x03,
	PE_SDATA4 = 0x0b,
	PE_DATAREL_SDATA4 = 0x3b,
	HEAD = 12,		/* four bytes, the address of .eh_frame, the
				 * number of entries */
	ENTRY = 8,		/* start and address of the details (FDE) */
	FDE_HEAD = 16,		/* length, address of the CIE, start, size */
	/* Larger tables cost too much, and no linked program has one. */
	ENTRIES_MAX = 2 << 20,
	/*
	 * Limit of reads of details, which may be in any order: in that of the
	 * functions, one read is enough for dozens.
	 */
	READS_MAX = 256 << 10,
	WINDOW = 4096,
};

/* A function. */
struct elf_extent {
	int32_t start;		/* from the base */
	uint32_t size;
};

/* A part of the file that is read in sequence. */
struct window {
	const struct elf_file *f;
	unsigned int reads;
	uint64_t at;
	size_t len;
	unsigned char bytes[WINDOW];
};

struct reading {
	struct elf_extents *to;
	const struct symbol_table *known;
	size_t max;
	uint64_t offset;	/* of the header, in the file */
	size_t nr;		/* entries */
	struct window table, details;
};

/* The @len bytes at @offset of the file; NULL if it does not have them. */
static const unsigned char *bytes_at(struct window *w, uint64_t offset,
				     size_t len)
{
	if (offset < w->at || offset - w->at > w->len ||
	    w->len - (size_t)(offset - w->at) < len) {
		w->len = elf_file_read(w->f, offset, w->bytes,
				       sizeof(w->bytes));
		w->at = offset;
		w->reads++;
	}
	return w->len - (size_t)(offset - w->at) < len ?
		       NULL : w->bytes + (offset - w->at);
}

static uint32_t word(const struct window *w, const unsigned char *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return w->f->swapped ? __builtin_bswap32(value) : value;
}

static bool find_segment(struct elf_file *f, GElf_Phdr *phdr)
{
	size_t nr;

	if (elf_getphdrnum(f->elf, &nr))
		return false;
	for (size_t i = 0; i < nr; i++)
		if (gelf_getphdr(f->elf, (int)i, phdr) &&
		    phdr->p_type == PT_GNU_EH_FRAME)
			return true;
	return false;
}

/* Find the table.  False if there is none that can be used. */
static bool open_table(struct reading *r, struct elf_file *f)
{
	const unsigned char *head;
	GElf_Phdr phdr;
	uint32_t nr;

	if (!find_segment(f, &phdr) || phdr.p_offset > f->size ||
	    phdr.p_filesz > f->size - phdr.p_offset || phdr.p_filesz < HEAD)
		return false;
	r->table.f = r->details.f = f;
	r->offset = phdr.p_offset;
	r->to->base = phdr.p_vaddr;
	head = bytes_at(&r->table, r->offset, HEAD);
	if (!head || head[0] != HDR_VERSION ||
	    ((head[1] & PE_FORMAT) != PE_SDATA4 &&
	     (head[1] & PE_FORMAT) != PE_UDATA4) ||
	    head[2] != PE_UDATA4 || head[3] != PE_DATAREL_SDATA4)
		return false;
	nr = word(&r->table, head + 8);
	if (nr > ENTRIES_MAX || nr > (phdr.p_filesz - HEAD) / ENTRY)
		return false;
	r->nr = nr;
	return true;
}

/*
 * The size of the function at @start, whose details are at @fde, both from the
 * header; at most @max, to the next function, which is also the answer without
 * details.  How these are encoded is not looked up: they are of the usual form
 * if they have the same start.
 */
static uint32_t size_of(struct reading *r, int32_t start, int32_t fde,
			uint32_t max)
{
	uint64_t at = r->offset + (uint64_t)(int64_t)fde;
	const unsigned char *head;
	uint32_t begin, size;

	head = r->details.reads < READS_MAX ?
		       bytes_at(&r->details, at, FDE_HEAD) : NULL;
	if (!head)
		return max;
	/* relative to itself */
	begin = (uint32_t)fde + 8 + word(&r->details, head + 8);
	if (begin != (uint32_t)start)
		return max;
	size = word(&r->details, head + 12);
	return size < max ? size : max;
}

static int add(struct reading *r, int32_t start, uint32_t size)
{
	struct elf_extents *to = r->to;
	struct elf_extent *e;

	if (!size ||
	    symbol_table_covers(r->known, to->base + (uint64_t)(int64_t)start,
				size))
		return 0;
	if (to->nr >= r->max) {
		to->cut = true;
		return 0;
	}
	e = array_add(to->list, to->nr, to->room);
	if (!e)
		return -ENOMEM;
	*e = (struct elf_extent){ .start = start, .size = size };
	return 0;
}

/* 0, -ENOMEM, or -EINVAL if the table is damaged. */
static int read_entries(struct reading *r)
{
	uint64_t at = r->offset + HEAD;
	int32_t start = 0, fde = 0, next;
	const unsigned char *entry;
	int err = 0;

	for (size_t i = 0; i < r->nr && !err; i++, at += ENTRY) {
		entry = bytes_at(&r->table, at, ENTRY);
		if (!entry)
			return -EINVAL;
		next = (int32_t)word(&r->table, entry);
		if (i && next < start)
			return -EINVAL;
		if (i && next > start)
			err = add(r, start,
				  size_of(r, start, fde,
					  (uint32_t)next - (uint32_t)start));
		start = next;
		fde = (int32_t)word(&r->table, entry + 4);
	}
	if (!err && r->nr)
		err = add(r, start, size_of(r, start, fde, UINT32_MAX));
	return err;
}

int elf_extents_read(struct elf_extents *to, struct elf_file *f,
		     const struct symbol_table *known, size_t max_bytes)
{
	struct reading *r = calloc(1, sizeof(*r));
	int err = r ? 0 : -ENOMEM;

	if (r) {
		r->to = to;
		r->known = known;
		r->max = max_bytes / sizeof(*to->list);
		if (open_table(r, f))
			err = read_entries(r);
	}
	free(r);
	if (err)
		elf_extents_free(to);
	else if (to->nr)
		array_trim(to->list, to->room, to->nr);
	return err == -EINVAL ? 0 : err;
}

void elf_extents_free(struct elf_extents *e)
{
	free(e->list);
	memset(e, 0, sizeof(*e));
}

bool elf_extents_find(const struct elf_extents *e, uint64_t vaddr,
		      uint64_t *start)
{
	int64_t at = (int64_t)(vaddr - e->base);
	size_t low = 0, high = e->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (e->list[middle].start <= at)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return false;
	*start = e->base + (uint64_t)(int64_t)e->list[low - 1].start;
	return vaddr - *start < e->list[low - 1].size;
}

int elf_extents_save(const struct elf_extents *e, FILE *out)
{
	const uint64_t head[2] = { e->base, e->nr };

	return fwrite(head, sizeof(head), 1, out) == 1 &&
	       fwrite(e->list, sizeof(*e->list), e->nr, out) == e->nr ?
		       0 : -EIO;
}

int elf_extents_restore(struct elf_extents *e, FILE *in, size_t size)
{
	uint64_t head[2];

	memset(e, 0, sizeof(*e));
	if (fread(head, sizeof(head), 1, in) != 1 ||
	    head[1] > size / sizeof(*e->list))
		return -EINVAL;
	if (!head[1])
		return 0;
	e->list = calloc((size_t)head[1], sizeof(*e->list));
	if (!e->list)
		return -ENOMEM;
	e->base = head[0];
	e->nr = e->room = (size_t)head[1];
	return fread(e->list, sizeof(*e->list), e->nr, in) == e->nr ? 0 :
								   -EINVAL;
}

size_t elf_extents_bytes(const struct elf_extents *e)
{
	return e->room * sizeof(*e->list);
}
