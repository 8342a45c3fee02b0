/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "cli/config.h"

static char dir[] = "/tmp/rbtop-test-config.XXXXXX";
static char rc[64];

static int setup(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(rc, sizeof(rc), "%s/rbtoprc", dir);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	unlink(rc);
	return rmdir(dir);
}

static void write_bytes(const char *bytes, size_t len)
{
	FILE *out = fopen(rc, "w");

	assert_non_null(out);
	assert_int_equal(fwrite(bytes, 1, len, out), len);
	fclose(out);
}

static void write_text(const char *text)
{
	write_bytes(text, strlen(text));
}

static void load(struct config *config, const char *text)
{
	struct err err = { 0 };

	write_text(text);
	config_default(config);
	if (config_load(config, rc, &err) != 0)
		fail_msg("%s", err.text);
}

/* Field by field, since padding may differ. */
static void assert_same(const struct config *a, const struct config *b)
{
	size_t i;

	for (i = 0; i < CONFIG_LISTS; i++) {
		const struct config_columns *x = &a->columns[i];
		const struct config_columns *y = &b->columns[i];

		assert_int_equal(x->nr, y->nr);
		assert_memory_equal(x->shown, y->shown,
				    x->nr * sizeof(*x->shown));
	}
	assert_int_equal(a->sort, b->sort);
	assert_int_equal(a->invert, b->invert);
	assert_int_equal(a->scheme, b->scheme);
	assert_true(a->delay == b->delay);
	assert_int_equal(a->charts, b->charts);
	assert_int_equal(a->keybar, b->keybar);
	assert_true(a->history == b->history);
	assert_int_equal(a->dummies, b->dummies);
	assert_int_equal(a->clock, b->clock);
	assert_int_equal(a->binary, b->binary);
	assert_int_equal(a->pages, b->pages);
	assert_int_equal(a->mouse, b->mouse);
	assert_int_equal(a->ascii, b->ascii);
	assert_int_equal(a->ascii_kept, b->ascii_kept);
	assert_int_equal(a->nr_keys, b->nr_keys);
	for (i = 0; i < a->nr_keys; i++) {
		assert_string_equal(a->keys[i].action, b->keys[i].action);
		assert_string_equal(a->keys[i].keys, b->keys[i].keys);
	}
}

TEST(test_default)
{
	struct config config;
	size_t i;

	config_default(&config);
	for (i = 0; i < CONFIG_LISTS; i++) {
		enum config_list list = (enum config_list)i;
		const struct config_columns *c = &config.columns[i];

		if (config_columns_list(list)->adapts) {
			assert_int_equal(c->nr, 0);
			continue;
		}
		assert_true(c->nr > 3);
		for (size_t n = 0; n < c->nr; n++)
			assert_true(config_columns_info(list, c->shown[n])
				    .shown);
	}
	assert_int_equal(config.sort, FIGURES);
	assert_true(config.charts && config.keybar && !config.dummies);
	assert_true(config.delay == 1 && config.history == 300);
	assert_int_equal(config.clock, TIMES_WALL);
	assert_int_equal(config.nr_keys, 0);
}

TEST(test_path)
{
	char buf[64];

	setenv("HOME", "/home/u", 1);
	setenv("XDG_CONFIG_HOME", "/xdg", 1);
	assert_int_equal(config_path(buf, sizeof(buf)), 0);
	assert_string_equal(buf, "/xdg/rbtop/rbtoprc");
	setenv("XDG_CONFIG_HOME", "relative", 1);
	assert_int_equal(config_path(buf, sizeof(buf)), 0);
	assert_string_equal(buf, "/home/u/.config/rbtop/rbtoprc");
	assert_int_equal(config_path(buf, 10), -ENAMETOOLONG);
	assert_string_equal(buf, "");
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("HOME");
	assert_int_equal(config_path(buf, sizeof(buf)), -ENOENT);
}

