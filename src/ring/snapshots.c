/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/snapshots.h"

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

const char *record_cause_text(enum record_cause cause)
{
	static const char *const texts[] = {
		[RECORD_FAST] = "data arrives faster than it can be written",
		[RECORD_NO_CPU] = "the writer waited for a CPU",
		[RECORD_SLOW_DISK] = "the disk was too slow",
	};

	return cause < RECORD_CAUSES ? texts[cause] : "?";
}
