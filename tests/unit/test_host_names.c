/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of users, from databases that answer and one that hangs. */
#include "tests/group.h"

#include <semaphore.h>
#include <stdio.h>

#include "base/sys.h"
#include "host/host_names.h"

/* A hanging database waits for hang; went_on shows that it continued. */
static sem_t hang, went_on;

static void answer(uid_t uid, char *buf, size_t size)
{
	snprintf(buf, size, "user%u", (unsigned int)uid);
}

static void answer_late(uid_t uid, char *buf, size_t size)
{
	while (sem_wait(&hang) != 0)
		;
	answer(uid, buf, size);
	sem_post(&went_on);
}

TEST(test_names)
{
	struct host_names *names = host_names_new(answer);
	char name[HOST_NAMES_SIZE];
	uid_t uid;

	assert_non_null(names);
	assert_false(host_names_get(names, &uid, name));
	for (uid_t i = 0; i < 100; i++) {
		while (!host_names_ask(names, i))
			;
		assert_true(host_names_get(names, &uid, name));
		assert_int_equal(uid, i);
	}
	assert_string_equal(name, "user99");
	assert_false(host_names_get(names, &uid, name));
	host_names_free(names);
}

/* The database answers with whether its thread has any capabilities. */
static void answer_caps(uid_t uid, char *buf, size_t size)
{
	FILE *status = fopen("/proc/thread-self/status", "re");
	char line[256];

	(void)uid;
	assert_non_null(status);
	while (fgets(line, sizeof(line), status))
		if (sscanf(line, "CapPrm: %31s", buf) == 1)
			break;
	fclose(status);
	assert_true(size > 31);
}

TEST(test_caps)
{
	struct host_names *names = host_names_new(answer_caps);
	char name[HOST_NAMES_SIZE];
	uid_t uid;

	while (!host_names_ask(names, 1))
		;
	assert_true(host_names_get(names, &uid, name));
	assert_string_equal(name, "0000000000000000");
	host_names_free(names);
}

TEST(test_none_asked)
{
	host_names_free(host_names_new(answer));
	host_names_free(NULL);
}

/* It is waited for only once, and a late answer is used. */
TEST(test_late)
{
	struct host_names *names = host_names_new(answer_late);
	char name[HOST_NAMES_SIZE];
	double from = sys_now();
	uid_t uid;

	for (int i = 0; i < 1000; i++)
		assert_false(host_names_ask(names, 7));
	assert_true(sys_now() - from < 60);
	sem_post(&hang);
	sem_wait(&went_on);
	while (!host_names_get(names, &uid, name))
		;
	assert_int_equal(uid, 7);
	assert_string_equal(name, "user7");
	host_names_free(names);
}

/* The end does not wait for it; when it continues, all is freed. */
TEST(test_hangs)
{
	struct host_names *names = host_names_new(answer_late);
	double from;

	assert_false(host_names_ask(names, 7));
	from = sys_now();
	host_names_free(names);
	/* the clocks may differ a little */
	assert_true(sys_now() - from >= 0.9 * HOST_NAMES_PATIENCE);
	assert_true(sys_now() - from < 60);
	sem_post(&hang);
	sem_wait(&went_on);
}

TEST(test_users)
{
	char name[32] = "x";

	host_names_user(0, name, sizeof(name));
	assert_string_equal(name, "root");
	host_names_user((uid_t)-2, name, sizeof(name));
	assert_string_equal(name, "");
}

static int group_setup(void **state)
{
	(void)state;
	sem_init(&hang, 0, 0);
	sem_init(&went_on, 0, 0);
	return 0;
}

TEST_GROUP(host_names, .setup = group_setup);
