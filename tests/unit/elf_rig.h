/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ELF files, compiled in a directory below TMPDIR, for the tests of code that
 * reads them.
 */
#ifndef RBTOP_TESTS_ELF_RIG_H
#define RBTOP_TESTS_ELF_RIG_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fake_tree.h"
#include "samples/names.h"
#include "symbols/elf/elf_symbols.h"

/*
 * Functions whose bytes are known: their place in a file is found by searching
 * for these bytes, not by the code under test.
 */
#define FUNCTION(name, bind, text)					\
	"asm(\".text\\n." bind " " name "\\n"				\
	".type " name ",%function\\n"					\
	name ": .ascii \\\"" text "\\\"\\n.size " name ",.-" name "\\n\");\n"

static const char source[] =
	"int puts(const char *);\n"
	FUNCTION("alpha", "globl", "<ALPHA-ALPHA-ALPHA>")
	FUNCTION("_ZN3app4betaEv", "globl", "<BETA--BETA--BETA->")
	FUNCTION("hidden_one", "local", "<HIDDEN-HIDDEN-HID>")
	"asm(\".text\\n.globl alph\\n.type alph,%function\\n"
	".set alph,alpha\\n.size alph,19\\n"
	".weak alpha_much_longer\\n.type alpha_much_longer,%function\\n"
	".set alpha_much_longer,alpha\\n.size alpha_much_longer,19\\n\");\n"
	"int call(void) { return puts(\"x\"); }\n"
	"int main(void) { return call(); }\n";

struct image {
	unsigned char *bytes;
	size_t size;
};

static struct fake_tree tree;
static struct names *names;
static bool no_compiler;

/* Run a shell command in the tree.  Returns whether it succeeded. */
static inline bool run(const char *command)
{
	char full[2048];

	snprintf(full, sizeof(full), "cd '%s' && { %s\n} >log 2>&1", tree.root,
		 command);
	return !system(full);
}

/* The path of @name in the tree. */
static inline const char *at(const char *name)
{
	static char path[4][512];
	static unsigned int which;

	which = (which + 1) % 4;
	snprintf(path[which], sizeof(path[which]), "%s/%s", tree.root, name);
	return path[which];
}

static inline int set_up(void **state)
{
	(void)state;
	fake_tree_init(&tree);
	/* not the caches of the user who runs this */
	setenv("HOME", tree.root, 1);
	unsetenv("XDG_CACHE_HOME");
	unsetenv("DEBUGINFOD_CACHE_PATH");
	names = names_new(64 << 20);
	fake_tree_write(&tree, "a.c", source);
	no_compiler = !run("gcc -O2 -Wl,--build-id -o full a.c && "
			   "strip -o bare full && command -v objcopy");
	return names ? 0 : -1;
}

static inline int tear_down(void **state)
{
	(void)state;
	names_free(names);
	fake_tree_free(&tree);
	return 0;
}

static inline struct image image_of(const char *name)
{
	struct image image = { 0 };
	struct stat st;
	int fd = open(at(name), O_RDONLY);

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	image.size = (size_t)st.st_size;
	image.bytes = malloc(image.size);
	assert_non_null(image.bytes);
	assert_int_equal(read(fd, image.bytes, image.size), st.st_size);
	close(fd);
	return image;
}

static inline uint64_t offset_of(const char *file, const char *text)
{
	struct image image = image_of(file);
	unsigned char *found = memmem(image.bytes, image.size, text,
				      strlen(text));
	uint64_t offset;

	assert_non_null(found);
	offset = (uint64_t)(found - image.bytes);
	free(image.bytes);
	return offset;
}

static inline int read_as(const char *name, const char *path,
			  const char *debug_root, const char *prefix,
			  struct elf_symbols **elf)
{
	struct elf_symbols_opts opts = { .debug_root = debug_root,
					 .prefix = prefix,
					 .owner = geteuid(),
					 .max_bytes = 64 << 20 };
	int fd = open(at(name), O_RDONLY | O_NONBLOCK), err;

	assert_true(fd >= 0);
	err = elf_symbols_read(fd, path, &opts, elf);
	close(fd);
	return err;
}

/* Read a file without looking for debug files elsewhere. */
static inline struct elf_symbols *read_alone(const char *name)
{
	struct elf_symbols *elf = NULL;

	assert_int_equal(read_as(name, at(name), at("none"), "", &elf), 0);
	return elf;
}

#endif
