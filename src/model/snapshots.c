/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/snapshots.h"

const char *snapshot_state_name(enum snapshot_state state)
{
	static const char *const names[] = {
		[SNAPSHOT_COPYING] = "copying",
		[SNAPSHOT_WRITING] = "writing",
		[SNAPSHOT_DONE] = "done",
		[SNAPSHOT_FAILED] = "failed",
		[SNAPSHOT_CANCELLED] = "cancelled",
		[SNAPSHOT_REMOVED] = "removed",
	};

	return state < sizeof(names) / sizeof(names[0]) ? names[state] : "?";
}