TEST(test_load)
{
	struct config config;
	struct config_columns *rings = &config.columns[CONFIG_RINGS];

	load(&config, "# mine\n"
		      "[screen]\ndelay = 250ms\nscheme = Colour-Blind\n"
		      "ascii = yes\nclock = Kernel\n"
		      "units = ki\nsizes = Pages\nhistory = 1.5h\n"
		      "[rings]\ncolumns = lost, fill peak\n\trate fill\n"
		      "sort = lost\ninvert = yes\n"
		      "[keys]\nquit = x F10\nQUIT = Q\npage_up = u\n");
	assert_true(config.delay == .25);
	assert_int_equal(config.scheme, CONFIG_SCHEME_COLOUR_BLIND);
	assert_true(config.ascii);
	assert_int_equal(config.clock, TIMES_KERNEL);
	assert_true(config.binary && config.pages);
	assert_true(config.history == 5400);
	assert_int_equal(rings->nr, 4);
	assert_int_equal(rings->shown[0], FIGURE_LOST);
	assert_int_equal(rings->shown[1], FIGURE_FILL);
	assert_int_equal(rings->shown[2], FIGURE_PEAK);
	assert_int_equal(rings->shown[3], FIGURE_RATE);
	assert_int_equal(config.sort, FIGURE_LOST);
	assert_true(config.invert);
	assert_int_equal(config.nr_keys, 2);
	assert_string_equal(config.keys[0].action, "QUIT");
	assert_string_equal(config.keys[0].keys, "Q");
	assert_string_equal(config.keys[1].action, "page_up");
	/* the last line of each */
	assert_int_equal(config.keys[0].line, 17);
	assert_int_equal(config.keys[1].line, 18);
}

TEST(test_load_samples)
{
	struct config config, plain;
	struct config_columns *rings = &config.columns[CONFIG_RINGS];
	struct config_columns *samples = &config.columns[CONFIG_SAMPLES];

	load(&config, "[samples]\ncolumns = comm what,\n\tIP comm\n");
	config_default(&plain);
	assert_int_equal(samples->nr, 3);
	assert_int_equal(samples->shown[0], SAMPLE_COLUMN_COMM);
	assert_int_equal(samples->shown[1], SAMPLE_COLUMN_WHAT);
	assert_int_equal(samples->shown[2], SAMPLE_COLUMN_IP);
	/* the other list is unchanged */
	assert_int_equal(rings->nr, plain.columns[CONFIG_RINGS].nr);
	load(&config, "[rings]\ncolumns = fill\n[samples]\ncolumns = cpu\n"
		      "[rings]\ncolumns = lost\n");
	assert_int_equal(rings->nr, 2);
	assert_int_equal(rings->shown[1], FIGURE_LOST);
	assert_int_equal(samples->nr, 1);
}

/* Host adapts unless the file names its columns; the next save keeps them. */
TEST(test_load_host)
{
	struct config config;
	struct config_columns *host = &config.columns[CONFIG_HOST];
	struct err err = { 0 };
	char text[1024];
	FILE *in;

	load(&config, "[rings]\ncolumns = fill\n");
	assert_int_equal(host->nr, 0);
	load(&config, "[hot]\ncolumns = NAME self\n[aux]\ncolumns = ring "
		      "auxhead state\n[log]\ncolumns = what time\n");
	assert_int_equal(config.columns[CONFIG_HOT].nr, 2);
	assert_int_equal(config.columns[CONFIG_HOT].shown[0], CONFIG_HOT_NAME);
	assert_int_equal(config.columns[CONFIG_AUX].nr, 3);
	assert_int_equal(config.columns[CONFIG_AUX].shown[2], FIGURE_AUXSTATE);
	assert_int_equal(config.columns[CONFIG_LOG].nr, 2);
	assert_int_equal(config.columns[CONFIG_LOG].shown[0], CONFIG_LOG_WHAT);
	load(&config, "[Host]\ncolumns = owner fill%, USER\n\trate owner\n");
	assert_int_equal(host->nr, 4);
	assert_int_equal(host->shown[0], FIGURE_OWNER);
	assert_int_equal(host->shown[1], FIGURE_FILLPCT);
	assert_int_equal(host->shown[2], FIGURE_USER);
	assert_int_equal(host->shown[3], FIGURE_RATE);
	assert_int_equal(config_save(&config, rc, &err), 0);
	in = fopen(rc, "r");
	assert_non_null(in);
	text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
	fclose(in);
	assert_non_null(strstr(text, "\n\n[host]\ncolumns = owner fill% user "
				     "rate\n"));
}

