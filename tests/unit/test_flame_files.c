/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "export/flame/flame_files.h"
#include "tests/unit/flame_rig.h"

static char dir[] = "/tmp/rbtop-test-flame.XXXXXX";

static int setup(void **state)
{
	(void)state;
	setenv("TZ", "UTC", 1);
	return mkdtemp(dir) ? 0 : -1;
}

static size_t list(glob_t *found)
{
	char pattern[64];

	snprintf(pattern, sizeof(pattern), "%s/*", dir);
	return glob(pattern, 0, NULL, found) == 0 ? found->gl_pathc : 0;
}

static void remove_files(void)
{
	glob_t found;

	for (size_t i = list(&found); i-- > 0;)
		unlink(found.gl_pathv[i]);
	globfree(&found);
}

static int teardown(void **state)
{
	(void)state;
	remove_files();
	return rmdir(dir);
}

/* The output of @write; to be freed. */
static char *text_of(const struct flame *f,
		     int (*write)(const struct flame *f, FILE *out))
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(write(f, out), 0);
	fclose(out);
	return text;
}

TEST(test_folded)
{
	char *text = text_of(&flame, flame_files_folded);

	assert_string_equal(text,
		"dd;main 10\n"
		"dd;main;write 30\n"
		"dd;main;read;vfs_read_[k] 40\n"
		"evil;</title><script>alert(1)</script>&amp:\"' 10\n"
		"evil;]]><b onclick='x()'>operator<< <int></b>_[j] 6\n"
		"evil;a?[31mb?:c?d\xef\xbf\xbe 4\n");
	free(text);
}

/* Fractions of samples become whole counts with the same sum. */
TEST(test_folded_fractions)
{
	struct flame_box thirds[] = {
		BOX(NO, 1, NO, "all", NULL, SYMBOL_UNKNOWN, 0, 2, 0, 0),
		BOX(0, NO, 2, "a", NULL, SYMBOL_UNKNOWN, 1, 2. / 3, 2. / 3, 0),
		BOX(0, NO, 3, "b", NULL, SYMBOL_UNKNOWN, 1, 2. / 3, 2. / 3, 0),
		BOX(0, NO, NO, "c", NULL, SYMBOL_UNKNOWN, 1, 2. / 3, 2. / 3, 0),
	};
	const struct flame fractions = { thirds, 4, 1, false };
	char *text = text_of(&fractions, flame_files_folded);

	assert_string_equal(text, "a 1\nc 1\n");
	free(text);
}

static size_t count(const char *text, const char *part)
{
	size_t nr = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		nr++;
	return nr;
}

TEST(test_svg)
{
	char *text = text_of(&flame, write_svg);

	assert_memory_equal(text, "<?xml", 5);
	assert_string_equal(text + strlen(text) - 7, "</svg>\n");
	assert_int_equal(count(text, "<g data-x="), 10);
	assert_non_null(strstr(text, "data-x=\"0.400000000\" "
			       "data-w=\"0.300000000\" data-d=\"3\""));
	assert_non_null(strstr(text, "<title>vfs_read\n" KERNEL "\n"
			       "40 samples\n40.00 %</title>"));
	assert_non_null(strstr(text, ">dd &amp; &lt;evil&gt;</text>"));
	/* of the namespace */
	assert_int_equal(count(text, "http"), 1);
	free(text);
}

/* Names stay text: there is only rbtop's one script element. */
TEST(test_svg_hostile)
{
	char *text = text_of(&flame, write_svg);

	assert_int_equal(count(text, "<script"), 1);
	assert_int_equal(count(text, "</script"), 1);
	assert_int_equal(count(text, "]]>"), 1);
	assert_int_equal(count(text, "<b"), 0);
	assert_non_null(strstr(text, "<title>&lt;/title&gt;&lt;script&gt;"
			       "alert(1)&lt;/script&gt;&amp;amp;\"'\n"
			       "/tmp/&lt;b&gt;&amp;\n"));
	assert_non_null(strstr(text, "<title>]]&gt;&lt;b "));
	/*
	 * control characters, invalid UTF-8, characters not allowed in XML 1.0
	 */
	assert_non_null(strstr(text, "<title>a?[31mb?;c?d?\n"));
	for (const char *p = text; *p; p++)
		assert_true((unsigned char)*p >= 0x20 || *p == '\n');
	free(text);
}

/* Boxes that are too narrow are left out, with their callees. */
TEST(test_svg_min_share)
{
	struct flame_box few[] = {
		BOX(NO, 1, NO, "all", NULL, SYMBOL_UNKNOWN, 0, 1e6, 0, 0),
		BOX(0, 2, 3, "thin", NULL, SYMBOL_UNKNOWN, 1, 49, 0, 0),
		BOX(1, NO, NO, "thinner", "x", SYMBOL_USER, 2, 49, 49, 0),
		BOX(0, NO, NO, "seen", NULL, SYMBOL_UNKNOWN, 1, 51, 51, 0),
	};
	const struct flame f = { few, 4, 2, false };
	char *text = text_of(&f, write_svg);

	assert_int_equal(count(text, "<g data-x="), 2);
	assert_int_equal(count(text, "<title>seen\n"), 1);
	/* two rows of 17 below a head of 62 and above a foot of 10 */
	assert_non_null(strstr(text, "height=\"106\">"));
	free(text);
}

