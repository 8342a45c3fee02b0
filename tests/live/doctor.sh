#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --doctor as root and as nobody: what it says is so, its remedies are commands,
# and the lines that they are for are ok afterwards.
. "$(dirname "$0")/../lib.sh"

[ "$(id -u)" -eq 0 ] || skip_all "only root can become somebody else"
command -v setpriv >/dev/null || skip_all "setpriv is not installed"
command -v jq >/dev/null || skip_all "jq is not installed"

kernel=/proc/sys/kernel
old_paranoid=$(cat $kernel/perf_event_paranoid)
old_mlock=$(cat $kernel/perf_event_mlock_kb)
old_tracefs=$(stat -c 'mode=%a,gid=%g' /sys/kernel/tracing 2>/dev/null)
remounted=	# tracefs may have other options
restore() {
	echo "$old_paranoid" >$kernel/perf_event_paranoid
	echo "$old_mlock" >$kernel/perf_event_mlock_kb
	[ -z "$remounted" ] ||
		mount -o "remount,$old_tracefs" /sys/kernel/tracing
}
trap 'status=$?; restore; (exit "$status"); tap_exit' EXIT
echo 2 2>/dev/null >$kernel/perf_event_paranoid ||
	skip_all "kernel.perf_event_paranoid cannot be set here"

# Remedies name sudo, which need not be installed; root runs them here.
mkdir "$tmp/bin"
printf '#!/bin/sh\nexec "$@"\n' >"$tmp/bin/sudo"
chmod 755 "$tmp" "$tmp/bin" "$tmp/bin/sudo"
fresh() {
	rm -f "$tmp/rbtop"
	install -m 755 "$RBTOP" "$tmp/rbtop"
}
fresh
nobody() {
	(cd / && ulimit -l 64 && exec setpriv --reuid=65534 --regid=65534 \
		--clear-groups --inh-caps=-all "$tmp/rbtop" "$@") </dev/null
}
# The report as nobody in $tmp/report; always a whole one.
examine() {
	nobody --doctor --format json >"$tmp/report" 2>"$tmp/err"
	jq -e '.items | length > 15' "$tmp/report" >/dev/null
}
state() {
	jq -r --arg name "$1" '.items[] | select(.name == $name).state' \
		"$tmp/report"
}
remedy() {
	jq -r --arg name "$1" '.items[] | select(.name == $name).remedy // ""' \
		"$tmp/report"
}
is() {
	examine
	jq -c --arg name "$1" '.items[] | select(.name == $name)' "$tmp/report"
	[ "$(state "$1")" = "$2" ]
}
apply() {
	local command

	command=$(remedy "$1")
	echo "$command"
	[ -n "$command" ] &&
		PATH=$tmp/bin:$PATH:/usr/sbin:/sbin sh -c "$command"
}
commands_are_valid() {
	local command

	jq -r '.items[].remedy // empty' "$tmp/report" >"$tmp/remedies"
	while read -r command; do
		sh -n -c "$command" || return 1
	done <"$tmp/remedies"
}
# What is not ok says why; what is ok needs no remedy.
is_consistent() {
	jq -e '.version == 1 and all(.items[];
		(.fact | length > 5) and
		(.state | IN("ok", "limited", "missing", "unknown")) and
		(.state != "ok" or .remedy == null))' "$tmp/report"
}

check "as root it starts" "$RBTOP" --doctor
"$RBTOP" --doctor --format json >"$tmp/report"
check "with each item as it should be" is_consistent
check "and remedies that are commands" commands_are_valid
check "the same in text" test "$("$RBTOP" --doctor |
	grep -cE '^[a-z]+ +(ok|limited|missing|unknown) ')" -eq \
	"$(jq '.items | length' "$tmp/report")"
check "what starts does start" "$RBTOP" -b -n 1 -d 0.1

refuse 1 "nobody's rbtop does not start" nobody --doctor
refuse 1 "which is so" nobody -b -n 1
examine
check "nobody's items are as they should be" is_consistent
check "with remedies that are commands" commands_are_valid
for item in start capabilities; do
	check "$item is missing" is $item missing
done
check "paranoid is limited" is paranoid limited
check "its sysctl" apply paranoid
check "makes it ok" is paranoid ok
check "and rbtop start" is start ok
check "which it does" nobody -b -n 1 -d 0.1 -F 100
check "its exit status is 0" nobody --doctor

# With a limit that is too low for the default rings and no other memory.
memlock_zero() {
	(cd / && ulimit -l 0 && exec setpriv --reuid=65534 --regid=65534 \
		--clear-groups --inh-caps=-all "$tmp/rbtop" "$@") </dev/null
}
: >"$tmp/started"
chmod 666 "$tmp/started"
# shellcheck disable=SC2016
memlock_zero -b -d 100 -m 64 -e cpu-clock -C 0 -- sh -c \
	'echo >"$0"; while [ -e "$0" ] && [ ! -e "$1" ]; do sleep 0.1; done' \
	"$tmp/started" "$tmp/enough" >/dev/null 2>&1 &
hog=$!
until [ -s "$tmp/started" ]; do
	kill -0 $hog 2>/dev/null || break
	sleep 0.05
done
# shellcheck disable=SC2317
nobody() {
	memlock_zero "$@"
}
check "beside other rings of the user, mlock is limited" is mlock limited
check "and the rings get smaller" is start limited
check "its sysctl" apply mlock
check "makes it ok" is mlock ok
check "and rbtop start as usual" is start ok
: >"$tmp/enough"
wait $hog
restore
echo 2 >$kernel/perf_event_paranoid

if PATH=$PATH:/usr/sbin:/sbin command -v setcap >/dev/null &&
	examine && apply start >/dev/null 2>&1; then
	for item in start paranoid capabilities bpf realtime kallsyms; do
		# bpf may be missing in the build, SCHED_FIFO in a container
		case $item in
		bpf | realtime)
			[ "$("$RBTOP" --doctor --format json | jq -r --arg \
				name $item '.items[] |
				select(.name == $name).state')" = ok ] ||
				continue
			;;
		esac
		check "with the file capabilities of its remedy $item is ok" \
			is $item ok
	done
	remounted=yes
	if [ "$(state tracefs)" = limited ]; then
		check "tracefs, unreadable for nobody, with its remedy" \
			apply tracefs
		check "is ok" is tracefs ok
	fi
else
	skip "with file capabilities" 'no setcap, or not on this file system'
fi
finish
