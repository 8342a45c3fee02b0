/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replaces host_bpf.c in a build without libbpf. */
#include "host/host_bpf.h"

#include <errno.h>
#include <stddef.h>

#include "base/err.h"

bool host_bpf_built_in(void)
{
	return false;
}

struct host_bpf *host_bpf_open(struct event_labels *labels, struct err *err)
{
	(void)labels;
	err_set(err, -EOPNOTSUPP,
		"this rbtop was built without libbpf: build it where libbpf, clang and bpftool are installed");
	return NULL;
}

void host_bpf_free(struct host_bpf *bpf)
{
	(void)bpf;
}

bool host_bpf_can_pick(const struct host_bpf *bpf)
{
	(void)bpf;
	return false;
}

const char *host_bpf_misses(const struct host_bpf *bpf)
{
	(void)bpf;
	return NULL;
}

int host_bpf_read(struct host_bpf *bpf, unsigned int parts, pid_t pid,
		  struct host_pass *pass, struct err *err)
{
	(void)bpf;
	(void)parts;
	(void)pid;
	(void)pass;
	return err_set(err, -EOPNOTSUPP, "built without libbpf");
}
