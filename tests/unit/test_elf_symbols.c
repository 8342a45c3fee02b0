/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <link.h>
#include <sys/auxv.h>

#include "base/sys.h"
#include <sys/mman.h>

#include "elf_rig.h"
#include "symbols/elf/debug_file.h"

/* Check that the bytes of @text in @file are in the function @name. */
static void expect_in(struct elf_symbols *elf, const char *file,
		      const char *text, const char *name)
{
	uint64_t offset = offset_of(file, text), start = 0;

	for (uint64_t i = 0; i < strlen(text); i++) {
		const char *got = elf_symbols_find(elf, offset + i, names,
						   &start);

		if (!name) {
			assert_null(got);
			continue;
		}
		assert_non_null(got);
		assert_string_equal(got, name);
		assert_int_equal(start, offset);
	}
}

static void expect_exported(struct elf_symbols *elf, const char *file)
{
	expect_in(elf, file, "<ALPHA-ALPHA-ALPHA>", "alpha");
	expect_in(elf, file, "<BETA--BETA--BETA->", "app::beta");
}

static void expect_all(struct elf_symbols *elf, const char *file)
{
	expect_exported(elf, file);
	expect_in(elf, file, "<HIDDEN-HIDDEN-HID>", "hidden_one");
}

/* PIE, fixed, static, shared, with more than one page of everything. */
TEST(test_kinds)
{
	static const char *const kinds[] = {
		"-pie", "-no-pie", "-static", "-shared -fPIC",
		"-shared -fPIC -Wl,-z,noseparate-code",
		"-static-pie", "-g -O0",
		"-no-pie -Wl,-Ttext-segment=0x70000000",
		"-Wl,-z,now", "-Wl,--hash-style=sysv -Wl,--build-id=none",
	};

	if (no_compiler)
		skip();
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct elf_symbols *elf;
		char command[256];

		snprintf(command, sizeof(command), "gcc -O2 %s -o kind a.c",
			 kinds[i]);
		if (!run(command)) {
			print_message("no %s here\n", kinds[i]);
			continue;
		}
		elf = read_alone("kind");
		assert_int_equal(elf_symbols_tables(elf), ELF_SYMTAB);
		expect_all(elf, "kind");
		assert_true(elf_symbols_bytes(elf) > 100);
		elf_symbols_free(elf);
	}
}

TEST(test_dynsym)
{
	struct elf_symbols *elf;

	if (no_compiler)
		skip();
	assert_true(run("gcc -shared -fPIC -o so a.c && strip so"));
	elf = read_alone("so");
	assert_int_equal(elf_symbols_tables(elf), ELF_DYNSYM);
	expect_exported(elf, "so");
	expect_in(elf, "so", "<HIDDEN-HIDDEN-HID>", NULL);
	elf_symbols_free(elf);
}

TEST(test_no_symbols)
{
	struct elf_symbols *elf;

	if (no_compiler)
		skip();
	assert_true(run("gcc -static -o st a.c && strip st"));
	elf = read_alone("st");
	assert_int_equal(elf_symbols_tables(elf), 0);
	expect_in(elf, "st", "<ALPHA-ALPHA-ALPHA>", NULL);
	elf_symbols_free(elf);
}

/* Whether some offset of @file is in the function @name. */
static bool names_some(struct elf_symbols *elf, const char *file,
		       const char *name)
{
	struct image image = image_of(file);
	bool found = false;
	uint64_t start;

	for (uint64_t i = 0; i < image.size && !found; i++) {
		const char *got = elf_symbols_find(elf, i, names, &start);

		found = got && !strcmp(got, name);
		if (found)
			assert_int_equal(start, i);
	}
	free(image.bytes);
	return found;
}

