/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who may read all rings with BPF, and the reasons shown otherwise: each in a
 * process of its own.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <cap-ng.h>
#include <fcntl.h>
#include <linux/btf.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include "base/caps.h"
#include "tests/live/host_rig.h"

#define NOBODY 65534
#define BTF "/sys/kernel/btf/vmlinux"

/* A ring of this process, to be found by the others. */
static struct own_ring own;

/* The output of such a process. */
static char answer[512];

/* Run @f in a process of its own; its output is in answer. */
static void ask(void (*f)(FILE *out))
{
	FILE *out;
	ssize_t n, len = 0;
	int fds[2];
	pid_t pid;

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		out = fdopen(fds[1], "w");
		f(out);
		fclose(out);
		_exit(0);
	}
	close(fds[1]);
	do {
		n = read(fds[0], answer + len,
			 sizeof(answer) - 1 - (size_t)len);
		len += n > 0 ? n : 0;
	} while (n > 0);
	answer[len] = '\0';
	close(fds[0]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	print_message("%s\n", answer);
}

static void says(const char *text)
{
	if (!strstr(answer, text))
		fail_msg("\"%s\" does not say \"%s\"", answer, text);
}

/* The process that maps the ring; children of this one have it open as well. */
static pid_t who_maps(uint64_t ring)
{
	for (size_t i = 0; i < rig_pass.nr_holders; i++)
		if (rig_pass.holders[i].ring == ring &&
		    rig_pass.holders[i].maps)
			return rig_pass.holders[i].pid;
	return -1;
}

/* Print "size 8192, of pid 123", or the reason. */
static void look(FILE *out)
{
	struct err err = { 0 };
	struct host_bpf *bpf = host_bpf_open(rig_labels, &err);
	const struct host_pass_ring *ring;

	if (!bpf) {
		fprintf(out, "%s", err.text);
		return;
	}
	host_pass_clear(&rig_pass);
	host_bpf_read(bpf, HOST_ALL, 0, &rig_pass, &err);
	ring = rig_ring_of(own.id);
	if (!ring)
		fprintf(out, "not seen");
	else
		fprintf(out, "size %llu, of pid %d",
			(unsigned long long)ring->size, who_maps(ring->key));
	if (host_bpf_misses(bpf))
		fprintf(out, "; %s", host_bpf_misses(bpf));
	host_bpf_free(bpf);
}

/* As another user who has these capabilities, -1: none. */
static void look_with(FILE *out, int first, int second)
{
	capng_clear(CAPNG_SELECT_BOTH);
	if (first >= 0)
		capng_update(CAPNG_ADD, CAPNG_EFFECTIVE | CAPNG_PERMITTED,
			     (unsigned int)first);
	if (second >= 0)
		capng_update(CAPNG_ADD, CAPNG_EFFECTIVE | CAPNG_PERMITTED,
			     (unsigned int)second);
	if (capng_change_id(NOBODY, NOBODY, CAPNG_DROP_SUPP_GRP))
		fprintf(out, "cannot become nobody");
	else
		look(out);
}

/* As root in older containers, after rbtop dropped its capabilities. */
static void look_with_sys_admin(FILE *out)
{
	struct err err = { 0 };

	capng_clear(CAPNG_SELECT_BOTH);
	capng_update(CAPNG_ADD, CAPNG_EFFECTIVE | CAPNG_PERMITTED,
		     CAP_SYS_ADMIN);
	if (capng_apply(CAPNG_SELECT_CAPS) || caps_limit(CAPS_HOST, &err))
		fprintf(out, "cannot drop: %s", err.text);
	else
		look(out);
}

static void look_in_user_namespace(FILE *out)
{
	if (unshare(CLONE_NEWUSER))
		fprintf(out, "no user namespace");
	else
		look(out);
}

static void look_as_nobody(FILE *out)
{
	look_with(out, -1, -1);
}

static void look_with_bpf(FILE *out)
{
	look_with(out, CAP_BPF, -1);
}

static void look_with_perfmon(FILE *out)
{
	look_with(out, CAP_PERFMON, -1);
}

static void look_with_both(FILE *out)
{
	look_with(out, CAP_BPF, CAP_PERFMON);
}

/* With @types in place of the kernel's types. */
static void look_with_types(FILE *out, const void *types, size_t size)
{
	char file[] = "/tmp/rbtop-btf-XXXXXX";
	int fd = mkstemp(file);

	if (fd < 0 || write(fd, types, size) != (ssize_t)size ||
	    unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount(file, BTF, NULL, MS_BIND, NULL))
		fprintf(out, "cannot hide " BTF);
	else
		look(out);
	close(fd);
	unlink(file);
}

static void look_without_btf(FILE *out)
{
	look_with_types(out, "", 0);
}

/* With the kernel's types, but without @name: its last letter becomes Z. */
static void look_without(FILE *out, const char *name)
{
	size_t len = strlen(name) + 1;
	char *types, *at;
	ssize_t size = sys_read_file_alloc(BTF, 64 << 20, &types);

	if (size < 0) {
		fprintf(out, "no " BTF);
		return;
	}
	at = types;
	while ((at = memmem(at, (size_t)(types + size - at), name, len))) {
		at += len - 2;
		*at = 'Z';
	}
	look_with_types(out, types, (size_t)size);
	free(types);
}

static void look_without_mappings(FILE *out)
{
	look_without(out, "bpf_iter_task_vma");
}

