/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/elf/debug_data.h"

#include <lzma.h>
#include <stdlib.h>
#include <sys/param.h>

#include "base/array.h"
#include "symbols/elf/elf_file.h"

enum {
	FIRST_SIZE = 64 << 10,
	SIZE_LIMIT = 32 << 20,		/* of the decompressed file */
	/*
	 * Of the decoder; xz -9 reserves 65 MiB, but touches only what it
	 * writes.
	 */
	MEMORY_LIMIT = 80 << 20,
};

void *debug_data_read(struct elf_file *f, size_t *size)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = elf_file_section(f, SHT_PROGBITS, ".gnu_debugdata",
					&shdr);
	Elf_Data *data = scn ? elf_file_data(f, scn) : NULL;
	lzma_stream xz = LZMA_STREAM_INIT;
	unsigned char *buf = NULL;
	size_t room = 0;
	lzma_ret ret = LZMA_OK;

	if (!data || lzma_stream_decoder(&xz, MEMORY_LIMIT, 0) != LZMA_OK)
		return NULL;
	xz.next_in = data->d_buf;
	xz.avail_in = data->d_size;
	while (ret == LZMA_OK) {
		if (!xz.avail_out) {
			if (array_fit_most(buf, room, MAX(room + 1, FIRST_SIZE),
					   SIZE_LIMIT))
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
