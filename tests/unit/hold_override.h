/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Drop root's CAP_DAC_OVERRIDE, its right to other users' directories, and take
 * it back.
 */
#ifndef RBTOP_TESTS_HOLD_OVERRIDE_H
#define RBTOP_TESTS_HOLD_OVERRIDE_H

#include <cap-ng.h>
#include <stdbool.h>

static inline void hold_override(bool on)
{
	capng_get_caps_process();
	capng_update(on ? CAPNG_ADD : CAPNG_DROP, CAPNG_EFFECTIVE,
		     CAP_DAC_OVERRIDE);
	assert_int_equal(capng_apply(CAPNG_SELECT_CAPS), 0);
}

#endif
