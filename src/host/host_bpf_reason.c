/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/host_bpf_reason.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/caps.h"
#include "base/err.h"
#include "base/sys.h"
#include "host/proc_status.h"

#define BTF "/sys/kernel/btf/vmlinux"

static bool kernel_before(unsigned int major, unsigned int minor)
{
	unsigned int is_major, is_minor;
	struct utsname name;

	if (uname(&name) ||
	    sscanf(name.release, "%u.%u", &is_major, &is_minor) != 2)
		return false;
	return is_major < major || (is_major == major && is_minor < minor);
}

/* The missing capabilities: "CAP_BPF", ...; NULL: none is missing. */
static const char *lacks(void)
{
	struct proc_status status;
	uint64_t bpf = UINT64_C(1) << CAP_BPF;
	uint64_t perfmon = UINT64_C(1) << CAP_PERFMON;

	if (proc_status_read("/proc", sys_gettid(), &status) ||
	    status.caps & UINT64_C(1) << CAP_SYS_ADMIN)
		return NULL;
	if (!(status.caps & (bpf | perfmon)))
		return "CAP_BPF and CAP_PERFMON";
	if (!(status.caps & bpf))
		return "CAP_BPF";
	return status.caps & perfmon ? NULL : "CAP_PERFMON";
}

/* Whether kernel_lockdown(7) stops BPF from reading kernel memory. */
static bool locked_down(void)
{
	char text[128];

	return sys_read_file("/sys/kernel/security/lockdown", text,
			     sizeof(text)) > 0 &&
	       strstr(text, "[confidentiality]");
}

static void say_locked_down(int code, struct err *err)
{
	err_set(err, code,
		"kernel lockdown keeps BPF from reading the kernel's memory: boot with lockdown=integrity or none");
}

static void forbidden(int code, struct err *err)
{
	const char *missing = lacks();

	/* Only those of the initial one count: bpf_capable() in linux/bpf.h. */
	if (!sys_initial_user_ns(SYS_OWN_USER_NS))
		err_set(err, code,
			"BPF needs %s in the initial user namespace, and rbtop runs in another one (rootless container, unshare -U): run it as root outside of it",
			missing ? missing : "CAP_BPF and CAP_PERFMON");
	else if (missing)
		err_set(err, code,
			"BPF needs %s: run rbtop as root, or after \"setcap cap_bpf,cap_perfmon=ep rbtop\"",
			missing);
	else if (locked_down())
		say_locked_down(code, err);
	else if (kernel_before(5, 11))
		err_set(err, code,
			"BPF may not lock memory: raise the limit with \"ulimit -l unlimited\" (RLIMIT_MEMLOCK)");
	else
		err_set(err, code,
			"BPF is refused although rbtop is privileged: run rbtop outside the container or sandbox, or let its filter allow bpf(2)");
}

static bool has_btf(void)
{
	char magic[4];

	return sys_read_file(BTF, magic, sizeof(magic)) > 0;
}

void host_bpf_reason(int code, const char *said, struct err *err)
{
	if (code == -ENOMEM)
		err_set(err, code, "loading BPF programs: out of memory");
	else if (code == HOST_BPF_NARROW)
		err_set(err, code,
			"BPF programs can read the rings of 64-bit kernels only: boot a 64-bit kernel");
	else if (kernel_before(5, 8))
		err_set(err, code,
			"BPF iterators need Linux 5.8 or later: boot a newer kernel");
	else if (code == -EPERM)
		forbidden(code, err);
	else if (locked_down())
		/* The verifier then rejects the helpers: -EINVAL. */
		say_locked_down(code, err);
	else if (code == -ENOSYS)
		err_set(err, code,
			"the kernel has no BPF: boot one that was built with CONFIG_BPF_SYSCALL");
	else if (!has_btf())
		err_set(err, code,
			"the kernel has no BTF (" BTF "): boot one that was built with CONFIG_DEBUG_INFO_BTF");
	else
		err_set(err, code, "loading BPF programs: %s (%.*s)",
			strerror(-code), (int)strcspn(said, "\n"), said);
}
