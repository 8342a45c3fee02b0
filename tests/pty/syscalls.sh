#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Samples of raw_syscalls have the names of system calls, where the number is
# certainly one of rbtop's own ABI; and --format script has perf's text.

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/live/live.bash
. "$(dirname "$0")/../live/live.bash"
# shellcheck source=tests/pty/tmux.bash
. "$(dirname "$0")/tmux.bash"

event=raw_syscalls:sys_enter
may -e "$event" || skip_all "$(why)"

copy=(dd if=/dev/zero of=/dev/null bs=1 count=2 status=none)

term_start 120x50 "$RBTOP" -e "$event" -e raw_syscalls:sys_exit -- "${copy[@]}"
term_keys 2
check 'the last call has a name' term_shows ' exit_group(0, '
check 'and those before it' term_shows ' write(1, '
check 'and their results' term_shows ' write = 1 *'
check 'none has a number' term_hides ' NR [0-9]'
term_keys x
check 'the name is a field, the number another' \
	term_shows ' syscall=exit_group id=[0-9]* args='
term_keys x '\' 'syscall==write' Enter
check 'by which samples are filtered' term_hides 'exit_group'
check 'to those of the name' term_shows ' write(1, '
term_end

script() {
	"$RBTOP" -b -d 30 --format script -e "$event" -- "${copy[@]}" \
		>"$tmp/script" || return
	tail -n 3 "$tmp/script"
	grep -q ': NR [0-9]* (' "$tmp/script" &&
		! grep -q 'exit_group' "$tmp/script"
}
check '--format script has the numbers, as perf script' script

# Two calls whose numbers are others in 64 bits: getpid is writev there.
narrow() {
	printf '.globl _start\n_start:\n%s\n' 'mov $20, %eax; int $0x80;
		mov $1, %eax; mov $0, %ebx; int $0x80' >"$tmp/narrow.s" &&
		as --32 -o "$tmp/narrow.o" "$tmp/narrow.s" &&
		ld -m elf_i386 -o "$tmp/narrow" "$tmp/narrow.o" &&
		"$tmp/narrow"
} >"$tmp/err" 2>&1
if [ "$(uname -m)" = x86_64 ] && narrow; then
	term_start 120x50 "$RBTOP" -e "$event" -- "$tmp/narrow"
	term_keys 2
	check 'a 32-bit program has the numbers' term_shows ' NR 20 ('
	check 'no name of another call' term_hides 'writev'
else
	skip 'a 32-bit program has the numbers' \
		"none can be run: $(head -n 1 "$tmp/err")"
fi
finish
