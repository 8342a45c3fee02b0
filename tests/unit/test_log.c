/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <stdio.h>
#include <string.h>

#include "ring/log.h"

TEST(test_in_order)
{
	struct log *log = log_new(100);

	assert_int_equal(log_len(log), 0);
	log_add(log, 1.5, LOG_LOST, "CPU %d lost %d", 3, 7);
	log_add(log, 2.5, LOG_EXIT, "gone");
	assert_int_equal(log_len(log), 2);
	assert_string_equal(log_at(log, 0)->text, "CPU 3 lost 7");
	assert_true(log_at(log, 0)->time == 1.5);
	assert_int_equal(log_at(log, 0)->kind, LOG_LOST);
	assert_int_equal(log_at(log, 0)->serial, 0);
	assert_int_equal(log_at(log, 1)->serial, 1);
	log_free(log);
}

static void check_bounded(size_t capacity, unsigned int entries)
{
	struct log *log = log_new(capacity);

	for (unsigned int i = 0; i < entries; i++)
		log_add(log, i, LOG_INFO, "%u", i);
	assert_int_equal(log_len(log), capacity);
	for (size_t i = 0; i < capacity; i++)
		assert_int_equal(log_at(log, i)->serial,
				 entries - capacity + i);
	log_free(log);
}

TEST(test_oldest_falls_off)
{
	check_bounded(1, 3);
	check_bounded(16, 33);
	check_bounded(40, 100);	/* not a power of two times the first room */
}

/* A line takes the place of the one with the same fold, at the end. */
TEST(test_fold)
{
	struct log *log = log_new(4);

	for (unsigned int i = 0; i < 3; i++)
		log_add(log, i, LOG_LOST, "loss %u", i);
	for (unsigned int i = 0; i < 20; i++) {
		char text[32];

		snprintf(text, sizeof(text), "started %u times", i);
		log_fold(log, 10 + i, LOG_HOST, 7, text);
	}
	/* no loss was pushed out */
	assert_int_equal(log_len(log), 4);
	for (unsigned int i = 0; i < 3; i++)
		assert_int_equal(log_at(log, i)->serial, i);
	assert_string_equal(log_at(log, 3)->text, "started 19 times");
	assert_int_equal(log_at(log, 3)->serial, 22);
	assert_true(log_at(log, 3)->time == 29);
	/* in the middle, of a log that is full and in a circle */
	log_add(log, 30, LOG_LOST, "loss 3");
	log_fold(log, 31, LOG_HOST, 7, "again");
	assert_int_equal(log_len(log), 4);
	assert_string_equal(log_at(log, 0)->text, "loss 1");
	assert_string_equal(log_at(log, 2)->text, "loss 3");
	assert_string_equal(log_at(log, 3)->text, "again");
	/* another fold, and none */
	log_fold(log, 32, LOG_HOST, 8, "other");
	log_fold(log, 33, LOG_HOST, 0, "none");
	log_fold(log, 33, LOG_HOST, 0, "none");
	assert_string_equal(log_at(log, 0)->text, "again");
	log_free(log);
}

TEST(test_cut)
{
	struct log *log = log_new(4);

	for (int i = 1; i <= 6; i++)
		log_add(log, i, LOG_LOST, "at %d", i);
	log_add(log, 5.5, LOG_INFO, "kept");
	log_cut(log, 4, 1u << LOG_LOST);
	assert_int_equal(log_len(log), 2);
	assert_string_equal(log_at(log, 0)->text, "at 4");
	assert_string_equal(log_at(log, 1)->text, "kept");
	log_add(log, 5, LOG_LOST, "again");
	assert_string_equal(log_at(log, 2)->text, "again");
	assert_int_equal(log_at(log, 2)->serial, 7);
	log_cut(log, 0, 1u << LOG_LOST | 1u << LOG_INFO);
	assert_int_equal(log_len(log), 0);
	log_free(log);
}

TEST(test_text_is_safe)
{
	struct log *log = log_new(4);
	char longest[600];

	log_add(log, 0, LOG_OUTPUT, "a\x1b[31mb\nc%s", "\xff");
	assert_string_equal(log_at(log, 0)->text, "a?[31mb?c?");
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	log_add(log, 0, LOG_OUTPUT, "%s", longest);
	assert_int_equal(strlen(log_at(log, 1)->text),
			 sizeof(log_at(log, 1)->text) - 1);
	log_free(log);
}

TEST(test_kind_names)
{
	assert_string_equal(log_kind_name(LOG_INFO), "info");
	assert_string_equal(log_kind_name(LOG_LOST), "lost");
	assert_string_equal(log_kind_name(LOG_AUX), "aux");
	assert_string_equal(log_kind_name(LOG_SNAPSHOT), "snapshot");
	assert_string_equal(log_kind_name(LOG_RECORD), "record");
	assert_string_equal(log_kind_name(LOG_HOTPLUG), "hotplug");
	assert_string_equal(log_kind_name((enum log_kind)99), "unknown");
}

TEST_GROUP(log);
