/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replaces host_bpf.c and host_drops.c in a build without libbpf. */
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

void host_bpf_read_urings(struct host_bpf *bpf)
{
	(void)bpf;
}

void host_bpf_read_packets(struct host_bpf *bpf)
{
	(void)bpf;
}

bool host_bpf_can_pick(const struct host_bpf *bpf)
{
	(void)bpf;
	return false;
}

bool host_bpf_sees_ends(const struct host_bpf *bpf)
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

int host_bpf_read_ends(struct host_bpf *bpf, struct host_pass *pass,
		       struct err *err)
{
	(void)bpf;
	(void)pass;
	return err_set(err, -EOPNOTSUPP, "built without libbpf");
}

struct host_drops *host_drops_open(struct err *err)
{
	err_set(err, -EOPNOTSUPP, "built without libbpf");
	return NULL;
}

int host_drops_try(struct err *err)
{
	return err_set(err, -EOPNOTSUPP, "built without libbpf");
}

void host_drops_free(struct host_drops *drops)
{
	(void)drops;
}

int host_drops_read(struct host_drops *drops, struct host_pass *pass,
		    struct err *err)
{
	(void)drops;
	(void)pass;
	return err_set(err, -EOPNOTSUPP, "built without libbpf");
}

uint64_t host_drops_unplaced(const struct host_drops *drops)
{
	(void)drops;
	return 0;
}
