/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/host/host.h"

enum role host_alarm_role(unsigned int warnings)
{
	const unsigned int bad = 1u << RING_WARN_LOSING |
				 1u << RING_WARN_PENDING |
				 1u << RING_WARN_TRUNCATED;

	if (!warnings)
		return ROLE_DEFAULT;
	return warnings & bad ? ROLE_BAD : ROLE_WARN;
}