TEST(test_missing_file)
{
	struct config config, before;
	struct err err = { 0 };

	config_default(&config);
	before = config;
	assert_int_equal(config_load(&config, "/nonexistent/rc", &err), 0);
	assert_same(&config, &before);
}

TEST(test_bad_files)
{
	static const struct {
		const char *text, *names;
	} cases[] = {
		{ "[screen]\n\ndelay = 0\n", "rbtoprc:3: delay" },
		{ "[screen]\ndelay\n", "rbtoprc:2: must be [section]" },
		{ "delay = 1\n", "rbtoprc:1: no section []" },
		{ "[screen]\nscheme = pink\n", "rbtoprc:2: no colour scheme" },
		{ "[screen]\nclock = monotonic\n",
		  "rbtoprc:2: clock is wall or kernel" },
		{ "[screen]\nunits = KiB\n",
		  "rbtoprc:2: units is K or Ki, not 'KiB'" },
		{ "[screen]\nhistory = 59s\n",
		  "rbtoprc:2: history '59s': must be at least 1m" },
		{ "[screen]\nhistory = 25h\n", "rbtoprc:2: history '25h'" },
		{ "[screen]\nsizes = K\n",
		  "rbtoprc:2: sizes is bytes or pages, not 'K'" },
		{ "[screen]\nwidth = 3\n", "no 'width' in [screen]" },
		{ "[screen]\nascii = 1\n", "must be yes or no" },
		{ "[rings]\ncolumns = fill bogus\n", "no column 'bogus'" },
		{ "[rings]\ncolumns =\n", "the list is empty" },
		{ "[samples]\ncolumns = comm fill\n",
		  "rbtoprc:2: no column 'fill' in [samples]" },
		{ "[samples]\ncolumns = ,\n", "the list is empty" },
		{ "[host]\ncolumns = owner bogus\n",
		  "rbtoprc:2: no column 'bogus' in [host]; rbtop-screens(7)" },
		{ "[log]\ncolumns = when\n", "no column 'when' in [log]" },
		{ "[host]\ncolumns = hist\n", "no column 'hist' in [host]" },
		{ "[host]\ncolumns =\n", "the list is empty" },
		{ "[host]\nsort = owner\n",
		  "no 'sort' in [host]; it has only columns" },
		{ "[samples]\nsort = comm\n", "no 'sort' in [samples]" },
		{ "[rings]\nsort = bogus\n", "to sort by" },
		{ "[rings]\norder = up\n", "no 'order' in [rings]" },
		{ "[colours]\nred = blue\n", "no section [colours]; there are "
		  "screen, rings, samples, hot, aux, log, host and keys" },
		{ "[keys]\nan_action_of_a_name_far_too_long = q\n",
		  "no action has a name" },
		/* the first of several errors is reported */
		{ "[rings]\nsort = no1\nsort = no2\n", "rbtoprc:2: no column "
						       "'no1'" },
	};
	struct config config, before;
	struct err err;
	size_t i;

	config_default(&config);
	before = config;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		write_text(cases[i].text);
		err = (struct err){ 0 };
		assert_int_equal(config_load(&config, rc, &err), -EINVAL);
		assert_int_equal(err_exit_status(&err), 2);
		if (!strstr(err.text, cases[i].names))
			fail_msg("case %zu: %s", i, err.text);
		assert_same(&config, &before);
	}
}

TEST(test_not_text)
{
	static const char zero[] = "[screen]\ndelay = 1\n\0[rings]\n";
	char longer[300];
	struct config config;
	struct err err = { 0 };

	config_default(&config);
	write_bytes(zero, sizeof(zero) - 1);
	assert_int_equal(config_load(&config, rc, &err), -EINVAL);
	assert_non_null(strstr(err.text, "rbtoprc:3:"));

	/* inih would take the rest of the line for another line */
	memset(longer, ' ', sizeof(longer));
	memcpy(longer, "[screen]\n#", 10);
	memcpy(longer + 250, "delay=9\n", 9);
	write_text(longer);
	assert_int_equal(config_load(&config, rc, &err), -EINVAL);
	assert_non_null(strstr(err.text, "rbtoprc:2:"));
	assert_true(config.delay == 1);
}

