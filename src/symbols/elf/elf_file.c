/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/elf/elf_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"

enum {
	HELD_MAX = 32 << 20,		/* limit of all sections, bytes */
	NAMES_MAX_BYTES = 1 << 20,	/* limit of the section names */
	NOTES_BYTES = 64 << 10,		/* limit of a section or segment ... */
	NOTES_PIECES = 64,		/* ... and of the number that are
					 * read */
};

#define NATIVE (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : \
							    ELFDATA2MSB)

/*
 * Whether the header is safe for libelf.  If e_shnum or e_phnum refer to
 * section 0, libelf allocates by a 32- or 64-bit count there, which a large
 * sparse file makes plausible; no linked program has 65,280 sections.  These
 * values are the same in both byte orders, elf(5).
 */
static bool is_sane(const unsigned char *header, size_t size)
{
	const Elf32_Ehdr *e32 = (const void *)header;
	const Elf64_Ehdr *e64 = (const void *)header;

	if (size < sizeof(*e32) || memcmp(header, ELFMAG, SELFMAG))
		return false;
	if (header[EI_CLASS] == ELFCLASS32)
		return e32->e_phnum != PN_XNUM &&
		       (e32->e_shnum || !e32->e_shoff);
	return header[EI_CLASS] == ELFCLASS64 && size >= sizeof(*e64) &&
	       e64->e_phnum != PN_XNUM && (e64->e_shnum || !e64->e_shoff);
}

/* No linked program has more than 1 MiB of names.  0 or -ENOEXEC. */
static int find_names(struct elf_file *f)
{
	GElf_Shdr shdr;
	Elf_Scn *scn;
	size_t i;

	if (elf_getshdrstrndx(f->elf, &i) || !i)
		return 0;
	scn = elf_getscn(f->elf, i);
	if (!scn || !gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_STRTAB)
		return 0;
	if (shdr.sh_size > NAMES_MAX_BYTES)
		return -ENOEXEC;
	f->names = elf_file_data(f, scn);
	return 0;
}

static int begin(struct elf_file *f)
{
	f->left = HELD_MAX;
	if (f->elf && elf_kind(f->elf) == ELF_K_ELF &&
	    gelf_getehdr(f->elf, &f->ehdr) && !find_names(f)) {
		f->swapped = f->ehdr.e_ident[EI_DATA] != NATIVE;
		return 0;
	}
	elf_file_close(f);
	return -ENOEXEC;
}

int elf_file_open(struct elf_file *f, int fd)
{
	union {
		unsigned char bytes[sizeof(Elf64_Ehdr)];
		Elf64_Ehdr aligned;
	} header;
	struct stat st;
	ssize_t got;

	memset(f, 0, sizeof(*f));
	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	got = pread(fd, header.bytes, sizeof(header.bytes), 0);
	if (got < 0)
		return -errno;
	if (!is_sane(header.bytes, (size_t)got))
		return -ENOEXEC;
	elf_version(EV_CURRENT);
	f->fd = fd;
	f->size = (uint64_t)st.st_size;
	/* Not mapped: a truncation of the file would then cause SIGBUS. */
	f->elf = elf_begin(fd, ELF_C_READ, NULL);
	return begin(f);
}

int elf_file_memory(struct elf_file *f, void *image, size_t size)
{
	memset(f, 0, sizeof(*f));
	if (!is_sane(image, size))
		return -ENOEXEC;
	elf_version(EV_CURRENT);
	f->fd = -1;
	f->image = image;
	f->size = size;
	f->elf = elf_memory(image, size);
	return begin(f);
}

void elf_file_close(struct elf_file *f)
{
	elf_end(f->elf);
	f->elf = NULL;
}

size_t elf_file_read(const struct elf_file *f, uint64_t offset, void *buf,
		     size_t size)
{
	ssize_t got;

	if (offset >= f->size)
		return 0;
	if (size > f->size - offset)
		size = (size_t)(f->size - offset);
	if (f->fd < 0) {
		memcpy(buf, f->image + offset, size);
		return size;
	}
	got = pread(f->fd, buf, size, (off_t)offset);
	return got < 0 ? 0 : (size_t)got;
}

const char *elf_file_section_name(struct elf_file *f, const GElf_Shdr *shdr)
{
	const char *name = NULL;

	if (f->names)
		name = elf_file_string(f->names, shdr->sh_name);
	return name ? name : "";
}

Elf_Scn *elf_file_section(struct elf_file *f, uint32_t type, const char *name,
			  GElf_Shdr *shdr)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(f->elf, scn))) {
		if (!gelf_getshdr(scn, shdr) || shdr->sh_type != type)
			continue;
		if (!name || !strcmp(elf_file_section_name(f, shdr), name))
			return scn;
	}
	return NULL;
}

bool elf_file_has(const struct elf_file *f, const GElf_Shdr *shdr)
{
	return shdr->sh_type != SHT_NOBITS &&
	       !(shdr->sh_flags & SHF_COMPRESSED) &&
	       shdr->sh_offset <= f->size &&
	       shdr->sh_size <= f->size - shdr->sh_offset;
}

