/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "doctor/doctor.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#include "base/sys.h"
#include "base/text.h"
#include "base/unknown.h"
#include "host/host_bpf.h"
#include "perf/event/pmu.h"
#include "trace/pmu/auxtrace.h"

enum { FILE_MAX = 1 << 20 };

/* Files below a root, "" for those of the machine. */
static void path_in(char path[PATH_MAX], const char *root, const char *file)
{
	snprintf(path, PATH_MAX, "%s/%s", root, file);
}

static struct doctor_number number_in(const char *root, const char *file)
{
	struct doctor_number number = { 0 };
	char path[PATH_MAX];

	path_in(path, root, file);
	number.error = sys_read_number(path, &number.value);
	return number;
}

/* The text of a file, which the caller frees; NULL: unreadable. */
static char *text_in(const char *root, const char *file)
{
	char path[PATH_MAX], *text;

	path_in(path, root, file);
	return sys_read_file_alloc(path, FILE_MAX, &text) < 0 ? NULL : text;
}

/* The number after "\nNAME:\t" in /proc/self/status; 0 if there is none. */
static uint64_t status_number(const char *text, const char *name, int base)
{
	const char *line = text ? strstr(text, name) : NULL;

	return line ? strtoull(line + strlen(name), NULL, base) : 0;
}

/* Write @path as one word for a shell, quoted if needed; "" if unsafe. */
static void quote_path(const char *path, char *word, size_t size)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789/._+-@%:,";
	char clean[PATH_MAX];

	text_copy(clean, sizeof(clean), path);
	word[0] = '\0';
	if (strcmp(clean, path) || strchr(path, '\''))
		return;
	if (snprintf(word, size, path[strspn(path, plain)] ? "'%s'" : "%s",
		     path) >= (int)size)
		word[0] = '\0';
}

static void read_program(struct doctor_user *user)
{
	char path[PATH_MAX];
	struct statvfs fs;
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (n <= 0)
		return;
	path[n] = '\0';
	user->nosuid = !statvfs(path, &fs) && fs.f_flag & ST_NOSUID;
	/* the path of a removed file may be that of another one by now */
	if (!sys_access(path, F_OK))
		quote_path(path, user->program, sizeof(user->program));
}

static void read_user(const char *root, struct doctor_user *user)
{
	char path[PATH_MAX], *text = text_in(root, "proc/self/status");

	user->uid = getuid();
	user->gid = getegid();
	path_in(path, root, &SYS_OWN_USER_NS[1]);
	user->initial_user_ns = sys_initial_user_ns(path);
	path_in(path, root, &SYS_OWN_PID_NS[1]);
	user->initial_pid_ns = sys_initial_pid_ns(path);
	if (user->initial_user_ns)
		user->caps = status_number(text, "\nCapEff:\t", 16);
	user->no_new_privs = status_number(text, "\nNoNewPrivs:\t", 10) != 0;
	user->seccomp = (long long)status_number(text, "\nSeccomp:\t", 10);
	free(text);
	read_program(user);
}

enum { CONFIG_MAX = 1 << 20 };	/* distributions' are some 300 KiB */

static const char *const options[DOCTOR_CONFIG_OPTIONS] = {
#define CONFIG(id, use) "CONFIG_" #id,
	DOCTOR_CONFIGS(CONFIG)
#undef CONFIG
};

void doctor_config_parse(const char *text, struct doctor_config *config)
{
	const char *line = text, *end;

	for (; *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		for (size_t i = 0; i < DOCTOR_CONFIG_OPTIONS; i++) {
			const char *s = line;

			if (text_skip(&s, options[i]) &&
			    (text_begins(s, "=y") || text_begins(s, "=m")))
				config->set[i] = true;
		}
	}
}

#ifdef HAVE_ZLIB
static const bool has_zlib = true;

/* The text of the gzip file @fd, which it closes; NULL: not gzip, too long. */
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
static const bool has_zlib = false;

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
			 has_zlib ?
				 "/proc/config.gz cannot be decompressed" :
				 "rbtop was built without zlib, which reads "
				 "/proc/config.gz");
	return text;
}

/*
 * Read ROOT/proc/config.gz, else ROOT/boot/config-RELEASE.  A configuration
 * that cannot be read is no failure: @config->why says so.
 */
