/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/caps.h"

#include <cap-ng.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sys.h"
#include "base/text.h"

static bool kernel_has_perfmon(void)
{
	long long last;

	return sys_read_number("/proc/sys/kernel/cap_last_cap", &last) == 0 &&
	       last >= CAP_PERFMON;
}

/*
 * Some distributions (Debian's patches) have a level above 2, at which
 * opening an event takes CAP_SYS_ADMIN, and CAP_PERFMON does not count.
 */
static bool perfmon_is_enough(void)
{
	long long paranoid;

	return kernel_has_perfmon() &&
	       !(sys_read_number("/proc/sys/kernel/perf_event_paranoid",
				 &paranoid) == 0 && paranoid > 2);
}

/* Otherwise CAP_SYS_ADMIN, which the kernel accepts in place of both. */
static bool has_bpf_caps(void)
{
	return capng_have_capability(CAPNG_EFFECTIVE, CAP_BPF) &&
	       capng_have_capability(CAPNG_EFFECTIVE, CAP_PERFMON);
}

static int read_held(struct err *err)
{
	if (capng_get_caps_process())
		return err_set(err, -EIO,
			       "reading capabilities: see capabilities(7)");
	return 0;
}

bool caps_held(unsigned int capability)
{
	return sys_initial_user_ns(SYS_OWN_USER_NS) && read_held(NULL) == 0 &&
	       capng_have_capability(CAPNG_EFFECTIVE, capability);
}

static int apply(const char *what, struct err *err)
{
	errno = 0;
	if (!capng_apply(CAPNG_SELECT_CAPS))
		return 0;
	return err_set(err, errno ? -errno : -EPERM, "%s capabilities: %s",
		       what, strerror(errno ? errno : EPERM));
}

/* A capability, and the uses (enum caps_use) that it is kept for. */
struct kept {
	unsigned int capability, uses;
};

/* In effect only between caps_own_begin() and caps_own_end(). */
static bool is_dormant(unsigned int capability)
{
	return capability == CAP_DAC_OVERRIDE || capability == CAP_CHOWN;
}

static void keep(const struct kept *kept, size_t nr, unsigned int uses)
{
	bool had[16];

	for (size_t i = 0; i < nr; i++)
		had[i] = kept[i].uses & uses &&
			 capng_have_capability(is_dormant(kept[i].capability) ?
					       CAPNG_PERMITTED :
					       CAPNG_EFFECTIVE,
					       kept[i].capability);
	capng_clear(CAPNG_SELECT_CAPS);
	for (size_t i = 0; i < nr; i++)
		if (had[i])
			capng_update(CAPNG_ADD,
				     is_dormant(kept[i].capability) ?
				     CAPNG_PERMITTED :
				     CAPNG_EFFECTIVE | CAPNG_PERMITTED,
				     kept[i].capability);
}

/* Programs that this thread executes must not regain capabilities. */
static void bar_new_ones(void)
{
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	for (int cap = 0; prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0; cap++)
		if (prctl(PR_CAPBSET_READ, cap, 0, 0, 0) == 1 &&
		    prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) < 0)
			break;	/* it takes CAP_SETPCAP */
}

int caps_limit(unsigned int uses, struct err *err)
{
	int ret = read_held(err);
	const struct kept kept[] = {
		{ CAP_PERFMON, CAPS_EVENTS | CAPS_HOST },
		{ perfmon_is_enough() ? CAP_PERFMON : CAP_SYS_ADMIN,
		  CAPS_EVENTS },
		{ CAP_BPF, CAPS_HOST },
		{ has_bpf_caps() ? CAP_BPF : CAP_SYS_ADMIN, CAPS_HOST },
		{ CAP_SYS_PTRACE, CAPS_EVENTS | CAPS_HOST | CAPS_SYMBOLS },
		{ CAP_IPC_LOCK, CAPS_EVENTS },
		{ CAP_DAC_READ_SEARCH, CAPS_HOST | CAPS_SYMBOLS },
		{ CAP_CHECKPOINT_RESTORE, CAPS_SYMBOLS },
		{ CAP_DAC_OVERRIDE, CAPS_FILES },
		{ CAP_CHOWN, CAPS_FILES },
	};

	if (ret)
		return ret;
	bar_new_ones();
	keep(kept, sizeof(kept) / sizeof(kept[0]),
	     caps_are_lent() ? uses & ~(unsigned int)CAPS_FILES : uses);
	return apply("dropping", err);
}

