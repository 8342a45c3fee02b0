/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/config.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/sysmacros.h>

#include <ini.h>

#include "base/caps.h"
#include "base/env.h"
#include "base/err.h"
#include "base/file/new_file.h"
#include "base/sys.h"
#include "base/units.h"

enum {
	MAX_FILE = 64 * 1024,
	/* inih splits lines of 200 bytes, with their terminators, in two. */
	MAX_LINE = 197,
	/* config_save() folds lines at this column. */
	FOLD = 72,
};

#define SCHEME(id, name, help) { name, help },
static const struct {
	const char *name, *help;
} schemes[CONFIG_SCHEMES] = {
#include "cli/schemes.def"
};
#undef SCHEME

const char *config_scheme_name(enum config_scheme scheme)
{
	return schemes[scheme].name;
}

const char *config_scheme_help(enum config_scheme scheme)
{
	return schemes[scheme].help;
}

int config_scheme_find(const char *name, enum config_scheme *scheme,
		       struct err *err)
{
	char all[128] = "";
	size_t len = 0;

	for (unsigned int i = 0; i < CONFIG_SCHEMES; i++) {
		if (strcasecmp(name, schemes[i].name) == 0) {
			*scheme = (enum config_scheme)i;
			return 0;
		}
		if (len < sizeof(all))
			len += (size_t)snprintf(all + len, sizeof(all) - len,
						"%s%s", i ? ", " : "",
						schemes[i].name);
	}
	return err_usage(err, "no colour scheme '%s'; there are %s", name,
			 all);
}

void config_default(struct config *config)
{
	enum figure all[FIGURES];
	size_t nr = figure_columns(IN_RINGS, all);
	unsigned int c;

	*config = (struct config){ .sort = FIGURES, .delay = 1,
				   .mouse = true, .charts = true };
	for (c = 0; c < nr; c++)
		if (!figure_info(all[c])->in[IN_RINGS].hidden)
			config->columns[config->nr_columns++] = all[c];
	for (c = 0; c < SAMPLE_COLUMNS; c++)
		if (sample_column_info((enum sample_column)c)->shown)
			config->sample_columns[config->nr_sample_columns++] =
				(enum sample_column)c;
}

int config_path(char *buf, size_t size)
{
	const char *xdg = getenv("XDG_CONFIG_HOME");
	const char *home = env_home();
	int len;

	/* XDG base directory specification: relative paths are ignored */
	if (xdg && *xdg == '/')
		len = snprintf(buf, size, "%s/rbtop/rbtoprc", xdg);
	else if (home && *home == '/')
		len = snprintf(buf, size, "%s/.config/rbtop/rbtoprc", home);
	else
		len = -1;
	if (len >= 0 && (size_t)len < size)
		return 0;
	*buf = '\0';
	return len < 0 ? -ENOENT : -ENAMETOOLONG;
}

/* The lists of columns, by section. */
enum lists { LIST_RINGS, LIST_SAMPLES, LISTS };

/* A list of columns of any section. */
struct column_list {
	unsigned int columns[(int)FIGURES > (int)SAMPLE_COLUMNS ?
				     (int)FIGURES : (int)SAMPLE_COLUMNS];
	size_t nr;
	bool seen;		/* the file has it; a folded one in parts */
};

static unsigned int find_ring_column(const char *id)
{
	return figure_find(id, IN_RINGS);
}

static unsigned int find_sample_column(const char *id)
{
	return sample_column_find(id);
}

static const char *ring_column_id(unsigned int column)
{
	return figure_info((enum figure)column)->id;
}

static const char *sample_column_id(unsigned int column)
{
	return sample_column_info((enum sample_column)column)->id;
}