static void look_without_a_member(FILE *out)
{
	look_without(out, "vm_pgoff");
}

/* With types that only have a "long" of 4 bytes. */
static void look_at_32_bits(FILE *out)
{
	struct {
		struct btf_header header;
		struct btf_type type;
		__u32 encoding;
		char names[8];
	} types = {
		.header = {
			.magic = BTF_MAGIC, .version = BTF_VERSION,
			.hdr_len = sizeof(types.header),
			.type_len = sizeof(types.type) + 4,
			.str_off = sizeof(types.type) + 4,
			.str_len = sizeof(types.names),
		},
		.type = { .name_off = 1, .info = BTF_KIND_INT << 24,
			  .size = 4 },
		.encoding = BTF_INT_SIGNED << 24 | 32,
		.names = "\0long\0",
	};

	look_with_types(out, &types, sizeof(types));
}

/* In a pid namespace of its own, with a ring of its own, as pid 1. */
static void look_from_inside(FILE *out)
{
	struct perf_event_attr attr = own_faults();
	pid_t pid;

	if (unshare(CLONE_NEWPID)) {
		fprintf(out, "no pid namespace");
		return;
	}
	pid = fork();
	if (pid == 0) {
		look(out);
		fprintf(out, "; ");
		own_close(&own);
		own_event(&own, &attr, 0, -1);
		own_map(&own, sys_page_size(), PROT_READ | PROT_WRITE);
		look(out);
		if (rig_event(own.id) && rig_event(own.id)->event.tid == 1)
			fprintf(out, ", follows 1");
		fflush(out);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void test_no_capability(void **state)
{
	(void)state;
	ask(look_as_nobody);
	says("BPF needs CAP_BPF and CAP_PERFMON: ");
	says("\"setcap cap_bpf,cap_perfmon=ep rbtop\"");
}

static void test_one_capability(void **state)
{
	(void)state;
	ask(look_with_bpf);
	says("BPF needs CAP_PERFMON: ");
	ask(look_with_perfmon);
	says("BPF needs CAP_BPF: ");
}

/* Those two are enough to see root's ring. */
static void test_both_capabilities(void **state)
{
	char text[64];

	(void)state;
	ask(look_with_both);
	snprintf(text, sizeof(text), "size %zu, of pid %d", own.size,
		 getpid());
	says(text);
}

static void test_sys_admin_alone(void **state)
{
	char text[64];

	(void)state;
	ask(look_with_sys_admin);
	snprintf(text, sizeof(text), "size %zu, of pid %d", own.size,
		 getpid());
	says(text);
}

/* It has all capabilities in its namespace, and none of them counts. */
static void test_user_namespace(void **state)
{
	(void)state;
	ask(look_in_user_namespace);
	if (strcmp(answer, "no user namespace") == 0)
		skip();
	says("in the initial user namespace");
	says("rootless");
}

static void test_no_btf(void **state)
{
	(void)state;
	ask(look_without_btf);
	says(BTF);
	says("CONFIG_DEBUG_INFO_BTF");
}

/* Before Linux 5.12: all but mappings are read, and the reason is shown. */
static void test_no_mappings(void **state)
{
	char text[96];

	(void)state;
	ask(look_without_mappings);
	snprintf(text, sizeof(text), "size %zu, of pid -1; before Linux 5.12, "
		 "rings whose file descriptors are closed", own.size);
	says(text);
}

/* If mappings could be read but the program fails, the error is shown. */
static void test_a_program_that_fails(void **state)
{
	(void)state;
	ask(look_without_a_member);
	says("loading BPF programs: ");
	says("rbtop_mappings");
}

static void test_32_bits(void **state)
{
	(void)state;
	ask(look_at_32_bits);
	says("64-bit kernels");
}

/*
 * The ring outside is found by its descriptor, which was inherited; its owner
 * is not, since it has no pid in the namespace.
 */
static void test_pid_namespace(void **state)
{
	char text[64];

	(void)state;
	ask(look_from_inside);
	snprintf(text, sizeof(text), "size %zu, of pid -1; ", own.size);
	says(text);
	snprintf(text, sizeof(text), "; size %zu, of pid 1, follows 1",
		 sys_page_size());
	says(text);
}

static int set_up(void **state)
{
	struct perf_event_attr attr = own_faults();

	(void)state;
	own_event(&own, &attr, 0, -1);
	own_map(&own, 2 * sys_page_size(), PROT_READ | PROT_WRITE);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	own_close(&own);
	rig_close();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_capability),
		cmocka_unit_test(test_one_capability),
		cmocka_unit_test(test_both_capabilities),
		cmocka_unit_test(test_sys_admin_alone),
		cmocka_unit_test(test_user_namespace),
		cmocka_unit_test(test_no_btf),
		cmocka_unit_test(test_no_mappings),
		cmocka_unit_test(test_a_program_that_fails),
		cmocka_unit_test(test_32_bits),
		cmocka_unit_test(test_pid_namespace),
	};
	const struct CMUnitTest unavailable[] = {
		cmocka_unit_test(test_rig_is_there),
	};

	/* Only root can switch to every user. */
	if (!rig_open() || geteuid() != 0)
		return cmocka_run_group_tests_name("host_reasons", unavailable,
						   NULL, NULL);
	return cmocka_run_group_tests_name("host_reasons", tests, set_up,
					   tear_down);
}