Elf_Data *elf_file_data(struct elf_file *f, Elf_Scn *scn)
{
	GElf_Shdr shdr;
	Elf_Data *data;

	if (!gelf_getshdr(scn, &shdr) || !elf_file_has(f, &shdr) ||
	    shdr.sh_size > f->left)
		return NULL;
	/* repeated reads count again: there are few */
	f->left -= shdr.sh_size;
	data = elf_getdata(scn, NULL);
	return data && data->d_buf && data->d_size ? data : NULL;
}

const char *elf_file_string(const Elf_Data *table, uint64_t offset)
{
	const char *text;
	size_t left;

	if (offset >= table->d_size)
		return NULL;
	text = (const char *)table->d_buf + offset;
	left = table->d_size - offset;
	if (left > ELF_STRING_MAX)
		left = ELF_STRING_MAX;
	return memchr(text, 0, left) ? text : NULL;
}

/* Store all PT_LOADs, or only executable ones.  Returns their number. */
static int collect_loads(struct elf_file *f, size_t nr, bool executable,
			 struct elf_load *loads)
{
	int found = 0;
	GElf_Phdr phdr;

	for (size_t i = 0; i < nr; i++) {
		if (!gelf_getphdr(f->elf, (int)i, &phdr) ||
		    phdr.p_type != PT_LOAD ||
		    (executable && !(phdr.p_flags & PF_X)))
			continue;
		loads[found++] = (struct elf_load){
			.offset = phdr.p_offset,
			.size = phdr.p_filesz,
			.vaddr = phdr.p_vaddr,
		};
	}
	return found;
}

int elf_file_loads(struct elf_file *f, struct elf_load **loads)
{
	size_t nr;
	int found;

	*loads = NULL;
	if (elf_getphdrnum(f->elf, &nr) || !nr)
		return 0;
	*loads = calloc(nr, sizeof(**loads));
	if (!*loads)
		return -ENOMEM;
	found = collect_loads(f, nr, true, *loads);
	if (!found)
		found = collect_loads(f, nr, false, *loads);
	/* the file's count may be far larger */
	if (found > 0)
		array_trim(*loads, nr, (size_t)found);
	return found;
}

/* State of the search for a build-id in notes. */
struct notes {
	struct elf_file *f;
	int pieces;
	unsigned char *buf;	/* NOTES_BYTES long */
};

static uint32_t word(const unsigned char *at, bool swapped)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return swapped ? __builtin_bswap32(value) : value;
}

bool elf_file_find_build_id(const unsigned char *notes, size_t size,
			    size_t align, bool swapped,
			    struct elf_build_id *id)
{
	size_t at = 0, desc, next;

	while (size - at >= sizeof(Elf64_Nhdr)) {
		uint32_t name_len = word(notes + at, swapped);
		uint32_t desc_len = word(notes + at + 4, swapped);

		if (name_len > size || desc_len > size)
			return false;
		desc = at + sizeof(Elf64_Nhdr) + name_len;
		desc = (desc + align - 1) & ~(align - 1);
		if (desc + desc_len > size)
			return false;
		if (word(notes + at + 8, swapped) == NT_GNU_BUILD_ID &&
		    name_len == 4 && desc_len && desc_len <= ELF_BUILD_ID_MAX &&
		    !memcmp(notes + at + sizeof(Elf64_Nhdr), "GNU", 4)) {
			memcpy(id->bytes, notes + desc, desc_len);
			id->len = (uint8_t)desc_len;
			return true;
		}
		next = (desc + desc_len + align - 1) & ~(align - 1);
		if (next > size)
			return false;
		at = next;
	}
	return false;
}

static bool find_in_notes(struct notes *n, uint64_t offset, uint64_t size,
			  uint64_t align, struct elf_build_id *id)
{
	if (!size || size > NOTES_BYTES || n->pieces++ >= NOTES_PIECES)
		return false;
	size = elf_file_read(n->f, offset, n->buf, (size_t)size);
	return elf_file_find_build_id(n->buf, (size_t)size, align == 8 ? 8 : 4,
				      n->f->swapped, id);
}

/* In sections: a debug file's segments have no contents. */
static bool section_build_id(struct notes *n, struct elf_build_id *id)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while ((scn = elf_nextscn(n->f->elf, scn))) {
		if (gelf_getshdr(scn, &shdr) && shdr.sh_type == SHT_NOTE &&
		    elf_file_has(n->f, &shdr) &&
		    find_in_notes(n, shdr.sh_offset, shdr.sh_size,
				  shdr.sh_addralign, id))
			return true;
	}
	return false;
}

static bool segment_build_id(struct notes *n, struct elf_build_id *id)
{
	size_t nr;

	if (elf_getphdrnum(n->f->elf, &nr))
		return false;
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr phdr;

		if (gelf_getphdr(n->f->elf, (int)i, &phdr) &&
		    phdr.p_type == PT_NOTE &&
		    find_in_notes(n, phdr.p_offset, phdr.p_filesz,
				  phdr.p_align, id))
			return true;
	}
	return false;
}

int elf_file_build_id(struct elf_file *f, struct elf_build_id *id)
{
	struct notes notes = { .f = f, .buf = malloc(NOTES_BYTES) };
	bool found;

	memset(id, 0, sizeof(*id));
	if (!notes.buf)
		return -ENOENT;
	found = section_build_id(&notes, id);
	if (!found) {
		notes.pieces = 0;
		found = segment_build_id(&notes, id);
	}
	free(notes.buf);
	return found ? 0 : -ENOENT;
}
