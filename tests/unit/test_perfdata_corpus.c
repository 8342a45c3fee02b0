/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The corpus of "make fuzz": small recordings, and what it found once. */
#include "tests/group.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"

enum { FILE_MAX = 1 << 16 };

/* Of the sources, which make check names. */
static DIR *open_corpus(char *path, size_t size)
{
	const char *top = getenv("srcdir");

	snprintf(path, size, "%s/tests/data/perfdata", top ? top : "..");
	return opendir(path);
}

TEST(replayed)
{
	static uint8_t bytes[FILE_MAX];
	char folder[256], path[512];
	DIR *dir = open_corpus(folder, sizeof(folder));
	const struct dirent *entry;
	size_t len, nr = 0;
	FILE *f;

	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		f = fopen(path, "rb");
		assert_non_null(f);
		len = fread(bytes, 1, sizeof(bytes), f);
		fclose(f);
		assert_in_range(len, 1, sizeof(bytes) - 1);
		/* and truncated */
		for (size_t part = len; part; part /= 2)
			LLVMFuzzerTestOneInput(bytes, part);
		nr++;
	}
	closedir(dir);
	assert_true(nr > 10);
}

TEST_GROUP(perfdata_corpus);