TEST(test_plt)
{
	static const char *const kinds[] = {
		"-Wl,-z,lazy", "-Wl,-z,now", "-Wl,-z,lazy -no-pie",
		"-fcf-protection=full -Wl,-z,ibtplt",
		"-fcf-protection=full -Wl,-z,ibtplt -Wl,-z,now",
	};

	if (no_compiler)
		skip();
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct elf_symbols *elf;
		char command[256];

		snprintf(command, sizeof(command),
			 "gcc -O2 %s -o plt a.c && strip plt", kinds[i]);
		if (!run(command))
			continue;
		elf = read_alone("plt");
		assert_true(names_some(elf, "plt", "puts@plt"));
		elf_symbols_free(elf);
	}
	/* a function that is called and also has its address taken */
	fake_tree_write(&tree, "c.cc",
			"namespace app { void out(int); }\n"
			"void (*volatile p)(int) = app::out;\n"
			"int both() { app::out(1); p(2); return 0; }\n");
	if (run("g++ -O2 -fPIC -shared -o cc.so c.cc")) {
		struct elf_symbols *elf = read_alone("cc.so");

		assert_true(names_some(elf, "cc.so", "app::out@plt"));
		assert_true(names_some(elf, "cc.so", "both"));
		elf_symbols_free(elf);
	}
}

/* A function that is chosen at run time has a PLT slot without a symbol. */
TEST(test_plt_of_ifunc)
{
	struct elf_symbols *elf;

	fake_tree_write(&tree, "i.c",
			"static int one(void) { return 1; }\n"
			"static int (*pick(void))(void) { return one; }\n"
			"int chosen(void) __attribute__((ifunc(\"pick\")));\n"
			"int use(void) { return chosen() + 1; }\n");
#ifndef __x86_64__
	skip();
#endif
	if (no_compiler ||
	    !run("gcc -O2 -shared -fPIC -Wl,-Bsymbolic -o i i.c && strip i"))
		skip();
	elf = read_alone("i");
	assert_true(names_some(elf, "i", "chosen"));
	assert_true(names_some(elf, "i", "chosen@plt"));
	elf_symbols_free(elf);
}

/* The path below @root of the debug file of this build-id. */
static void build_id_path(const struct elf_build_id *id, const char *root,
			  char *path, size_t size)
{
	size_t len = (size_t)snprintf(path, size, "%s/.build-id/%02x/", root,
				      id->bytes[0]);

	for (size_t i = 1; i < id->len; i++)
		len += (size_t)snprintf(path + len, size - len, "%02x",
					id->bytes[i]);
	snprintf(path + len, size - len, ".debug");
}

static void read_id(const char *name, struct elf_build_id *id)
{
	int fd = open(at(name), O_RDONLY);

	assert_int_equal(elf_symbols_build_id(fd, id), 0);
	assert_int_equal(id->len, 20);
	close(fd);
}

TEST(test_debug_by_build_id)
{
	struct elf_build_id id, other;
	char path[256], command[1024];
	struct elf_symbols *elf;

	if (no_compiler)
		skip();
	read_id("full", &id);
	read_id("bare", &other);
	assert_memory_equal(&id, &other, sizeof(id));
	build_id_path(&id, "debug", path, sizeof(path));
	snprintf(command, sizeof(command),
		 "mkdir -p $(dirname %s) && objcopy --only-keep-debug full %s",
		 path, path);
	assert_true(run(command));
	assert_int_equal(read_as("bare", "/bin/bare", at("debug"), "", &elf),
			 0);
	assert_int_equal(elf_symbols_tables(elf), ELF_DEBUG_FILE);
	expect_all(elf, "bare");
	assert_true(names_some(elf, "bare", "puts@plt"));
	elf_symbols_free(elf);
	/* in a container, and on this machine for a container */
	assert_int_equal(read_as("bare", "/bin/bare", "/debug", tree.root,
				 &elf), 0);
	expect_all(elf, "bare");
	elf_symbols_free(elf);
	assert_int_equal(read_as("bare", "/bin/bare", at("debug"), "/no/root",
				 &elf), 0);
	expect_all(elf, "bare");
	elf_symbols_free(elf);
	/* of another program, with this one's build-id */
	snprintf(command, sizeof(command),
		 "gcc -DOTHER -O0 -Wl,--build-id=0x%040d -o x a.c && "
		 "objcopy --only-keep-debug x %s", 1, path);
	assert_true(run(command));
	assert_int_equal(read_as("bare", "/bin/bare", at("debug"), "", &elf),
			 0);
	assert_int_equal(elf_symbols_tables(elf), 0);
	elf_symbols_free(elf);
}