static void read_config(const char *root, const char *release,
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

static void read_kernel(const char *root, struct doctor_facts *f)
{
	struct utsname name;
	char *text = text_in(root, "sys/kernel/security/lockdown"), *at;
	char path[PATH_MAX];
	struct stat st;

	if (!uname(&name)) {
		text_copy(f->release, sizeof(f->release), name.release);
		text_copy(f->machine, sizeof(f->machine), name.machine);
	}
	read_config(root, f->release, &f->config);
	/* "none [integrity] confidentiality" */
	at = text ? strchr(text, '[') : NULL;
	if (at)
		text_copy_field(f->lockdown, sizeof(f->lockdown), at + 1,
				strcspn(at + 1, "]\n"));
	free(text);
	path_in(path, root, "sys/kernel/btf/vmlinux");
	f->btf.error = sys_access(path, R_OK);
	if (!f->btf.error && !stat(path, &st))
		f->btf.value = st.st_size;
}

/*
 * "perf: interrupt took too long (3000 > 2500), lowering
 * kernel.perf_event_max_sample_rate to 66000": the last one counts.
 */
static void read_log(struct doctor_facts *f)
{
	static const char line[] =
		"lowering kernel.perf_event_max_sample_rate to ";
	const char *at;
	char *text;

	if (sys_read_kernel_log(&text) < 0)
		return;
	for (at = text; (at = strstr(at, line)) != NULL;) {
		at += strlen(line);
		f->lowered_to = strtoll(at, NULL, 10);
	}
	free(text);
}

static void read_limits(const char *root, struct doctor_facts *f)
{
	struct cpulist online = { 0 };
	struct rlimit limit;
	char path[PATH_MAX];

	f->paranoid = number_in(root, "proc/sys/kernel/perf_event_paranoid");
	f->mlock_kb = number_in(root, "proc/sys/kernel/perf_event_mlock_kb");
	f->max_rate = number_in(root,
				"proc/sys/kernel/perf_event_max_sample_rate");
	f->cpu_percent = number_in(root,
				   "proc/sys/kernel/perf_cpu_time_max_percent");
	f->kptr_restrict = number_in(root, "proc/sys/kernel/kptr_restrict");
	f->nmi_watchdog = number_in(root, "proc/sys/kernel/nmi_watchdog");
	f->last_cap = number_in(root, "proc/sys/kernel/cap_last_cap");
	path_in(path, root, "sys/devices/system/cpu/online");
	if (!cpulist_read(path, &online, NULL))
		f->cpus = online.nr;
	cpulist_free(&online);
	f->page_size = sys_page_size();
	f->memlock = UNKNOWN;
	if (!getrlimit(RLIMIT_MEMLOCK, &limit) &&
	    limit.rlim_cur != RLIM_INFINITY)
		f->memlock = limit.rlim_cur;
	f->used = UNKNOWN;
}

static int no_dots(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* The files of caps/ with their values: "psb_cyc=1 mtc=1". */
static void read_caps(const char *pmus, struct doctor_pmu *pmu)
{
	char path[PATH_MAX], file[300], value[24], name[64];
	struct dirent **entries;
	int nr;

	snprintf(path, sizeof(path), "%s/%s/caps", pmus, pmu->name);
	nr = sys_scandir(path, no_dots, &entries);
	for (int i = 0; i < nr; i++) {
		snprintf(path, sizeof(path), "%s/%s/caps/%s", pmus, pmu->name,
			 entries[i]->d_name);
		if (sys_read_file(path, file, sizeof(file)) < 0)
			continue;
		text_copy_field(value, sizeof(value), file,
				MIN(strcspn(file, "\n"), 63u));
		text_copy(name, sizeof(name), entries[i]->d_name);
		text_append(pmu->caps, sizeof(pmu->caps), "%s%s=%s",
			    pmu->caps[0] ? " " : "", name, value);
	}
	if (nr >= 0)
		sys_free_entries(entries, nr);
}

struct found_pmus {
	struct doctor_facts *facts;
	const char *dir;
};

static int add_pmu(void *ctx, const char *name)
{
	struct found_pmus *found = ctx;
	struct doctor_facts *f = found->facts;
	const char *kind = auxtrace_kind_name(name);
	struct doctor_pmu *pmu;

	if (f->nr_pmus >= (kind ? DOCTOR_PMUS_MAX : DOCTOR_PMUS_NAMED)) {
		f->more_pmus++;
		return 0;
	}
	pmu = &f->pmus[f->nr_pmus++];
	text_copy(pmu->name, sizeof(pmu->name), name);
	if (kind) {
		text_copy(pmu->kind, sizeof(pmu->kind), kind);
		read_caps(found->dir, pmu);
	}
	return 0;
}

static void read_pmus(const char *root, struct doctor_facts *f)
{
	char path[PATH_MAX];
	struct found_pmus found = { f, path };

	path_in(path, root, "sys/bus/event_source/devices");
	f->pmus_error = sys_access(path, R_OK | X_OK);
	if (f->pmus_error)
		return;
	pmu_each(path, add_pmu, &found);
	if (pmu_find_core(path, f->core, sizeof(f->core)))
		f->core[0] = '\0';
}

static int is_jit_map(const struct dirent *entry)
{
	const char *s = entry->d_name;

	if (!text_skip(&s, "perf-"))
		return 0;
	s += strspn(s, "0123456789");
	return !strcmp(s, ".map");
}

/* The cache directory of debuginfod_find_debuginfo(3). */
static void read_debug_cache(struct doctor_facts *f)
{
	static const struct {
		const char *variable, *below;
	} places[] = {
		{ "DEBUGINFOD_CACHE_PATH", "" },
		{ "XDG_CACHE_HOME", "/debuginfod_client" },
		{ "HOME", "/.cache/debuginfod_client" },
	};
	char path[sizeof(f->debug_cache)];

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const char *dir = secure_getenv(places[i].variable);

		if (!dir || dir[0] != '/')
			continue;
		if (snprintf(path, sizeof(path), "%s%s", dir,
			     places[i].below) < (int)sizeof(path) &&
		    !sys_access(path, R_OK | X_OK))
			text_copy(f->debug_cache, sizeof(f->debug_cache),
				  path);
		return;
	}
}

/* "usr", "lib" and so on, by path; or .build-id. */
static int is_debug_dir(const struct dirent *entry)
{
	return entry->d_name[0] != '.' || !strcmp(entry->d_name, ".build-id");
}

/* The cache of perf buildid-cache. */
static bool has_perf_cache(void)
{
	const char *home = secure_getenv("HOME");
	char path[PATH_MAX];

	return home && home[0] == '/' &&
	       snprintf(path, sizeof(path), "%s/.debug/.build-id", home) <
		       (int)sizeof(path) &&
	       !sys_access(path, R_OK | X_OK);
}

static void read_names(const char *root, struct doctor_facts *f)
{
	char *text = text_in(root, "etc/os-release"), *id = text;
	char path[PATH_MAX];
	struct dirent **entries;
	int nr;

	while (id && !text_begins(id, "ID=")) {
		id = strchr(id, '\n');
		id += id != NULL;
	}
	if (id)
		text_copy_field(f->distribution, sizeof(f->distribution),
				id + 3, MIN(strcspn(id + 3, "\n"), 20u));
	free(text);
	path_in(path, root, "usr/lib/debug");
	nr = sys_scandir(path, is_debug_dir, &entries);
	f->debug_files = nr > 0;
	if (nr >= 0)
		sys_free_entries(entries, nr);
	f->perf_cache = has_perf_cache();
	read_debug_cache(f);
	path_in(path, root, "tmp");
	nr = sys_scandir(path, is_jit_map, &entries);
	if (nr > 0)
		f->jit_maps = (size_t)nr;
	if (nr >= 0)
		sys_free_entries(entries, nr);
}

/* The option of "proc /proc proc rw,hidepid=invisible 0 0". */
static void read_mounts(const char *root, struct doctor_facts *f)
{
	static const char begin[] = "proc /proc proc ";
	char *text = text_in(root, "proc/self/mounts"), *line = text, *at;

	while (line && *line) {
		at = text_begins(line, begin) ? strstr(line, "hidepid=") : NULL;
		if (at && at < strchrnul(line, '\n')) {
			at += strlen("hidepid=");
			text_copy_field(f->hidepid, sizeof(f->hidepid), at,
					MIN(strcspn(at, ", \n"), 12u));
		}
		line = strchrnul(line, '\n');
		line += *line == '\n';
	}
	free(text);
}

void doctor_read(const char *root, struct doctor_facts *facts)
{
	struct doctor_terminal terminal = facts->terminal;

	*facts = (struct doctor_facts){ .terminal = terminal };
	read_user(root, &facts->user);
	read_kernel(root, facts);
	read_limits(root, facts);
	read_log(facts);
	read_pmus(root, facts);
	read_names(root, facts);
	read_mounts(root, facts);
	facts->bpf_built_in = host_bpf_built_in();
	facts->zlib_built_in = has_zlib;
}
