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
	*config = (struct config){ .sort = FIGURES, .delay = 1,
				   .history = 300, .mouse = true, .charts = true,
				   .keybar = true };
	for (unsigned int i = 0; i < CONFIG_LISTS; i++)
		config_columns_default((enum config_list)i,
				       &config->columns[i]);
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

/* The state while a file is read. */
struct loading {
	struct config *config;
	const char *rest;	/* of the text */
	int line;		/* the last one read */
	/* the columns read; of a folded list its lines so far */
	struct config_columns columns[CONFIG_LISTS];
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

static int load_history(struct loading *l, const char *value)
{
	struct err err = { 0 };
	double seconds;

	if (units_parse_seconds(value, "history", &seconds, &err) < 0)
		return refuse(l, "%s", err.text);
	if (seconds < 60)
		return refuse(l, "history '%s': must be at least 1m", value);
	l->config->history = seconds;
	return 1;
}

static bool has_column(const struct config_columns *columns,
		       unsigned int column)
{
	size_t i;

	for (i = 0; i < columns->nr; i++)
		if (columns->shown[i] == column)
			return true;
	return false;
}

/* Append one line of a list; inih passes a folded list line by line. */
static int load_columns(struct loading *l, enum config_list list,
			const char *value)
{
	struct config_columns *columns = &l->columns[list];
	char words[MAX_LINE + 1], *rest = words, *word;
	unsigned int column;

	snprintf(words, sizeof(words), "%s", value);
	while ((word = strsep(&rest, " \t,"))) {
		if (!*word)
			continue;
		column = config_columns_find(list, word);
		if (column == CONFIG_COLUMNS)
			return refuse(l, "no column '%s' in [%s]; "
				      "rbtop-screens(7) has the list", word,
				      config_columns_list(list)->section);
		if (!has_column(columns, column))
			columns->shown[columns->nr++] = column;
	}
	if (columns->nr == 0)
		return refuse(l, "columns: the list is empty");
	return 1;
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
	key->line = l->line;
	if (i == config->nr_keys)
		config->nr_keys++;
	return 1;
}

/* Set *@second to whether @value is the second of two words. */
static int load_word(struct loading *l, const char *name, const char *value,
		     const char *words[2], bool *second)
{
	*second = strcasecmp(value, words[1]) == 0;
	if (!*second && strcasecmp(value, words[0]) != 0)
		return refuse(l, "%s is %s or %s, not '%s'", name, words[0],
			      words[1], value);
	return 1;
}

static const char *clocks[2] = { "wall", "kernel" };
static const char *units[2] = { "K", "Ki" };
static const char *sizes[2] = { "bytes", "pages" };

static int load_clock(struct loading *l, const char *value)
{
	bool kernel;

	if (!load_word(l, "clock", value, clocks, &kernel))
		return 0;
	l->config->clock = kernel ? TIMES_KERNEL : TIMES_WALL;
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
	if (strcasecmp(name, "units") == 0)
		return load_word(l, name, value, units, &config->binary);
	if (strcasecmp(name, "sizes") == 0)
		return load_word(l, name, value, sizes, &config->pages);
	if (strcasecmp(name, "mouse") == 0)
		return load_bool(l, name, value, &config->mouse);
	if (strcasecmp(name, "charts") == 0)
		return load_bool(l, name, value, &config->charts);
	if (strcasecmp(name, "history") == 0)
		return load_history(l, value);
	if (strcasecmp(name, "dummies") == 0)
		return load_bool(l, name, value, &config->dummies);
	if (strcasecmp(name, "keybar") == 0)
		return load_bool(l, name, value, &config->keybar);
	if (strcasecmp(name, "ascii") == 0) {
		if (!load_bool(l, name, value, &config->ascii_kept))
			return 0;
		config->ascii = config->ascii_kept;
		return 1;
	}
	return refuse(l, "no '%s' in [screen]; there are delay, scheme, "
		      "clock, units, sizes, mouse, charts, history, dummies, "
		      "keybar and ascii", name);
}

/* Only Rings saves its sort order. */
static int load_list(struct loading *l, enum config_list list,
		     const char *name, const char *value)
{
	bool sorts = list == CONFIG_RINGS;

	if (strcasecmp(name, "columns") == 0)
		return load_columns(l, list, value);
	if (sorts && strcasecmp(name, "sort") == 0)
		return load_sort(l, value);
	if (sorts && strcasecmp(name, "invert") == 0)
		return load_bool(l, name, value, &l->config->invert);
	return refuse(l, "no '%s' in [%s]; it has %s", name,
		      config_columns_list(list)->section,
		      sorts ? "columns, sort and invert" : "only columns");
}

#define CONFIG_LIST(id, section, ...) ", " section
static const char sections[] = "screen"
#include "cli/config_lists.def"
	" and keys";
#undef CONFIG_LIST

static int on_entry(void *ctx, const char *section, const char *name,
		    const char *value)
{
	struct loading *l = ctx;

	if (strcasecmp(section, "screen") == 0)
		return load_screen(l, name, value);
	if (strcasecmp(section, "keys") == 0)
		return load_key(l, name, value);
	for (unsigned int i = 0; i < CONFIG_LISTS; i++) {
		enum config_list list = (enum config_list)i;

		if (strcasecmp(section, config_columns_list(list)->section) ==
		    0)
			return load_list(l, list, name, value);
	}
	return refuse(l, "no section [%s]; there are %s", section, sections);
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

/* The next line for inih, as fgets(3). */
static char *next_line(char *buf, int size, void *ctx)
{
	struct loading *l = ctx;
	size_t len = strcspn(l->rest, "\n");

	len += l->rest[len] == '\n';
	if (!len)
		return NULL;
	/* bad_line() has refused longer ones */
	snprintf(buf, (size_t)size, "%.*s", (int)len, l->rest);
	l->rest += len;
	l->line++;
	return buf;
}

/* On failure @config is partly set. */
static int parse(struct config *config, const char *path, const char *text,
		 size_t len, struct err *err)
{
	struct loading l = { .config = config, .rest = text };
	int line = bad_line(text, len);

	if (line)
		return err_usage(err, "%s:%d: longer than %d bytes, or not "
				 "text", path, line, MAX_LINE);
	line = ini_parse_stream(next_line, &l, on_entry, &l);
	if (line < 0)
		return err_set(err, -ENOMEM, "%s: out of memory", path);
	if (line > 0)
		return err_usage(err, "%s:%d: %s", path, line,
				 l.first_error[0] ? l.first_error :
				 "must be [section] or name = value");
	for (unsigned int i = 0; i < CONFIG_LISTS; i++) {
		if (l.columns[i].nr)
			config->columns[i] = l.columns[i];
	}
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

static void write_columns(const struct config_columns *columns,
			  enum config_list list, FILE *out)
{
	int at;

	if (!columns->nr)
		return;
	at = fprintf(out, "columns =");
	for (size_t i = 0; i < columns->nr; i++) {
		const char *id = config_columns_info(list,
						     columns->shown[i]).id;

		/* a line that starts with a blank continues the list */
		if (at + 1 + (int)strlen(id) > FOLD)
			at = fprintf(out, "\n\t") + 6;
		at += fprintf(out, " %s", id);
	}
	fputc('\n', out);
}

/* The section of a list, unless it would be empty. */
static void write_list(const struct config *config, enum config_list list,
		       FILE *out)
{
	if (!config->columns[list].nr && list != CONFIG_RINGS)
		return;
	fprintf(out, "\n[%s]\n", config_columns_list(list)->section);
	write_columns(&config->columns[list], list, out);
	if (list != CONFIG_RINGS)
		return;
	fprintf(out, "sort = %s\n", config->sort == FIGURES ? "none" :
		figure_info(config->sort)->id);
	fprintf(out, "invert = %s\n", config->invert ? "yes" : "no");
}

char *config_history_text(char *buf, size_t size, double seconds)
{
	double unit = fmod(seconds, 60) != 0 ? 1 :
		      fmod(seconds, 3600) != 0 ? 60 : 3600;

	snprintf(buf, size, "%g%s", seconds / unit, unit > 60 ? "h" :
		 unit > 1 ? "m" : "s");
	return buf;
}

static void write_config(const struct config *config, FILE *out)
{
	char history[16];
	size_t i;

	fputs("# Written by rbtop (F2); see rbtoprc(5).\n[screen]\n", out);
	/* smaller ones would get an exponent, which is not accepted */
	fprintf(out, "delay = %g\n", fmax(config->delay, 0.001));
	fprintf(out, "scheme = %s\n", config_scheme_name(config->scheme));
	if (config->clock == TIMES_KERNEL)
		fputs("clock = kernel\n", out);
	if (config->binary)
		fputs("units = Ki\n", out);
	if (config->pages)
		fputs("sizes = pages\n", out);
	if (!config->mouse)
		fputs("mouse = no\n", out);
	if (!config->charts)
		fputs("charts = no\n", out);
	if (config->history != 300)
		fprintf(out, "history = %s\n",
			config_history_text(history, sizeof(history),
					    config->history));
	if (config->dummies)
		fputs("dummies = yes\n", out);
	if (!config->keybar)
		fputs("keybar = no\n", out);
	if (config->ascii_kept)
		fputs("ascii = yes\n", out);
	for (i = 0; i < CONFIG_LISTS; i++)
		write_list(config, (enum config_list)i, out);
	if (config->nr_keys)
		fputs("\n[keys]\n", out);
	for (i = 0; i < config->nr_keys; i++)
		fprintf(out, "%s = %s\n", config->keys[i].action,
			config->keys[i].keys);
}

/* What config_save() writes, to be freed; NULL if out of memory. */
static char *config_text(const struct config *config)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	write_config(config, out);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

bool config_same(const struct config *a, const struct config *b)
{
	char *one = config_text(a), *other = config_text(b);
	bool same = one && other && !strcmp(one, other);

	free(one);
	free(other);
	return same;
}

int config_save(const struct config *config, const char *path,
		struct err *err)
{
	/* a link, such as into a repository, stays a link */
	struct new_file *file = new_file_open(path, NEW_FILE_FOLLOW |
					      NEW_FILE_KEEP_OWNER, err);

	if (!file)
		return err->code;
	write_config(config, new_file_stream(file));
	return new_file_commit(file, true, err);
}