TEST(test_debug_by_path)
{
	struct elf_symbols *elf;

	if (no_compiler)
		skip();
	assert_true(run("mkdir -p d/opt/bin && "
			"objcopy --only-keep-debug full d/opt/bin/bare.debug"));
	assert_int_equal(read_as("bare", "/opt/bin/bare", at("d"), "", &elf),
			 0);
	expect_all(elf, "bare");
	elf_symbols_free(elf);
	assert_int_equal(read_as("bare", "/opt/bin/other", at("d"), "", &elf),
			 0);
	expect_in(elf, "bare", "<HIDDEN-HIDDEN-HID>", NULL);
	elf_symbols_free(elf);
	/* a FIFO in its place: it must not block */
	assert_true(run("rm d/opt/bin/bare.debug && "
			"mkfifo d/opt/bin/bare.debug"));
	assert_int_equal(read_as("bare", "/opt/bin/bare", at("d"), "", &elf),
			 0);
	expect_in(elf, "bare", "<HIDDEN-HIDDEN-HID>", NULL);
	elf_symbols_free(elf);
}

/* Whether the names of c/opt/p come from a debug file. */
static bool uses_debug(uid_t owner)
{
	struct elf_symbols_opts opts = { .debug_root = "/d",
					 .prefix = at("c"),
					 .owner = owner,
					 .max_bytes = 64 << 20 };
	int fd = open(at("c/opt/p"), O_RDONLY);
	struct elf_symbols *elf = NULL;
	bool uses;

	assert_int_equal(elf_symbols_read(fd, "/opt/p", &opts, &elf), 0);
	close(fd);
	uses = elf_symbols_tables(elf) == ELF_DEBUG_FILE;
	elf_symbols_free(elf);
	return uses;
}

/*
 * A debug file that only its path tells of: no link leads to it, and it is from
 * the user of the process or root.
 */
TEST(test_untold_debug)
{
	uid_t self = geteuid();

	if (no_compiler)
		skip();
	assert_true(run("mkdir -p c/opt c/d/opt && "
			"gcc -O2 -Wl,--build-id=none -o p a.c && "
			"strip -o c/opt/p p && "
			"objcopy --only-keep-debug p c/opt/x && "
			"ln -s /opt/x c/d/opt/p.debug"));
	assert_false(uses_debug(self));
	assert_true(run("cp c/opt/x c/opt/p.debug && rm -r c/d/opt && "
			"ln -s ../opt c/d/opt"));
	assert_false(uses_debug(self));
	assert_true(run("rm c/d/opt && mkdir c/d/opt && "
			"cp c/opt/x c/d/opt/p.debug"));
	assert_true(uses_debug(self));
	assert_true(run("chmod 600 c/d/opt/p.debug"));
	assert_true(uses_debug(self));
	/* others may write to it */
	assert_true(run("chmod 646 c/d/opt/p.debug"));
	assert_false(uses_debug(self));
	if (self) {
		assert_true(run("chmod 644 c/d/opt/p.debug"));
		assert_false(uses_debug(self + 1));
		return;
	}
	/* of another user, and root's that only root may read */
	assert_true(run("chmod 644 c/d/opt/p.debug && "
			"chown 4242 c/d/opt/p.debug"));
	assert_true(uses_debug(4242));
	assert_false(uses_debug(4243));
	assert_true(run("chown 0 c/d/opt/p.debug"));
	assert_true(uses_debug(4243));
	assert_true(run("chmod 640 c/d/opt/p.debug"));
	assert_false(uses_debug(4243));
}

/* A debug file by its build-id: links are followed, but stay in the root. */
TEST(test_debug_links_in_root)
{
	struct elf_build_id id;
	char path[256], command[1024];

	if (no_compiler)
		skip();
	read_id("full", &id);
	build_id_path(&id, "c/d", path, sizeof(path));
	snprintf(command, sizeof(command),
		 "mkdir -p $(dirname %s) c/opt && cp bare c/opt/p && "
		 "ln -s $PWD/full %s", path, path);
	assert_true(run(command));
	assert_false(uses_debug(geteuid()));
	assert_true(run("mkdir -p c$PWD && cp full c$PWD"));
	assert_true(uses_debug(4242));
}

