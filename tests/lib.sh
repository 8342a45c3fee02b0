# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# TAP for shell tests, sourced by them:
#
#	. "$(dirname "$0")/../lib.sh"
#	check "prints its version" "$RBTOP" -V
#	finish
#
#	check NAME COMMAND...	pass if COMMAND (a function is fine) succeeds;
#				its output is shown only when it fails
#	refuse STATUS NAME COMMAND...
#				pass if COMMAND exits with exactly STATUS; its
#				output is left in $tmp/out and $tmp/err
#	ok NAME, not_ok NAME [DIAG]
#	skip NAME REASON	this machine cannot run it
#	skip_all REASON		this machine can run none of them; exits
#	finish			prints the plan; exits 1 if anything failed
#
#	$RBTOP	the program under test, from the environment or the build
#	$top	the root of the source tree
#	$tmp	a scratch directory, removed at exit

export LC_ALL=${LC_ALL:-C.UTF-8}

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

if [ -z "${RBTOP:-}" ]; then
	for RBTOP in "${builddir:-.}/rbtop" "$top/build/rbtop"; do
		[ -x "$RBTOP" ] && break
	done
fi
case $RBTOP in
/*) ;;
*) RBTOP=$PWD/$RBTOP ;;
esac
export RBTOP

tmp=$(mktemp -d "${TMPDIR:-/tmp}/rbtop-test.XXXXXX") || exit 99
tap_tests=0
tap_failed=0
tap_finished=
tap_status=	# exit status, once finished

# Keep the exit status of a test's own trap that ran before.
tap_exit() {
	local status=$?

	rm -rf "$tmp"
	[ -n "$tap_finished" ] && exit "${tap_status:-$status}"
	echo "Bail out! $0 ended before its finish (status $status)"
	exit 99
}
trap tap_exit EXIT

# Every line of standard input as a TAP comment.
tap_comment() {
	sed 's/^/# /'
}

ok() {
	tap_tests=$((tap_tests + 1))
	echo "ok $tap_tests - $1"
}

not_ok() {
	tap_tests=$((tap_tests + 1))
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_tests - $1"
	[ -z "${2:-}" ] || printf '%s\n' "$2" | tap_comment
}

skip() {
	tap_tests=$((tap_tests + 1))
	echo "ok $tap_tests - $1 # SKIP $2"
}

skip_all() {
	echo "1..0 # SKIP $1"
	tap_finished=yes
	tap_status=0
	exit 0
}

check() {
	local name=$1 status=0 command

	shift
	command=$*
	"$@" >"$tmp/check" 2>&1 || status=$?
	if [ "$status" -eq 0 ]; then
		ok "$name"
	else
		not_ok "$name" "status $status of: ${command:0:200}"
		tail -n 30 "$tmp/check" | tap_comment
	fi
}

refuse() {
	local want=$1 name=$2 status=0

	shift 2
	"$@" >"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
	if [ "$status" -eq "$want" ]; then
		ok "$name"
	else
		not_ok "$name" "status $status, not $want, of: $*"
		tail -n 30 "$tmp/err" | tap_comment
	fi
}

finish() {
	echo "1..$tap_tests"
	tap_finished=yes
	tap_status=$((tap_failed > 0))
	exit "$tap_status"
}
