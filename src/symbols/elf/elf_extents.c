/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/elf/elf_extents.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "symbols/elf/elf_file.h"
#include "symbols/elf/symbol_table.h"

enum {
	/*
	 * The header, in the encodings that all linkers write: Linux Standard
	 * Base, Core, "Exception Frames".
	 */
	HDR_VERSION = 1,
	PE_FORMAT = 0x0f,	/* the bits of an encoding that tell the size */
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
	size_t most;
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
 * header; at most @most, to the next function, which is also the answer without
 * details.  How these are encoded is not looked up: they are of the usual form
 * if they have the same start.
 */
static uint32_t size_of(struct reading *r, int32_t start, int32_t fde,
			uint32_t most)
{
	uint64_t at = r->offset + (uint64_t)(int64_t)fde;
	const unsigned char *head;
	uint32_t begin, size;

	head = r->details.reads < READS_MAX ?
		       bytes_at(&r->details, at, FDE_HEAD) : NULL;
	if (!head)
		return most;
	/* relative to itself */
	begin = (uint32_t)fde + 8 + word(&r->details, head + 8);
	if (begin != (uint32_t)start)
		return most;
	size = word(&r->details, head + 12);
	return size < most ? size : most;
}

static int add(struct reading *r, int32_t start, uint32_t size)
{
	struct elf_extents *to = r->to;
	struct elf_extent *e;

	if (!size ||
	    symbol_table_covers(r->known, to->base + (uint64_t)(int64_t)start,
				size))
		return 0;
	if (to->nr >= r->most) {
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
		r->most = max_bytes / sizeof(*to->list);
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