/*
 * A debug link by name; neither file has a build-id, so the checksum is used.
 */
TEST(test_debug_link)
{
	static const char *const places[] = { ".", ".debug", "r/opt" };
	struct elf_symbols *elf;
	char command[512];

	if (no_compiler)
		skip();
	assert_true(run("mkdir -p c/opt/.debug c/r/opt && "
			"gcc -O2 -Wl,--build-id=none -o lf a.c && "
			"objcopy --only-keep-debug lf l.dbg && "
			"strip -o c/opt/l lf && "
			"objcopy --add-gnu-debuglink=l.dbg c/opt/l"));
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(command, sizeof(command), "cp l.dbg c/%s%s",
			 i < 2 ? "opt/" : "", places[i]);
		assert_true(run(command));
		assert_int_equal(read_as("c/opt/l", "/opt/l", "/r", at("c"),
					 &elf), 0);
		expect_all(elf, "c/opt/l");
		elf_symbols_free(elf);
		assert_true(run("rm -f c/opt/l.dbg c/opt/.debug/l.dbg "
				"c/r/opt/l.dbg"));
	}
	/* one byte more, and the checksum differs */
	assert_true(run("cp l.dbg c/opt && echo >>c/opt/l.dbg"));
	assert_int_equal(read_as("c/opt/l", "/opt/l", "/r", at("c"), &elf), 0);
	expect_in(elf, "c/opt/l", "<HIDDEN-HIDDEN-HID>", NULL);
	elf_symbols_free(elf);
}

/* The user's own caches: perf's build-id cache and that of debuginfod. */
TEST(test_caches)
{
	static const char *const places[] = {
		"$HOME/.debug/.build-id/$xx/$yy/elf",
		"$HOME/.debug/.build-id/$xx/$yy/debug",
		"$HOME/.cache/debuginfod_client/$xx$yy/debuginfo",
		"$HOME/xdg/debuginfod_client/$xx$yy/debuginfo",
		"$HOME/dbg/$xx$yy/debuginfo",
	};
	static const char place_it[] =
		"id=$(readelf -n bare | sed -n 's/.*Build ID: //p') && "
		"yy=${id#??} && xx=${id%%$yy} && to=%s && "
		"mkdir -p ${to%%/*} && cp full $to && chmod %o $to && "
		"chown %d $to";
	struct elf_symbols *elf;
	char command[1024];

	if (no_compiler)
		skip();
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (i == 3)
			setenv("XDG_CACHE_HOME", at("xdg"), 1);
		if (i == 4)
			setenv("DEBUGINFOD_CACHE_PATH", at("dbg"), 1);
		snprintf(command, sizeof(command), place_it, places[i], 0644,
			 (int)geteuid());
		assert_true(run(command));
		assert_int_equal(read_as("bare", "/x", "/none", "", &elf), 0);
		expect_all(elf, "bare");
		elf_symbols_free(elf);
		/* files that others can write are not used */
		snprintf(command, sizeof(command), place_it, places[i], 0666,
			 (int)geteuid());
		assert_true(run(command));
		assert_int_equal(read_as("bare", "/x", "/none", "", &elf), 0);
		expect_in(elf, "bare", "<HIDDEN-HIDDEN-HID>", NULL);
		elf_symbols_free(elf);
		snprintf(command, sizeof(command), place_it, places[i], 0644,
			 4242);
		if (!geteuid() && run(command)) {
			assert_int_equal(read_as("bare", "/x", "/none", "",
						 &elf), 0);
			expect_in(elf, "bare", "<HIDDEN-HIDDEN-HID>", NULL);
			elf_symbols_free(elf);
		}
		assert_true(run("rm -rf .debug .cache xdg dbg"));
	}
}

