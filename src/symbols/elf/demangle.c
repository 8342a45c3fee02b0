/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols/elf/symbol_table.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(HAVE_LIBIBERTY_DEMANGLE_H)
#include <libiberty/demangle.h>
#elif defined(HAVE_DEMANGLE_H)
#include <demangle.h>
#else
/* Fedora's libiberty comes without its header. */
#define DMGL_NO_OPTS 0
typedef void (*demangle_callbackref)(const char *text, size_t len,
				     void *opaque);
int rust_demangle_callback(const char *mangled, int options,
			   demangle_callbackref callback, void *opaque);
int cplus_demangle_v3_callback(const char *mangled, int options,
			       demangle_callbackref callback, void *opaque);
char *dlang_demangle(const char *mangled, int options);
#endif

enum {
	IN_MAX = 4096,		/* bytes of a mangled name */
	OUT_MAX = 8192,		/* bytes of a demangled name */
	D_BACK_REFERENCES = 32,
};

/*
 * Without parameters and return types, which DMGL_PARAMS would add: as perf
 * shows names by default.
 */
#define OPTIONS DMGL_NO_OPTS

struct output {
	jmp_buf too_long;
	size_t len;
	char text[OUT_MAX];
};

/*
 * A name of a hundred bytes can stand for one of gigabytes, by nested
 * references.  A demangler cannot be stopped, so longjmp() leaves it:
 * those with a callback allocate only on the stack.
 */
static void take(const char *text, size_t len, void *opaque)
{
	struct output *out = opaque;

	if (len >= sizeof(out->text) - out->len)
		longjmp(out->too_long, 1);
	if (!len)
		return;	/* @text may be NULL then */
	memcpy(out->text + out->len, text, len);
	out->len += len;
}

/* @demangler: rust_demangle_callback() or the one for C++. */
static char *by_callback(int (*demangler)(const char *mangled, int options,
					  demangle_callbackref callback,
					  void *opaque),
			 const char *name)
{
	struct output out;

	out.len = 0;
	if (setjmp(out.too_long))
		return NULL;
	if (!demangler(name, OPTIONS, take, &out) || !out.len)
		return NULL;
	return strndup(out.text, out.len);
}

/*
 * D's demangler has no callback.  Names in ordinary programs have few
 * references ('Q').
 */
static char *demangle_d(const char *name)
{
	int references = 0;

	for (const char *c = name; *c; c++)
		references += *c == 'Q';
	if (references > D_BACK_REFERENCES)
		return NULL;
	return dlang_demangle(name, OPTIONS);
}

static char *demangle_any(const char *name)
{
	char *nice;

	if (name[1] == 'D' && (isdigit((unsigned char)name[2]) ||
			       !strcmp(name, "_Dmain")))
		return demangle_d(name);
	/* Rust first: its old form looks like C++. */
	nice = by_callback(rust_demangle_callback, name);
	if (!nice)
		nice = by_callback(cplus_demangle_v3_callback, name);
	return nice;
}

/* "_Z1fv@plt" becomes "f@plt". */
static char *demangle_plt(const char *name, size_t len)
{
	char *bare = strndup(name, len);
	char *nice = bare ? demangle_any(bare) : NULL;
	char *both = NULL;

	if (nice && asprintf(&both, "%s@plt", nice) < 0)
		both = NULL;
	free(nice);
	free(bare);
	return both;
}

char *demangle(const char *name)
{
	size_t len;

	if (name[0] != '_')
		return NULL;
	len = strnlen(name, IN_MAX);
	if (len == IN_MAX)
		return NULL;
	if (len > 4 && !strcmp(name + len - 4, "@plt"))
		return demangle_plt(name, len - 4);
	return demangle_any(name);
}
