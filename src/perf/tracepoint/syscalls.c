/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/tracepoint/syscalls.h"

#include <asm/unistd.h>
#include <stdio.h>
#include <string.h>

/* One SYSCALL(read) for each number that <asm/unistd.h> has: see local.mk. */
#define SYSCALL(name) [__NR_##name] = #name,
static const char *const names[] = {
#include "perf/tracepoint/syscalls.inc"
};
#undef SYSCALL

const char *syscalls_name(int64_t nr)
{
	const int64_t count = (int64_t)(sizeof(names) / sizeof(names[0]));

	return nr >= 0 && nr < count ? names[nr] : NULL;
}

void syscalls_name_text(char *text, size_t size, const char *name)
{
	static const char before[] = "NR ";
	size_t skip = strlen(before), rest, len = strlen(name);

	if (strncmp(text, before, skip) != 0)
		return;
	skip += strspn(text + skip, "0123456789");
	/* no blank between a function and its arguments */
	if (strncmp(text + skip, " (", 2) == 0)
		skip++;
	rest = strlen(text + skip);
	if (len >= size)
		return;
	if (rest > size - 1 - len)
		rest = size - 1 - len;
	memmove(text + len, text + skip, rest);
	memcpy(text, name, len);
	text[len + rest] = '\0';
}
