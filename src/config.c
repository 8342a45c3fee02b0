/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ini.h>

#include "base/err.h"
#include "base/sys.h"
#include "base/units.h"

enum {
	MAX_FILE = 64 * 1024,
	/* inih cuts lines of 200 bytes, terminators included, in two. */
	MAX_LINE = 197,
	/* Lines that config_save writes are folded here. */
	FOLD = 72,
};

static const char *const scheme_names[CONFIG_SCHEMES] = {
	[CONFIG_SCHEME_DEFAULT] = "default",
	[CONFIG_SCHEME_COLOUR_BLIND] = "colour-blind",
	[CONFIG_SCHEME_MONO] = "mono",
};

const char *config_scheme_name(enum config_scheme scheme)
{
	return scheme_names[scheme];
}

void config_default(struct config *config)
{
	unsigned int c;

	*config = (struct config){ .sort = COLUMNS, .delay = 1 };
	for (c = 0; c < COLUMNS; c++)
		if (column_info((enum column)c)->shown)
			config->columns[config->nr_columns++] = (enum column)c;
}

int config_path(char *buf, size_t size)
{
	const char *xdg = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");
	int len;

	/* The XDG base directory specification: a relative one is ignored. */
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

/* A file half read. */
struct loading {
	struct config *config;
	bool columns_seen;	/* a folded list comes in several pieces */
	char first_error[256];	/* inih goes on to the end of the file */
};

/* For the first one only.  Returns 0, which is inih's sign of failure. */
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
		return refuse(l, "%s is '%s': neither yes nor no", name, value);
	*out = strcasecmp(value, "yes") == 0;
	return 1;
}

static int load_scheme(struct loading *l, const char *value)
{
	unsigned int i;

	for (i = 0; i < CONFIG_SCHEMES; i++)
		if (strcasecmp(value, scheme_names[i]) == 0) {
			l->config->scheme = (enum config_scheme)i;
			return 1;
		}
	return refuse(l, "no colour scheme '%s'; there are default, "
		      "colour-blind and mono", value);
}

static int load_delay(struct loading *l, const char *value)
{
	struct err err = { 0 };

	if (units_parse_seconds(value, "delay", &l->config->delay, &err) < 0)
		return refuse(l, "%s", err.text);
	return 1;
}

static bool has_column(const struct config *config, enum column column)
{
	size_t i;

	for (i = 0; i < config->nr_columns; i++)
		if (config->columns[i] == column)
			return true;
	return false;
}

/* One line of the list; a folded one comes line by line. */
static int load_columns(struct loading *l, const char *value)
{
	struct config *config = l->config;
	char words[MAX_LINE + 1], *rest = words, *word;
	enum column column;

	snprintf(words, sizeof(words), "%s", value);
	if (!l->columns_seen)
		config->nr_columns = 0;
	l->columns_seen = true;
	while ((word = strsep(&rest, " \t,"))) {
		if (!*word)
			continue;
		column = column_find(word);
		if (column == COLUMNS)
			return refuse(l, "no column '%s'; rbtop(1) has the "
				      "list", word);
		if (!has_column(config, column))
			config->columns[config->nr_columns++] = column;
	}
	if (config->nr_columns == 0)
		return refuse(l, "columns: none is named");
	return 1;
}

static int load_sort(struct loading *l, const char *value)
{
	enum column column = column_find(value);

	if (column == COLUMNS && strcasecmp(value, "none") != 0)
		return refuse(l, "no column '%s' to sort by; rbtop(1) has "
			      "the list", value);
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

static int load_screen(struct loading *l, const char *name, const char *value)
{
	struct config *config = l->config;

	if (strcasecmp(name, "delay") == 0)
		return load_delay(l, value);
	if (strcasecmp(name, "scheme") == 0)
		return load_scheme(l, value);
	if (strcasecmp(name, "ascii") == 0) {
		if (!load_bool(l, name, value, &config->ascii_kept))
			return 0;
		config->ascii = config->ascii_kept;
		return 1;
	}
	return refuse(l, "no '%s' in [screen]; there are delay, scheme and "
		      "ascii", name);
}

static int load_rings(struct loading *l, const char *name, const char *value)
{
	if (strcasecmp(name, "columns") == 0)
		return load_columns(l, value);
	if (strcasecmp(name, "sort") == 0)
		return load_sort(l, value);
	if (strcasecmp(name, "invert") == 0)
		return load_bool(l, name, value, &l->config->invert);
	return refuse(l, "no '%s' in [rings]; there are columns, sort and "
		      "invert", name);
}

static int on_entry(void *ctx, const char *section, const char *name,
		    const char *value)
{
	struct loading *l = ctx;

	if (strcasecmp(section, "screen") == 0)
		return load_screen(l, name, value);
	if (strcasecmp(section, "rings") == 0)
		return load_rings(l, name, value);
	if (strcasecmp(section, "keys") == 0)
		return load_key(l, name, value);
	return refuse(l, "no section [%s]; there are screen, rings and keys",
		      section);
}

/* What inih would read wrongly: the number of such a line, or 0. */
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

/* On failure @config is half filled. */
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
				 "neither [section] nor name = value");
	return 0;
}

