/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "doctor/doctor_config.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#include "base/sys.h"
#include "base/text.h"

enum { CONFIG_MAX = 1 << 20 };	/* distributions' are some 300 KiB */

static const struct {
	const char *name, *use;
} options[DOCTOR_CONFIG_OPTIONS] = {
#define CONFIG(id, use) { "CONFIG_" #id, use },
	DOCTOR_CONFIGS(CONFIG)
#undef CONFIG
};

const char *doctor_config_name(enum doctor_config_option option)
{
	return options[option].name;
}

const char *doctor_config_use(enum doctor_config_option option)
{
	return options[option].use;
}

void doctor_config_parse(const char *text, struct doctor_config *config)
{
	const char *line = text, *end;

	for (; *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		for (size_t i = 0; i < DOCTOR_CONFIG_OPTIONS; i++) {
			const char *s = line;

			if (text_skip(&s, options[i].name) &&
			    (text_begins(s, "=y") || text_begins(s, "=m")))
				config->set[i] = true;
		}
	}
}

bool doctor_config_has_zlib(void)
{
#ifdef HAVE_ZLIB
	return true;
#else
	return false;
#endif
}

#ifdef HAVE_ZLIB
/* The text of the gzip file @fd, which it closes; NULL: not one, too long. */
static char *unzip(int fd)
{
	gzFile file = gzdopen(fd, "rb");
	char *text = malloc(CONFIG_MAX + 1);
	int n = -1;

	if (!file)
		sys_close(fd);
	if (file && text)
		n = gzread(file, text, CONFIG_MAX + 1);
	if (file)
		gzclose(file);
	if (n <= 0 || n > CONFIG_MAX) {
		free(text);
		return NULL;
	}
	text[n] = '\0';
	return text;
}
#else
static char *unzip(int fd)
{
	sys_close(fd);
	return NULL;
}
#endif

static char *read_zipped(const char *path, struct doctor_config *config)
{
	int fd = sys_open_read(path);
	char *text;

	if (fd < 0)
		return NULL;
	text = unzip(fd);
	if (!text)
		snprintf(config->why, sizeof(config->why), "%s",
			 doctor_config_has_zlib() ?
				 "/proc/config.gz cannot be decompressed" :
				 "rbtop was built without zlib, which reads "
				 "/proc/config.gz");
	return text;
}

void doctor_config_read(const char *root, const char *release,
			struct doctor_config *config)
{
	char path[PATH_MAX], *text;

	*config = (struct doctor_config){ 0 };
	snprintf(path, sizeof(path), "%s/proc/config.gz", root);
	text = read_zipped(path, config);
	if (text) {
		strcpy(config->from, "/proc/config.gz");
	} else if (text_is_file_name(release)) {
		snprintf(path, sizeof(path), "%s/boot/config-%s", root,
			 release);
		if (sys_read_file_alloc(path, CONFIG_MAX, &text) >= 0)
			text_copy(config->from, sizeof(config->from),
				  path + strlen(root));
	}
	if (config->from[0]) {
		config->why[0] = '\0';
		doctor_config_parse(text, config);
	} else if (!config->why[0]) {
		strcpy(config->why, "there is neither /proc/config.gz nor a "
				    "readable /boot/config-*");
	}
	free(text);
}
