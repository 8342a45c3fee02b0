/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/caps.h"

#include <cap-ng.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/sys.h"

static bool kernel_has_perfmon(void)
{
	long long last;

	return sys_read_number("/proc/sys/kernel/cap_last_cap", &last) == 0 &&
	       last >= CAP_PERFMON;
}

/*
 * Some distributions (Debian's patches) have a level above 2, at which
 * opening an event takes CAP_SYS_ADMIN and CAP_PERFMON is not looked at.
 */
static bool perfmon_is_enough(void)
{
	long long paranoid;

	return kernel_has_perfmon() &&
	       !(sys_read_number("/proc/sys/kernel/perf_event_paranoid",
				 &paranoid) == 0 && paranoid > 2);
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
	enum { FIRST = 0xeffffffd };	/* PROC_USER_INIT_INO */
	struct stat st;

	return stat("/proc/self/ns/user", &st) == 0 &&
	       st.st_ino == (ino_t)(unsigned int)FIRST &&
	       read_held(NULL) == 0 &&
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

/* What is kept, and for whom. */
struct kept {
	unsigned int capability, uses;
};

static void keep(const struct kept *kept, size_t nr, unsigned int uses)
{
	bool had[16];

	for (size_t i = 0; i < nr; i++)
		had[i] = kept[i].uses & uses &&
			 capng_have_capability(CAPNG_EFFECTIVE,
					       kept[i].capability);
	capng_clear(CAPNG_SELECT_CAPS);
	for (size_t i = 0; i < nr; i++)
		if (had[i])
			capng_update(CAPNG_ADD,
				     kept[i].capability == CAP_DAC_OVERRIDE ?
				     CAPNG_PERMITTED :
				     CAPNG_EFFECTIVE | CAPNG_PERMITTED,
				     kept[i].capability);
}

int caps_limit(unsigned int uses, struct err *err)
{
	const struct kept kept[] = {
		{ CAP_PERFMON, CAPS_EVENTS | CAPS_HOST },
		{ perfmon_is_enough() ? CAP_PERFMON : CAP_SYS_ADMIN,
		  CAPS_EVENTS },
		{ CAP_BPF, CAPS_HOST },
		{ CAP_SYS_PTRACE, CAPS_EVENTS | CAPS_HOST },
		{ CAP_IPC_LOCK, CAPS_EVENTS },
		{ CAP_DAC_READ_SEARCH, CAPS_EVENTS | CAPS_HOST },
		{ CAP_CHECKPOINT_RESTORE, CAPS_EVENTS },
		{ CAP_DAC_OVERRIDE, CAPS_EVENTS | CAPS_HOST },
	};
	int ret = read_held(err);

	if (ret)
		return ret;
	keep(kept, sizeof(kept) / sizeof(kept[0]), uses);
	return apply("dropping", err);
}

bool caps_writing(bool on)
{
	if (read_held(NULL) ||
	    !capng_have_capability(CAPNG_PERMITTED, CAP_DAC_OVERRIDE) ||
	    on == capng_have_capability(CAPNG_EFFECTIVE, CAP_DAC_OVERRIDE))
		return false;
	capng_update(on ? CAPNG_ADD : CAPNG_DROP, CAPNG_EFFECTIVE,
		     CAP_DAC_OVERRIDE);
	return apply("raising", NULL) == 0;
}