static const struct {
	const char *section;
	unsigned int none;	/* returned by find() for an unknown id */
	unsigned int (*find)(const char *id);
	const char *(*id)(unsigned int column);
} lists[LISTS] = {
	[LIST_RINGS] = { "rings", FIGURES, find_ring_column, ring_column_id },
	[LIST_SAMPLES] = { "samples", SAMPLE_COLUMNS, find_sample_column,
			   sample_column_id },
};

/* The state while a file is read. */
struct loading {
	struct config *config;
	struct column_list lists[LISTS];
	char first_error[256];	/* inih reads on to the end of the file */
};

/* Set the first error.  Returns 0, which means failure to inih. */
static int refuse(struct loading *l, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static int refuse(struct loading *l, const char *fmt, ...)
{
	va_list ap;

	if (l->first_error[0])
		return 0;
	va_start(ap, fmt);
	vsnprintf(l->first_error, sizeof(l->first_error), fmt, ap);
	va_end(ap);
	return 0;
}

static int load_bool(struct loading *l, const char *name, const char *value,
		     bool *out)
{
	if (strcasecmp(value, "yes") != 0 && strcasecmp(value, "no") != 0)
		return refuse(l, "%s = '%s': must be yes or no", name, value);
	*out = strcasecmp(value, "yes") == 0;
	return 1;
}

static int load_scheme(struct loading *l, const char *value)
{
	struct err err = { 0 };

	if (config_scheme_find(value, &l->config->scheme, &err) < 0)
		return refuse(l, "%s", err.text);
	return 1;
}

static int load_delay(struct loading *l, const char *value)
{
	struct err err = { 0 };

	if (units_parse_seconds(value, "delay", &l->config->delay, &err) < 0)
		return refuse(l, "%s", err.text);
	return 1;
}

static bool has_column(const struct column_list *list, unsigned int column)
{
	size_t i;

	for (i = 0; i < list->nr; i++)
		if (list->columns[i] == column)
			return true;
	return false;
}

/* Append one line of a list; inih passes a folded list line by line. */
static int load_columns(struct loading *l, enum lists which, const char *value)
{
	struct column_list *list = &l->lists[which];
	char words[MAX_LINE + 1], *rest = words, *word;
	unsigned int column;

	snprintf(words, sizeof(words), "%s", value);
	list->seen = true;
	while ((word = strsep(&rest, " \t,"))) {
		if (!*word)
			continue;
		column = lists[which].find(word);
		if (column == lists[which].none)
			return refuse(l, "no column '%s' in [%s]; "
				      "rbtop-screens(7) has the list", word,
				      lists[which].section);
		if (!has_column(list, column))
			list->columns[list->nr++] = column;
	}
	if (list->nr == 0)
		return refuse(l, "columns: the list is empty");
	return 1;
}

/* Replace the lists in the config that the file has. */
static void take_lists(struct loading *l)
{
	const struct column_list *rings = &l->lists[LIST_RINGS];
	const struct column_list *samples = &l->lists[LIST_SAMPLES];
	struct config *config = l->config;
	size_t i;

	if (rings->seen)
		config->nr_columns = rings->nr;
	for (i = 0; i < rings->nr; i++)
		config->columns[i] = (enum figure)rings->columns[i];
	if (samples->seen)
		config->nr_sample_columns = samples->nr;
	for (i = 0; i < samples->nr; i++)
		config->sample_columns[i] =
			(enum sample_column)samples->columns[i];
}

static int load_sort(struct loading *l, const char *value)
{
	enum figure column = figure_find(value, IN_RINGS);

	if (column == FIGURES && strcasecmp(value, "none") != 0)
		return refuse(l, "no column '%s' to sort by; "
			      "rbtop-screens(7) has the list", value);
	l->config->sort = column;
	return 1;
}

/* Later lines for the same action replace earlier ones. */
static int load_key(struct loading *l, const char *action, const char *keys)
{
	struct config *config = l->config;
	struct config_key *key;
	size_t i;

	for (i = 0; i < config->nr_keys; i++)
		if (strcasecmp(config->keys[i].action, action) == 0)
			break;
	if (i == CONFIG_MAX_KEYS)
		return refuse(l, "more than %d keys", CONFIG_MAX_KEYS);
	key = &config->keys[i];
	if (strlen(action) >= sizeof(key->action))
		return refuse(l, "no action has a name as long as '%s'",
			      action);
	if (strlen(keys) >= sizeof(key->keys))
		return refuse(l, "too many keys for '%s'", action);
	strcpy(key->action, action);
	strcpy(key->keys, keys);
	if (i == config->nr_keys)
		config->nr_keys++;
	return 1;
}

static int load_clock(struct loading *l, const char *value)
{
	if (strcasecmp(value, "wall") == 0)
		l->config->clock = TIMES_WALL;
	else if (strcasecmp(value, "kernel") == 0)
		l->config->clock = TIMES_KERNEL;
	else
		return refuse(l, "clock is wall or kernel, not '%s'", value);
	return 1;
}

static int load_screen(struct loading *l, const char *name, const char *value)
{
	struct config *config = l->config;

	if (strcasecmp(name, "delay") == 0)
		return load_delay(l, value);
	if (strcasecmp(name, "scheme") == 0)
		return load_scheme(l, value);
	if (strcasecmp(name, "clock") == 0)
		return load_clock(l, value);
	if (strcasecmp(name, "mouse") == 0)
		return load_bool(l, name, value, &config->mouse);
	if (strcasecmp(name, "charts") == 0)
		return load_bool(l, name, value, &config->charts);
	if (strcasecmp(name, "ascii") == 0) {
		if (!load_bool(l, name, value, &config->ascii_kept))
			return 0;
		config->ascii = config->ascii_kept;
		return 1;
	}
	return refuse(l, "no '%s' in [screen]; there are delay, scheme, "
		      "clock, mouse, charts and ascii", name);
}

static int load_rings(struct loading *l, const char *name, const char *value)
{
	if (strcasecmp(name, "columns") == 0)
		return load_columns(l, LIST_RINGS, value);
	if (strcasecmp(name, "sort") == 0)
		return load_sort(l, value);
	if (strcasecmp(name, "invert") == 0)
		return load_bool(l, name, value, &l->config->invert);
	return refuse(l, "no '%s' in [rings]; there are columns, sort and "
		      "invert", name);
}

static int load_samples(struct loading *l, const char *name,
			const char *value)
{
	if (strcasecmp(name, "columns") == 0)
		return load_columns(l, LIST_SAMPLES, value);
	return refuse(l, "no '%s' in [samples]; there is columns", name);
}

static int on_entry(void *ctx, const char *section, const char *name,
		    const char *value)
{
	struct loading *l = ctx;

	if (strcasecmp(section, "screen") == 0)
		return load_screen(l, name, value);
	if (strcasecmp(section, "rings") == 0)
		return load_rings(l, name, value);
	if (strcasecmp(section, "samples") == 0)
		return load_samples(l, name, value);
	if (strcasecmp(section, "keys") == 0)
		return load_key(l, name, value);
	return refuse(l, "no section [%s]; there are screen, rings, samples "
		      "and keys", section);
}

/* The number of the first line that inih would misread, or 0. */
static int bad_line(const char *text, size_t len)
{
	const char *end = text + len, *next;
	int line = 1;

	for (; text < end; text = next + 1, line++) {
		next = memchr(text, '\n', (size_t)(end - text));
		if (!next)
			next = end;
		if (next - text > MAX_LINE ||
		    memchr(text, '\0', (size_t)(next - text)))
			return line;
	}
	return 0;
}

/* On failure @config is partly set. */
static int parse(struct config *config, const char *path, const char *text,
		 size_t len, struct err *err)
{
	struct loading l = { .config = config };
	int line = bad_line(text, len);

	if (line)
		return err_usage(err, "%s:%d: longer than %d bytes, or not "
				 "text", path, line, MAX_LINE);
	line = ini_parse_string(text, on_entry, &l);
	if (line < 0)
		return err_set(err, -ENOMEM, "%s: out of memory", path);
	if (line > 0)
		return err_usage(err, "%s:%d: %s", path, line,
				 l.first_error[0] ? l.first_error :
				 "must be [section] or name = value");
	take_lists(&l);
	return 0;
}

/* Read it to *@text with the user's own rights.  Its length, or -errno. */
static ssize_t read_file(const char *path, char **text)
{
	struct stat st = { 0 };
	int fd = caps_open_own(path, &st);
	ssize_t len;

	if (fd < 0) {
		*text = NULL;
		/* /dev/null is an empty file */
		return fd == -EINVAL && S_ISCHR(st.st_mode) &&
		       st.st_rdev == makedev(1, 3) ? 0 : fd;
	}
	len = sys_read_fd_alloc(fd, MAX_FILE, text);
	sys_close(fd);
	return len;
}

int config_load(struct config *config, const char *path, struct err *err)
{
	struct config loaded = *config;
	char *text;
	ssize_t len = read_file(path, &text);
	int ret;

	if (len == -ENOENT)
		return 0;
	if (len < 0)
		return err_set(err, (int)len, "%s: %s", path,
			       len == -EINVAL ? "not a regular file" :
						strerror((int)-len));
	ret = parse(&loaded, path, text ? text : "", (size_t)len, err);
	free(text);
	if (ret == 0)
		*config = loaded;
	return ret;
}

static void write_columns(const unsigned int *columns, size_t nr,
			  enum lists which, FILE *out)
{
	int at;

	if (!nr)
		return;
	at = fprintf(out, "columns =");
	for (size_t i = 0; i < nr; i++) {
		const char *id = lists[which].id(columns[i]);

		/* a line that starts with a blank continues the list */
		if (at + 1 + (int)strlen(id) > FOLD)
			at = fprintf(out, "\n\t") + 6;
		at += fprintf(out, " %s", id);
	}
	fputc('\n', out);
}

static void write_config(const struct config *config, FILE *out)
{
	size_t i;

	fputs("# Written by rbtop (F2); see rbtoprc(5).\n[screen]\n", out);
	/* smaller ones would get an exponent, which is not accepted */
	fprintf(out, "delay = %g\n", fmax(config->delay, 0.001));
	fprintf(out, "scheme = %s\n", config_scheme_name(config->scheme));
	if (config->clock == TIMES_KERNEL)
		fputs("clock = kernel\n", out);
	if (!config->mouse)
		fputs("mouse = no\n", out);
	if (!config->charts)
		fputs("charts = no\n", out);
	if (config->ascii_kept)
		fputs("ascii = yes\n", out);
	fputs("\n[rings]\n", out);
	write_columns(config->columns, config->nr_columns, LIST_RINGS, out);
	fprintf(out, "sort = %s\n", config->sort == FIGURES ? "none" :
		figure_info(config->sort)->id);
	fprintf(out, "invert = %s\n", config->invert ? "yes" : "no");
	fputs("\n[samples]\n", out);
	write_columns(config->sample_columns, config->nr_sample_columns,
		      LIST_SAMPLES, out);
	if (config->nr_keys)
		fputs("\n[keys]\n", out);
	for (i = 0; i < config->nr_keys; i++)
		fprintf(out, "%s = %s\n", config->keys[i].action,
			config->keys[i].keys);
}

int config_save(const struct config *config, const char *path,
		struct err *err)
{
	/* a link to a file elsewhere, such as a repository, stays a link */
	struct new_file *file = new_file_open(path, NEW_FILE_FOLLOW |
					      NEW_FILE_KEEP_OWNER, err);

	if (!file)
		return err->code;
	write_config(config, new_file_stream(file));
	return new_file_commit(file, true, err);
}
