/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/elf/elf_syms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/elf/elf_file.h"

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

int elf_syms_open(struct elf_file *f, Elf_Scn *scn, struct elf_syms **out)
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

void elf_syms_free(struct elf_syms *s)
{
	free(s);
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