/* A sparse file, made to make the checksum slow, whether it is right or not. */
TEST(test_sparse_debuglink)
{
	struct elf_symbols *elf;

	if (no_compiler)
		skip();
	assert_true(run("mkdir opt && "
			"gcc -O2 -Wl,--build-id=none -o lf a.c && "
			"objcopy --only-keep-debug lf opt/l.dbg && "
			"truncate -s 32M opt/l.dbg && "
			"strip -o opt/l lf && "
			"objcopy --add-gnu-debuglink=opt/l.dbg opt/l"));
	assert_int_equal(read_as("opt/l", at("opt/l"), "/r", "", &elf), 0);
	expect_in(elf, "opt/l", "<HIDDEN-HIDDEN-HID>", NULL);
	elf_symbols_free(elf);
	/* with the same bytes, but not sparse, it is used */
	assert_true(run("cp --sparse=never opt/l.dbg full.dbg && "
			"mv full.dbg opt/l.dbg"));
	assert_int_equal(read_as("opt/l", at("opt/l"), "/r", "", &elf), 0);
	expect_all(elf, "opt/l");
	elf_symbols_free(elf);
}

enum { LARGE = 4 << 20 };	/* a debug file */

static struct debug_budget *budget;
static double seconds;		/* limit of the search; 0: none */

/*
 * Whether names of c/opt/@name come from the debug file of its link, for a
 * process of user @owner.  *@read: the bytes that this took for checksums.
 */
static bool uses_link(const char *name, uid_t owner, uint64_t *read)
{
	struct elf_symbols_opts opts = { .debug_root = "/r",
					 .prefix = at("c"),
					 .owner = owner,
					 .max_bytes = 64 << 20,
					 .debug_seconds = seconds,
					 .budget = budget };
	uint64_t before = debug_file_budget_read(budget);
	struct elf_symbols *elf = NULL;
	char path[64];
	bool uses;
	int fd;

	snprintf(path, sizeof(path), "c/opt/%s", name);
	fd = open(at(path), O_RDONLY);
	snprintf(path, sizeof(path), "/opt/%s", name);
	assert_int_equal(elf_symbols_read(fd, path, &opts, &elf), 0);
	close(fd);
	uses = elf_symbols_tables(elf) == ELF_DEBUG_FILE;
	elf_symbols_free(elf);
	*read = debug_file_budget_read(budget) - before;
	return uses;
}

/*
 * c/opt/right and wrong with the link of one large file, which is the former's;
 * 1 to 3 with wrong links to one each.
 */
static bool make_links(void)
{
	return run("mkdir -p c/opt && "
		   "gcc -O2 -Wl,--build-id=none -o lf a.c && "
		   "strip -o bare_lf lf && cd c/opt && "
		   "objcopy --only-keep-debug ../../lf l.dbg && "
		   "head -c 4M /dev/urandom >>l.dbg && "
		   "truncate -s 4M l.dbg && cp l.dbg kept && "
		   "objcopy --add-gnu-debuglink=l.dbg ../../bare_lf right && "
		   "echo >>l.dbg && "
		   "objcopy --add-gnu-debuglink=l.dbg ../../bare_lf wrong && "
		   "mv kept l.dbg && "
		   "for i in 1 2 3; do cp l.dbg $i.dbg && "
		   "objcopy --add-gnu-debuglink=$i.dbg ../../bare_lf $i && "
		   "head -c 4000000 l.dbg >$i.dbg && "
		   "head -c 194304 /dev/urandom >>$i.dbg || exit; done");
}

/* A file is read for its checksum once, as long as it does not change. */
TEST(test_checksum_once)
{
	uint64_t read;

	if (no_compiler)
		skip();
	assert_true(make_links());
	budget = debug_file_budget_new(100 << 20, 0);
	assert_false(uses_link("wrong", 1, &read));
	assert_int_equal(read, LARGE);
	assert_false(uses_link("wrong", 1, &read));
	assert_int_equal(read, 0);
	assert_true(uses_link("right", 2, &read));
	assert_int_equal(read, 0);
	assert_true(run("sleep 0.02; touch c/opt/l.dbg"));
	assert_true(uses_link("right", 1, &read));
	assert_int_equal(read, LARGE);
	assert_true(run("sleep 0.02; head -c 1 /dev/zero | "
			"dd of=c/opt/l.dbg bs=1 seek=4000000 conv=notrunc"));
	assert_false(uses_link("right", 1, &read));
	assert_int_equal(read, LARGE);
	debug_file_budget_free(budget);
}