void caps_refuse_tracers(void)
{
	bool held = read_held(NULL) != 0;

	for (unsigned int cap = 0; cap <= CAP_LAST_CAP && !held; cap++)
		held = capng_have_capability(CAPNG_PERMITTED, cap);
	if (held)
		prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

void caps_permit_tracers(void)
{
	if (!caps_are_lent())
		prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}

bool caps_are_lent(void)
{
	return getauxval(AT_SECURE) != 0;
}

uid_t caps_own_uid(void)
{
	return caps_are_lent() ? getuid() : geteuid();
}

static void drop_all(capng_type_t types)
{
	for (unsigned int cap = 0; cap <= CAP_LAST_CAP; cap++)
		capng_update(CAPNG_DROP, types, cap);
}

/* Make the dormant capabilities effective.  False if none was raised. */
static bool raise_dormant(void)
{
	static const unsigned int caps[] = { CAP_DAC_OVERRIDE, CAP_CHOWN };
	bool raised = false;

	for (size_t i = 0; i < sizeof(caps) / sizeof(caps[0]); i++) {
		if (!capng_have_capability(CAPNG_PERMITTED, caps[i]) ||
		    capng_have_capability(CAPNG_EFFECTIVE, caps[i]))
			continue;
		capng_update(CAPNG_ADD, CAPNG_EFFECTIVE, caps[i]);
		raised = true;
	}
	return raised;
}

void caps_own_begin(struct caps_own *own)
{
	*own = (struct caps_own){ 0 };
	if (read_held(NULL))
		return;
	own->before = capng_save_state();
	if (caps_are_lent()) {
		drop_all(CAPNG_EFFECTIVE);
		setfsgid(getgid());
		setfsuid(getuid());
		/* with fs.suid_dumpable=1, a change of the user sets it */
		prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	} else if (!raise_dormant()) {
		return;
	}
	own->changed = apply("setting", NULL) == 0;
}

void caps_own_end(struct caps_own *own)
{
	int error = errno;

	if (!own->before)
		return;
	if (caps_are_lent()) {
		setfsuid(geteuid());
		setfsgid(getegid());
		prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	}
	capng_restore_state(&own->before);
	if (own->changed)
		apply("restoring", NULL);
	errno = error;
}

int caps_open_own(const char *path, struct stat *st)
{
	struct caps_own own;
	int fd;

	caps_own_begin(&own);
	fd = sys_open_plain(AT_FDCWD, path, 0, st);
	caps_own_end(&own);
	return fd;
}

int caps_give_back(void)
{
	uid_t uid = getuid();
	gid_t gid = getgid();

	if (!caps_are_lent())
		return 0;
	if (setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0)
		return -errno;
	if (read_held(NULL))
		return -EIO;
	drop_all(CAPNG_EFFECTIVE | CAPNG_PERMITTED);
	return apply("dropping", NULL);
}

static char **original;		/* NULL: environ is unchanged */

/* Variables that neither name files nor influence which files are found. */
static bool is_harmless(const char *entry)
{
	static const char *const names[] = {
		"TERM", "COLORTERM", "NO_COLOR", "LANG", "LANGUAGE", "TZ",
		"LINES", "COLUMNS", "ESCDELAY",
	};
	size_t len = strcspn(entry, "=");

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == len && !memcmp(entry, names[i], len))
			return true;
	return text_begins(entry, "LC_");
}

int env_restrict(void)
{
	size_t nr = 0, kept = 0;
	char **fresh;

	if (!caps_are_lent() || original || !environ)
		return 0;
	while (environ[nr])
		nr++;
	fresh = calloc(nr + 1, sizeof(*fresh));
	if (!fresh)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		if (is_harmless(environ[i]))
			fresh[kept++] = environ[i];
	original = environ;
	environ = fresh;
	return 0;
}

const char *env_home(void)
{
	for (char **entry = original; entry && *entry; entry++)
		if (text_begins(*entry, "HOME="))
			return *entry + 5;
	return original ? NULL : getenv("HOME");
}

void env_restore(void)
{
	if (original)
		environ = original;
}
