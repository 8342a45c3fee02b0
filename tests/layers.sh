#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The layer rules: which files may include which headers and call which
# functions.

. "$(dirname "$0")/lib.sh"

cd "$top" || exit 99
objects=${builddir:-$top/build}

# No I/O, no clock, no state.
pure='ring/|ring/frame/|samples/|host/table/|trace/recorded/|perf/abi/(record|sample|side_band)'

mapfile -t sources < <(find src ui -name '*.[ch]' -o -name '*.def' | sort)

# The order of folders: Makefile.am names them from the lowest to the highest.
# src/main.c is above all of them.
declare -A place=([src]=1000)
while read -r folder; do
	place[$folder]=${#place[@]}
done < <(sed -nE 's,^include \$\(srcdir\)/((src|ui)/.*)/local\.mk$,\1,p' \
	Makefile.am)

# "FILE INCLUDED" for every include of a project file; system headers as <...>.
includes() {
	grep -H '^[ 	]*#[ 	]*include' "${sources[@]}" |
		sed 's/^\([^:]*\):[^"<]*\(["<]\)\([^">]*\).*/\1 \2\3/
			s/ "/ /'
}

# The path below the root that an include of $1 names.
included_path() {
	local path

	for path in "$2" "src/$2" "$(dirname "$1")/$2"; do
		if [ -f "$path" ]; then
			echo "$path"
			return
		fi
	done
	echo "src/$2" # a generated one
}

includes >"$tmp/includes"
while read -r file name; do
	case $name in
	"<"*) echo "$file $name" ;;
	*) echo "$file $(included_path "$file" "$name")" ;;
	esac
done <"$tmp/includes" >"$tmp/resolved"

# Check that no line of the includes matches $1, except in files that match $2.
no_include() {
	local found

	[ -s "$tmp/resolved" ] || return 1
	found=$(grep -E "$1" "$tmp/resolved" | grep -vE "^(${2:-none}) ")
	[ -z "$found" ] || ! echo "$found"
}