TEST(test_svg_empty)
{
	struct flame_box root = BOX(NO, NO, NO, "all", NULL, SYMBOL_UNKNOWN,
				    0, 0, 0, 0);
	const struct flame nothing = { &root, 1, 0, false };
	char *text = text_of(&nothing, write_svg);

	assert_non_null(strstr(text, "0 samples\n100.00 %"));
	free(text);
	text = text_of(&nothing, flame_files_folded);
	assert_string_equal(text, "");
	free(text);
}

TEST(test_full_disk)
{
	FILE *full = fopen("/dev/full", "w");

	assert_non_null(full);
	assert_int_equal(flame_files_folded(&flame, full), -ENOSPC);
	fclose(full);
	full = fopen("/dev/full", "w");
	assert_non_null(full);
	assert_true(flame_svg_write(&flame, "t", full) < 0);
	fclose(full);
}

static void assert_file(const char *name, const char *begin)
{
	char path[128], text[32] = "";
	mode_t mask = umask(0);
	struct stat st;
	FILE *in;

	umask(mask);
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0644 & ~mask);
	in = fopen(path, "r");
	assert_non_null(in);
	assert_non_null(fgets(text, sizeof(text), in));
	fclose(in);
	assert_memory_equal(text, begin, strlen(begin));
}

TEST(test_write)
{
	const double noon = 1700000000.9;	/* 2023-11-14 22:13:20 UTC */
	struct err err = { 0 };
	char path[128], want[128];
	glob_t found;

	assert_int_equal(flame_files_write(&flame, "t", dir, noon, path,
					   sizeof(path), &err), 0);
	snprintf(want, sizeof(want), "%s/rbtop-20231114-221320.svg", dir);
	assert_string_equal(path, want);
	assert_file("rbtop-20231114-221320.svg", "<?xml");
	assert_file("rbtop-20231114-221320.folded", "dd;main 10\n");

	/*
	 * Another one in the same second; one name of the third pair is taken.
	 */
	assert_int_equal(flame_files_write(&flame, "t", dir, noon, path,
					   sizeof(path), &err), 0);
	assert_file("rbtop-20231114-221320-1.svg", "<?xml");
	assert_file("rbtop-20231114-221320-1.folded", "dd;main 10\n");
	snprintf(want, sizeof(want), "%s/rbtop-20231114-221320-2.folded", dir);
	assert_int_equal(symlink("/nowhere/at/all", want), 0);
	assert_int_equal(list(&found), 5);
	globfree(&found);
	assert_int_equal(flame_files_write(&flame, "t", dir, noon, path,
					   sizeof(path), &err), 0);
	snprintf(want, sizeof(want), "%s/rbtop-20231114-221320-3.svg", dir);
	assert_string_equal(path, want);
	remove_files();
}

TEST(test_one_file)
{
	struct err err = { 0 };
	char path[128];
	struct stat st;

	snprintf(path, sizeof(path), "%s/a.svg", dir);
	assert_int_equal(flame_file_check(path, &err), 0);
	assert_int_equal(stat(path, &st), -1);
	assert_int_equal(flame_file_write(&flame, "t", path, &err), 0);
	assert_file("a.svg", "<?xml");
	snprintf(path, sizeof(path), "%s/a.folded", dir);
	for (int i = 0; i < 2; i++)	/* it is replaced */
		assert_int_equal(flame_file_write(&flame, "t", path, &err), 0);
	assert_file("a.folded", "dd;main 10\n");
	remove_files();

	assert_int_equal(flame_file_check("-", &err), 0);
	assert_int_equal(flame_file_check(dir, &err), -EEXIST);
	assert_non_null(strstr(err.text, "not a regular file"));
	assert_int_equal(flame_file_check("/nowhere/at/all", &err), -ENOENT);
}

/*
 * After a hundred pairs in one second it fails, and leaves nothing incomplete.
 */
TEST(test_write_refused)
{
	struct err err = { 0 };
	char path[128];
	glob_t found;

	for (int i = 0; i < 100; i++)
		assert_int_equal(flame_files_write(&flame, "t", dir, 1, path,
						   sizeof(path), &err), 0);
	assert_int_equal(flame_files_write(&flame, "t", dir, 1, path,
					   sizeof(path), &err), -EEXIST);
	assert_non_null(strstr(err.text, "there are 100 such files"));
	assert_int_equal(list(&found), 200);
	globfree(&found);
	remove_files();

	assert_int_equal(flame_files_write(&flame, "t", "/nowhere/at/all", 1,
					   path, sizeof(path), &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nowhere/at/all/rbtop-1970"));
	assert_int_equal(list(&found), 0);
	globfree(&found);
}

TEST_GROUP(flame_files, .setup = setup, .teardown = teardown);
