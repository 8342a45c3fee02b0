/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options: that each is known, and what those who come from perf type. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cli_take.h"
#include "tests/unit/cli_line.h"

/* Whatever is wrong with it then, it is not unknown. */
static void expect_known(const char *text)
{
	struct line l;

	if (parse(&l, text) == 0)
		cli_free(&l.cli);
	else if (strstr(l.err.text, "unknown"))
		fail_msg("'%s': %s", text, l.err.text);
}

/* All of them: none is beyond what a table has room for. */
static void test_each_is_known(void **state)
{
	char text[64];

	(void)state;
	for (size_t i = 0; i < CLI_NR_OPTIONS; i++) {
		const struct cli_option *o = &cli_options[i];

		snprintf(text, sizeof(text), "--%s", o->name ? o->name : "");
		if (o->name)
			expect_known(text);
		snprintf(text, sizeof(text), "-%c", o->letter);
		if (o->letter)
			expect_known(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_is_known),
	};

	return cmocka_run_group_tests_name("cli_perf", tests, NULL, NULL);
}