imports_go_down() {
	local bad=0 file name from to

	[ -s "$tmp/resolved" ] && [ "${#place[@]}" -gt 20 ] || return 1
	while read -r file name; do
		[ "${name#<}" = "$name" ] || continue
		from=${place[${file%/*}]:-}
		to=${place[${name%/*}]:-}
		if [ -z "$from" ] || [ -z "$to" ] || [ "$to" -gt "$from" ]; then
			echo "$file includes $name"
			bad=1
		fi
	done <"$tmp/resolved"
	return "$bad"
}

# A header that includes everything hides which file needs what.
no_umbrella() {
	local worst

	worst=$(grep -v ' <' "$tmp/resolved" | grep -E '^[^ ]*\.h ' |
		grep -v '\.def$' | cut -d' ' -f1 | sort | uniq -c | sort -rn |
		head -n 1)
	echo "$worst"
	[ "${worst% *}" -le 8 ]
}

check 'imports only go down' imports_go_down
check 'only ui/term/term_curses.c includes curses' \
	no_include ' <(.*curses|term)\.h' ui/term/term_curses.c
check 'src/source/ and src/export/ do not know each other' no_include \
	'^src/(source/[^ ]* src/export|export/[^ ]* src/source)/'
check 'src/export/ knows no collector' \
	no_include '^src/export/[^ ]* src/collect/'
check 'ui/ knows neither command line nor batch' \
	no_include '^ui/[^ ]* src/cli/(cli.*|batch)\.h'
check 'views know no source, no collector, no ring, no symbol file' \
	no_include \
	'^ui/views/[^ ]* src/(source|sim|collect|resolve|symbols|task|trace|host/[^t]|perf/(abi/(aux_)?ring|session|target))'
# sys/types.h is fine, and sys/param.h, for MIN() and MAX().
check 'what is pure and the decoders include no I/O' no_include \
	"^src/($pure)[^ ]* <(fcntl|unistd|time|poll|signal|pthread|sys/([^pt]|p[^a]).*)\.h"
check 'what is pure and the decoders use no system calls of base/' \
	no_include "^src/($pure)[^ ]* src/base/(sys|loop|caps)\.h"
check 'no umbrella header' no_umbrella

# A header for the several files of one module is not one of these files' own.
no_impl() {
	local found

	found=$(printf '%s\n' "${sources[@]}" | grep -E '_(impl|internal)\.h$')
	[ -z "$found" ] || ! echo "$found"
}
check 'no header that only undoes a split' no_impl

# The objects: which functions are really called.

mapfile -t all < <(find "$objects/src" "$objects/ui" -name '*.o' | sort)
mapfile -t pure < <(printf '%s\n' "${all[@]}" |
	grep -E "/src/($pure)[a-z_]*\.o\$")
mapfile -t views < <(printf '%s\n' "${all[@]}" |
	grep -E '/ui/(draw/.*|views/.*|kit/list[a-z_]*)\.o$')

if [ "${#pure[@]}" -lt 5 ] || [ "${#views[@]}" -lt 5 ]; then
	not_ok 'the objects are there' "none in $objects"
	finish
elif nm "${pure[0]}" | grep -q __asan; then
	skip 'calls and variables' 'the sanitizers add their own'
	finish
fi

# Check that no object of $3... has an undefined symbol that matches $1, except
# for objects whose path below the build directory matches $2.
no_call() {
	local symbols=$1 exempt=$2 found

	shift 2
	found=$(nm -Au "$@" | sed "s|^$objects/||" |
		grep -E " U ($symbols)(@.*)?\$" |
		grep -vE "^($exempt):")
	[ -z "$found" ] || ! echo "$found"
}

# Writable data, except for what the loader makes read-only.
no_variables() {
	local found

	found=$(size -A "$@" | awk '
		/:$/ { object = $1 }
		$1 ~ /^\.(data|bss|tdata|tbss)/ && $1 !~ /^\.data\.rel\.ro/ &&
			$2 > 0 { print object, $1, $2 }')
	[ -z "$found" ] || ! echo "$found"
}

# With _FORTIFY_SOURCE names differ: __read_chk, __open64_2.
open='(__)?(f?open(at)?|creat|opendir|shm_open|memfd_create)(64)?(_2)?'
input='(__)?(p?readv?|fread|getline|getc|fgetc|fgets|recv|poll)(64)?(_chk)?'
output='(__)?(p?writev?|fwrite|v?f?d?printf|f?puts|f?putc|putchar|perror)(64)?(_chk)?'
clock='clock_gettime|clock|time|gettimeofday|ftime|timespec_get'
system='ioctl|mmap|mmap64|syscall|fork|socket|getenv|secure_getenv|getpid'

check 'what is pure and the decoders call no I/O and no clock' no_call \
	"$open|$input|$output|$clock|$system|stdin|stdout|stderr|sys_.*" \
	none "${pure[@]}"
check 'what is pure and the decoders hold no variables' \
	no_variables "${pure[@]}"
check 'views open nothing, read nothing and know no clock' no_call \
	"$open|$input|$clock|$system|stdin|stdout|stderr|sys_.*" \
	none "${views[@]}"
check 'views hold no variables' no_variables "${views[@]}"

check 'only main() exits' no_call 'exit|quick_exit|err|errx|abort' \
	'src/main\.o' "${all[@]}"
check 'only src/base/sys.c reads a clock' \
	no_call "$clock" 'src/base/sys\.o' "${all[@]}"
check 'only src/base/sys.c and the terminal call ioctl' \
	no_call ioctl 'src/base/sys\.o|ui/term/term_curses\.o' "${all[@]}"
check 'only src/base/sys.c and the simulated kernel call mmap' \
	no_call 'mmap|mmap64' 'src/base/sys\.o|src/sim/[a-z_]*\.o' \
	"${all[@]}"

only_sys_opens_events() {
	[ "$(grep -l '_perf_event_open[^(]*[,;)]' "${sources[@]}")" = \
		src/base/sys.c ]
}
check 'only src/base/sys.c opens perf events' only_sys_opens_events

no_curses_linked() {
	local program

	for program in "$objects"/tests/unit/{,*/}run; do
		! readelf -d "$program" | grep -E 'NEEDED.*(curses|tinfo)' ||
			return 1
	done
}
if [ -x "$objects/tests/unit/run" ]; then
	check 'the unit tests are linked without curses' no_curses_linked
else
	skip 'the unit tests are linked without curses' 'not built (no cmocka)'
fi

finish