TEST(test_too_many_keys)
{
	struct config config;
	struct err err = { 0 };
	char text[CONFIG_MAX_KEYS * 16 + 64];
	int len, i;

	len = sprintf(text, "[keys]\n");
	for (i = 0; i <= CONFIG_MAX_KEYS; i++)
		len += sprintf(text + len, "action%d = x\n", i);
	write_text(text);
	config_default(&config);
	assert_int_equal(config_load(&config, rc, &err), -EINVAL);
	assert_non_null(strstr(err.text, "rbtoprc:98: more than 96 keys"));
}

TEST(test_unreadable)
{
	struct config config;
	struct err err = { 0 };

	config_default(&config);
	write_text("");
	sys_fail_at(SYS_OPEN_FILE, 1, EACCES);
	assert_int_equal(config_load(&config, rc, &err), -EACCES);
	assert_int_equal(err_exit_status(&err), 1);
	err = (struct err){ 0 };
	assert_int_equal(config_load(&config, dir, &err), -EINVAL);
	assert_int_equal(err_exit_status(&err), 1);
	assert_non_null(strstr(err.text, dir));
}

/* All settings, with all columns, which makes a folded list. */
static void fill_config(struct config *config)
{
	struct config_columns none = { .nr = 0 };
	unsigned int order[CONFIG_COLUMNS];

	config_default(config);
	for (unsigned int i = 0; i < CONFIG_LISTS; i++) {
		struct config_columns *c = &config->columns[i];
		size_t nr = config_columns_order((enum config_list)i, &none,
						 order);

		for (c->nr = 0; c->nr < nr; c->nr++)
			c->shown[c->nr] = order[nr - 1 - c->nr];
	}
	config->sort = FIGURE_PEAK;
	config->invert = true;
	config->scheme = CONFIG_SCHEME_MONO;
	config->delay = .125;
	config->charts = config->keybar = false;
	config->dummies = true;
	config->clock = TIMES_KERNEL;
	config->binary = config->pages = true;
	config->history = 5400;
	config->mouse = false;
	config->ascii = config->ascii_kept = true;
	config->nr_keys = 2;
	strcpy(config->keys[0].action, "quit");
	strcpy(config->keys[0].keys, "Q F10");
	strcpy(config->keys[1].action, "sort");
	strcpy(config->keys[1].keys, "> . =");
}