/* Nor is a file tried again that took too long. */
TEST(test_checksum_late)
{
	uint64_t read = 0;

	if (no_compiler)
		skip();
	assert_true(make_links());
	budget = debug_file_budget_new(100 << 20, 0);
	/* long enough to begin */
	for (seconds = 2e-5; !read; seconds *= 1.2)
		uses_link("right", 1, &read);
	seconds = 0;
	if (read < LARGE) {
		assert_false(uses_link("right", 1, &read));
		assert_int_equal(read, 0);
	}
	debug_file_budget_free(budget);
}

/* The files of each user cost so much, and no more. */
TEST(test_checksum_budget)
{
	uint64_t read;

	if (no_compiler)
		skip();
	assert_true(make_links());
	budget = debug_file_budget_new(3 * LARGE - 1, 0);
	assert_false(uses_link("1", 1, &read));
	assert_false(uses_link("2", 1, &read));
	assert_int_equal(read, LARGE);
	assert_false(uses_link("3", 1, &read));
	assert_int_equal(read, 0);
	assert_false(uses_link("right", 1, &read));
	assert_int_equal(read, 0);
	/* not remembered as wrong */
	assert_true(uses_link("right", 2, &read));
	assert_int_equal(read, LARGE);
	assert_true(uses_link("right", 0, &read));
	assert_int_equal(read, 0);
	assert_false(uses_link("3", 0, &read));
	assert_int_equal(read, LARGE);
	debug_file_budget_free(budget);
	/* time gives it back */
	budget = debug_file_budget_new(LARGE, UINT64_C(1) << 50);
	for (int i = 1; i < 4; i++) {
		assert_false(uses_link((const char[]){ (char)('0' + i), 0 }, 1,
				       &read));
		assert_int_equal(read, LARGE);
	}
	debug_file_budget_free(budget);
	/* the symbols of debug files count, too */
	budget = debug_file_budget_new(LARGE + 100, 0);
	assert_true(uses_link("right", 1, &read));
	assert_false(uses_link("right", 1, &read));
	assert_int_equal(read, 0);
	debug_file_budget_free(budget);
}

/* Symbols that one process has read and saved are the same in another. */
TEST(test_saved)
{
	int fd = memfd_create("saved", MFD_CLOEXEC);
	struct elf_symbols *elf, *again;

	if (no_compiler)
		skip();
	elf = read_alone("full");
	assert_int_equal(elf_symbols_save(elf, fd), 0);
	assert_int_equal(elf_symbols_restore(fd, SIZE_MAX, &again), 0);
	assert_int_equal(elf_symbols_bytes(again), elf_symbols_bytes(elf));
	assert_int_equal(elf_symbols_cut(again), elf_symbols_cut(elf));
	assert_int_equal(elf_symbols_tables(again), elf_symbols_tables(elf));
	elf_symbols_free(elf);
	expect_all(again, "full");
	elf_symbols_free(again);
	close(fd);
}

TEST(test_debugdata)
{
	struct elf_symbols *elf;

	if (no_compiler || !run("command -v xz"))
		skip();
	assert_true(run("gcc -shared -fPIC -o m a.c && "
			"objcopy --only-keep-debug m mini && xz -k mini && "
			"strip m && "
			"objcopy --add-section .gnu_debugdata=mini.xz m"));
	elf = read_alone("m");
	assert_int_equal(elf_symbols_tables(elf), ELF_DYNSYM | ELF_DEBUGDATA);
	expect_all(elf, "m");
	elf_symbols_free(elf);
	/* truncated; and 200 MiB of zeros in 30 kB */
	assert_true(run("head -c 900 mini.xz >cut.xz && "
			"objcopy --update-section .gnu_debugdata=cut.xz m"));
	elf = read_alone("m");
	assert_int_equal(elf_symbols_tables(elf), ELF_DYNSYM);
	expect_exported(elf, "m");
	elf_symbols_free(elf);
	assert_true(run("head -c 200M /dev/zero | xz -0 >zero.xz && "
			"objcopy --update-section .gnu_debugdata=zero.xz m"));
	elf = read_alone("m");
	assert_int_equal(elf_symbols_tables(elf), ELF_DYNSYM);
	elf_symbols_free(elf);
}