int config_load(struct config *config, const char *path, struct err *err)
{
	struct config loaded = *config;
	char *text;
	ssize_t len = sys_read_file_alloc(path, MAX_FILE, &text);
	int ret;

	if (len == -ENOENT)
		return 0;
	if (len < 0)
		return err_set(err, (int)len, "%s: %s", path,
			       strerror((int)-len));
	ret = parse(&loaded, path, text, (size_t)len, err);
	free(text);
	if (ret == 0)
		*config = loaded;
	return ret;
}

static void write_columns(const struct config *config, FILE *out)
{
	int at = fprintf(out, "columns =");
	size_t i;

	for (i = 0; i < config->nr_columns; i++) {
		const char *id = column_info(config->columns[i])->id;

		/* A line that starts with a blank goes on with the list. */
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
	/* Smaller ones would get an exponent, which is not read back. */
	fprintf(out, "delay = %g\n", fmax(config->delay, 0.001));
	fprintf(out, "scheme = %s\n", config_scheme_name(config->scheme));
	if (config->ascii_kept)
		fputs("ascii = yes\n", out);
	fputs("\n[rings]\n", out);
	if (config->nr_columns)
		write_columns(config, out);
	fprintf(out, "sort = %s\n", config->sort == COLUMNS ? "none" :
		column_info(config->sort)->id);
	fprintf(out, "invert = %s\n", config->invert ? "yes" : "no");
	if (config->nr_keys)
		fputs("\n[keys]\n", out);
	for (i = 0; i < config->nr_keys; i++)
		fprintf(out, "%s = %s\n", config->keys[i].action,
			config->keys[i].keys);
}

/* Everything above the last '/' of @path, 0700 where it is made. */
static int make_parents(char *path)
{
	char *slash;

	for (slash = strchr(path + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0700) < 0 && errno != EEXIST) {
			int error = errno;

			*slash = '/';
			return -error;
		}
		*slash = '/';
	}
	return 0;
}

/* Write all and see it on the disk.  Closes @fd. */
static int write_fd(const struct config *config, int fd)
{
	FILE *out = fdopen(fd, "w");
	int ret = 0;

	if (!out) {
		ret = -errno;
		close(fd);
		return ret;
	}
	write_config(config, out);
	if (fflush(out) != 0 || ferror(out) || fsync(fd) < 0)
		ret = errno ? -errno : -EIO;
	if (fclose(out) != 0 && ret == 0)
		ret = -errno;
	return ret;
}

/* @temporary: "@path.XXXXXX". */
static int replace(const struct config *config, const char *path,
		   char *temporary)
{
	int fd, ret;

	/* mkostemp adds O_EXCL and mode 0600. */
	fd = mkostemp(temporary, O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return -errno;
	ret = write_fd(config, fd);
	if (ret == 0 && rename(temporary, path) < 0)
		ret = -errno;
	if (ret < 0)
		unlink(temporary);
	return ret;
}

int config_save(const struct config *config, const char *path,
		struct err *err)
{
	/* A link to a file kept elsewhere goes on being one. */
	char *real = realpath(path, NULL), *temporary = NULL;
	int ret;

	if (!real)
		real = strdup(path);
	if (!real || asprintf(&temporary, "%s.XXXXXX", real) < 0) {
		free(real);
		return err_set(err, -ENOMEM, "saving %s: out of memory", path);
	}
	ret = make_parents(real);
	if (ret == 0)
		ret = replace(config, real, temporary);
	free(temporary);
	free(real);
	if (ret < 0)
		err_set(err, ret, "saving %s: %s", path, strerror(-ret));
	return ret;
}