TEST(test_save_and_load)
{
	struct config saved, loaded;
	struct err err = { 0 };
	struct stat st;

	unlink(rc);
	fill_config(&saved);
	assert_int_equal(config_save(&saved, rc, &err), 0);
	assert_int_equal(stat(rc, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	config_default(&loaded);
	if (config_load(&loaded, rc, &err) != 0)
		fail_msg("%s", err.text);
	assert_same(&loaded, &saved);
}

TEST(test_history_text)
{
	static const struct {
		double seconds;
		const char *text;
	} cases[] = {
		{ 300, "5m" }, { 5400, "90m" }, { 7200, "2h" }, { 90, "90s" },
		{ 86400, "24h" }, { 60.5, "60.5s" },
	};
	char text[16];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(config_history_text(text, sizeof(text),
							cases[i].seconds),
				    cases[i].text);
}

/* A file that others may read stays so, but gets no special bits. */
TEST(test_save_keeps_mode)
{
	static const struct {
		mode_t old, saved;
	} cases[] = {
		{ 0644, 0644 }, { 0640, 0640 }, { 0400, 0400 },
		{ 0664, 0664 }, { 06755, 0755 }, { 0600, 0600 },
	};
	struct config config;
	struct err err = { 0 };
	mode_t mask = umask(077);
	struct stat st;

	config_default(&config);
	assert_int_equal(config_save(&config, rc, &err), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(chmod(rc, cases[i].old), 0);
		assert_int_equal(config_save(&config, rc, &err), 0);
		assert_int_equal(stat(rc, &st), 0);
		assert_int_equal(st.st_mode & 07777, cases[i].saved);
	}
	umask(mask);
}

/* Another group than that of the old file gets no rights. */
TEST(test_save_in_other_group)
{
	struct config config;
	struct err err = { 0 };
	struct stat st;

	if (geteuid() != 0)
		skip();
	config_default(&config);
	assert_int_equal(config_save(&config, rc, &err), 0);
	assert_int_equal(chown(rc, (uid_t)-1, 65534), 0);
	assert_int_equal(chmod(rc, 0664), 0);
	assert_int_equal(config_save(&config, rc, &err), 0);
	assert_int_equal(stat(rc, &st), 0);
	assert_int_equal(st.st_gid, getegid());
	assert_int_equal(st.st_mode & 07777, 0604);
	/* another user's file keeps user, group and mode */
	assert_int_equal(chown(rc, 65534, 65534), 0);
	assert_int_equal(chmod(rc, 0664), 0);
	assert_int_equal(config_save(&config, rc, &err), 0);
	assert_int_equal(stat(rc, &st), 0);
	assert_int_equal(st.st_uid, 65534);
	assert_int_equal(st.st_gid, 65534);
	assert_int_equal(st.st_mode & 07777, 0664);
	assert_int_equal(unlink(rc), 0);
}

TEST(test_ascii_of_command_line_not_kept)
{
	struct config config;
	struct err err = { 0 };

	config_default(&config);
	config.ascii = true;
	assert_int_equal(config_save(&config, rc, &err), 0);
	config_default(&config);
	assert_int_equal(config_load(&config, rc, &err), 0);
	assert_false(config.ascii);
}

TEST(test_save_makes_directories)
{
	char deep[96], path[128];
	struct config config;
	struct err err = { 0 };
	struct stat st;

	config_default(&config);
	snprintf(deep, sizeof(deep), "%s/new", dir);
	snprintf(path, sizeof(path), "%s/rbtop", deep);
	strcat(path, "/rc");
	assert_int_equal(config_save(&config, path, &err), 0);
	assert_int_equal(stat(deep, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	unlink(path);
	*strrchr(path, '/') = '\0';
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(rmdir(deep), 0);
}

TEST(test_save_fails)
{
	struct config config;
	struct err err = { 0 };

	config_default(&config);
	assert_true(config_save(&config, "/proc/no/rc", &err) < 0);
	assert_int_equal(err_exit_status(&err), 1);
	assert_non_null(strstr(err.text, "/proc/no/rc"));
}

/* A failed save leaves the old file, and no temporary file. */
TEST(test_save_keeps_the_old)
{
	char path[80], text[256] = "";
	struct config config;
	struct err err = { 0 };
	FILE *in;

	config_default(&config);
	snprintf(path, sizeof(path), "%s/taken", dir);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_true(config_save(&config, path, &err) < 0);
	assert_int_equal(err_exit_status(&err), 1);
	assert_non_null(strstr(err.text, "taken"));
	assert_int_equal(rmdir(path), 0);
	snprintf(text, sizeof(text), "ls %s | grep -c taken", dir);
	in = popen(text, "r");
	assert_non_null(in);
	assert_non_null(fgets(text, sizeof(text), in));
	pclose(in);
	assert_string_equal(text, "0\n");
}

TEST(test_save_through_link)
{
	char real[80], link[80];
	struct config config;
	struct err err = { 0 };
	struct stat st;

	snprintf(real, sizeof(real), "%s/real", dir);
	snprintf(link, sizeof(link), "%s/link", dir);
	config_default(&config);
	assert_int_equal(config_save(&config, real, &err), 0);
	assert_int_equal(symlink(real, link), 0);
	config.delay = 5;
	assert_int_equal(config_save(&config, link, &err), 0);
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	config_default(&config);
	assert_int_equal(config_load(&config, real, &err), 0);
	assert_true(config.delay == 5);
	unlink(link);
	unlink(real);
}

TEST_GROUP(config, .setup = setup, .teardown = teardown);