/* The vDSO in this process: its size in bytes, 0 if there is none. */
static size_t vdso_size(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long start, end;
	char line[512];
	size_t size = 0;

	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "[vdso]") &&
		    sscanf(line, "%lx-%lx", &start, &end) == 2)
			size = end - start;
	if (maps)
		fclose(maps);
	return size;
}

TEST(test_vdso)
{
	const unsigned char *vdso;
	struct elf_symbols *elf;
	size_t size = vdso_size();
	uint64_t start;
	bool found = false;

	vdso = (const void *)getauxval(AT_SYSINFO_EHDR);
	if (!vdso || !size)
		skip();
	assert_int_equal(elf_symbols_image(vdso, size, &elf), 0);
	assert_int_equal(elf_symbols_tables(elf), ELF_DYNSYM);
	for (uint64_t i = 0; i < size && !found; i++) {
		const char *name = elf_symbols_find(elf, i, names, &start);

		found = name && (strstr(name, "vdso") ||
				 strstr(name, "kernel"));
	}
	assert_true(found);
	elf_symbols_free(elf);
	assert_int_equal(elf_symbols_image(vdso, 20, &elf), -ENOEXEC);
	assert_int_equal(elf_symbols_image("", 0, &elf), -ENOEXEC);
}

TEST(test_max_bytes)
{
	struct elf_symbols_opts opts = { .debug_root = "/", .max_bytes = 2000 };
	struct elf_symbols *elf;
	int fd;

	if (no_compiler)
		skip();
	assert_true(run("gcc -static -o big a.c"));
	fd = open(at("big"), O_RDONLY);
	assert_int_equal(elf_symbols_read(fd, "big", &opts, &elf), 0);
	assert_in_range(elf_symbols_bytes(elf), 1000, 6000);
	assert_true(elf_symbols_cut(elf));
	elf_symbols_free(elf);
	close(fd);
}

TEST(test_no_elf)
{
	static const struct { const char *make; int err; } cases[] = {
		{ ": >no", -ENOEXEC },
		{ "echo text >no", -ENOEXEC },
		{ "printf '\\177ELF' >no", -ENOEXEC },
		{ "head -c 1000 /dev/zero >no", -ENOEXEC },
		{ "printf '!<arch>\\nabc' >no", -ENOEXEC },
		{ "mkfifo no", -EINVAL },
		{ "mkdir no", -EINVAL },
	};
	struct elf_symbols *elf;
	struct elf_build_id id;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int fd;

		assert_true(run(cases[i].make));
		assert_int_equal(read_as("no", "/no", NULL, "", &elf),
				 cases[i].err);
		fd = open(at("no"), O_RDONLY | O_NONBLOCK);
		assert_int_equal(elf_symbols_build_id(fd, &id), cases[i].err);
		assert_int_equal(id.len, 0);
		close(fd);
		assert_true(run("rm -r no"));
	}
}

/* A real file with many symbols: this machine's C library. */
TEST(test_libc)
{
	struct elf_symbols *elf;
	struct elf_symbols_opts opts = { .max_bytes = 64 << 20 };
	struct link_map *map = NULL;
	double begun;
	int fd = -1;

	for (map = _r_debug.r_map; map && fd < 0; map = map->l_next)
		if (strstr(map->l_name, "libc.so"))
			fd = open(map->l_name, O_RDONLY);
	if (fd < 0)
		skip();
	begun = sys_thread_cpu();
	assert_int_equal(elf_symbols_read(fd, "/none", &opts, &elf), 0);
	assert_true(sys_thread_cpu() - begun < 2);
	assert_in_range(elf_symbols_bytes(elf), 1 << 16, 1 << 24);
	elf_symbols_free(elf);
	close(fd);
}

TEST_GROUP(elf_symbols, .setup = set_up, .teardown = tear_down);
