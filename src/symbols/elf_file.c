/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/elf_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	SECTION_MAX = 128 << 20,	/* bytes */
	NOTE_MAX = 64 << 10,		/* bytes of a PT_NOTE that are read */
	STRING_MAX = 16 << 10,		/* bytes of a name */
};

/*
 * Whether the header is one that libelf may be shown.  Where e_shnum or
 * e_phnum say "look in section 0", libelf allocates by a count of 32 or 64
 * bits there, and a sparse file can be large enough to bear it out; no linked
 * program has 65,280 sections.  These values read the same in both byte
 * orders, elf(5).
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

static int begin(struct elf_file *f)
{
	if (f->elf && elf_kind(f->elf) == ELF_K_ELF &&
	    gelf_getehdr(f->elf, &f->ehdr)) {
		if (elf_getshdrstrndx(f->elf, &f->shstrndx))
			f->shstrndx = 0;
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
	f->size = (uint64_t)st.st_size;
	/* Not mapped: who truncates the file then must not stop us. */
	f->elf = elf_begin(fd, ELF_C_READ, NULL);
	return begin(f);
}

int elf_file_memory(struct elf_file *f, void *image, size_t size)
{
	memset(f, 0, sizeof(*f));
	if (!is_sane(image, size))
		return -ENOEXEC;
	elf_version(EV_CURRENT);
	f->size = size;
	f->elf = elf_memory(image, size);
	return begin(f);
}

void elf_file_close(struct elf_file *f)
{
	elf_end(f->elf);
	f->elf = NULL;
}

const char *elf_file_section_name(struct elf_file *f, const GElf_Shdr *shdr)
{
	const char *name = NULL;

	if (f->shstrndx)
		name = elf_strptr(f->elf, f->shstrndx, shdr->sh_name);
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

Elf_Data *elf_file_data(struct elf_file *f, Elf_Scn *scn)
{
	GElf_Shdr shdr;
	Elf_Data *data;

	if (!gelf_getshdr(scn, &shdr) || shdr.sh_type == SHT_NOBITS ||
	    shdr.sh_flags & SHF_COMPRESSED || shdr.sh_size > SECTION_MAX ||
	    shdr.sh_offset > f->size || shdr.sh_size > f->size - shdr.sh_offset)
		return NULL;
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
	if (left > STRING_MAX)
		left = STRING_MAX;
	return memchr(text, 0, left) ? text : NULL;
}

/* Of all PT_LOADs, or of the executable ones alone.  Their number. */
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
	return found ? found : collect_loads(f, nr, false, *loads);
}

/* Whether a build-id stands among @notes. */
static bool find_build_id(Elf_Data *notes, struct elf_build_id *id)
{
	size_t offset = 0, next, name, desc;
	GElf_Nhdr nhdr;

	while (offset < notes->d_size &&
	       (next = gelf_getnote(notes, offset, &nhdr, &name, &desc)) > 0) {
		const char *bytes = notes->d_buf;

		if (nhdr.n_type == NT_GNU_BUILD_ID && nhdr.n_namesz == 4 &&
		    !memcmp(bytes + name, "GNU", 4) && nhdr.n_descsz &&
		    nhdr.n_descsz <= ELF_BUILD_ID_MAX) {
			memcpy(id->bytes, bytes + desc, nhdr.n_descsz);
			id->len = (uint8_t)nhdr.n_descsz;
			return true;
		}
		offset = next;
	}
	return false;
}

static Elf_Data *segment_notes(struct elf_file *f, const GElf_Phdr *phdr)
{
	if (phdr->p_type != PT_NOTE || phdr->p_filesz > NOTE_MAX ||
	    phdr->p_offset > f->size ||
	    phdr->p_filesz > f->size - phdr->p_offset)
		return NULL;
	return elf_getdata_rawchunk(f->elf, (int64_t)phdr->p_offset,
				    phdr->p_filesz,
				    phdr->p_align == 8 ? ELF_T_NHDR8 :
							 ELF_T_NHDR);
}

/* By the sections: a debug file's segments hold no bytes. */
static int section_build_id(struct elf_file *f, struct elf_build_id *id)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while ((scn = elf_nextscn(f->elf, scn))) {
		Elf_Data *notes;

		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_NOTE ||
		    shdr.sh_size > NOTE_MAX)
			continue;
		notes = elf_file_data(f, scn);
		if (notes && find_build_id(notes, id))
			return 0;
	}
	return -ENOENT;
}

int elf_file_build_id(struct elf_file *f, struct elf_build_id *id)
{
	size_t nr;

	memset(id, 0, sizeof(*id));
	if (!section_build_id(f, id))
		return 0;
	if (elf_getphdrnum(f->elf, &nr))
		return -ENOENT;
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr phdr;
		Elf_Data *notes = NULL;

		if (gelf_getphdr(f->elf, (int)i, &phdr))
			notes = segment_notes(f, &phdr);
		if (notes && find_build_id(notes, id))
			return 0;
	}
	return -ENOENT;
}
