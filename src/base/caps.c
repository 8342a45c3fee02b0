/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/caps.h"

#include <cap-ng.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/err.h"
#include "base/sys.h"

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif
#ifndef CAP_CHECKPOINT_RESTORE
#define CAP_CHECKPOINT_RESTORE 40
#endif

static bool kernel_has_perfmon(void)
{
	long long last;

	return sys_read_number("/proc/sys/kernel/cap_last_cap", &last) == 0 &&
	       last >= CAP_PERFMON;
}

int caps_limit(struct err *err)
{
	const unsigned int keep[] = {
		kernel_has_perfmon() ? CAP_PERFMON : CAP_SYS_ADMIN,
		CAP_SYS_PTRACE,
		CAP_IPC_LOCK,
		CAP_DAC_READ_SEARCH,
		CAP_CHECKPOINT_RESTORE,
	};
	const size_t nr = sizeof(keep) / sizeof(keep[0]);
	bool had[sizeof(keep) / sizeof(keep[0])];

	if (capng_get_caps_process())
		return err_set(err, -EIO,
			       "reading capabilities: see capabilities(7)");
	for (size_t i = 0; i < nr; i++)
		had[i] = capng_have_capability(CAPNG_EFFECTIVE, keep[i]);
	capng_clear(CAPNG_SELECT_CAPS);
	for (size_t i = 0; i < nr; i++)
		if (had[i])
			capng_update(CAPNG_ADD,
				     CAPNG_EFFECTIVE | CAPNG_PERMITTED,
				     keep[i]);
	errno = 0;
	if (capng_apply(CAPNG_SELECT_CAPS))
		return err_set(err, errno ? -errno : -EPERM,
			       "dropping capabilities: %s",
			       strerror(errno ? errno : EPERM));
	return 0;
}
