# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# bash completion for rbtop(1)

_rbtop_pmus=/sys/bus/event_source/devices

_rbtop_events() {
	local tracing file

	echo cpu-clock task-clock page-faults context-switches cpu-migrations \
		minor-faults major-faults alignment-faults emulation-faults dummy \
		bpf-output cgroup-switches cycles cpu-cycles instructions \
		cache-references cache-misses branches branch-instructions \
		branch-misses bus-cycles stalled-cycles-frontend \
		stalled-cycles-backend ref-cycles
	for file in "$_rbtop_pmus"/*/events/*; do
		[ -e "$file" ] || continue
		case $file in *.scale | *.unit | *.snapshot) continue ;; esac
		file=${file#"$_rbtop_pmus/"}
		echo "${file%%/*}/${file##*/}/"
	done
	for file in "$_rbtop_pmus"/*/format; do
		[ -e "$file" ] || continue
		file=${file%/format}
		echo "${file##*/}/"
	done
	# system:name, from the directories of the tracepoints
	for tracing in /sys/kernel/tracing /sys/kernel/debug/tracing; do
		[ -r "$tracing/events" ] || continue
		for file in "$tracing"/events/*/*/id; do
			[ -e "$file" ] || continue
			file=${file#"$tracing/events/"}
			file=${file%/id}
			echo "${file/\//:}"
		done
		break
	done
} 2>/dev/null

# What may stand between the slashes of PMU $1.
_rbtop_terms() {
	local file

	echo period= freq= name= aux-action= aux-output=
	for file in "$_rbtop_pmus/$1"/format/*; do
		[ ! -e "$file" ] || echo "${file##*/}="
	done
	for file in "$_rbtop_pmus/$1"/events/*; do
		case $file in *.scale | *.unit | *.snapshot) continue ;; esac
		[ ! -e "$file" ] || echo "${file##*/}"
	done
} 2>/dev/null

# "0-2,7" is 0 1 2 7.
_rbtop_cpus() {
	local part parts

	IFS=, read -ra parts </sys/devices/system/cpu/online
	for part in "${parts[@]}"; do
		seq -s ' ' "${part%-*}" "${part#*-}"
	done
} 2>/dev/null

_rbtop_cgroups() {
	(cd /sys/fs/cgroup && find . -maxdepth 3 -type d -name '[!.]*' \
		-printf '%P\n')
} 2>/dev/null

# The simulated kernel's keys, as rbtop -h lists them.
_rbtop_sim_keys() {
	rbtop -h | sed -n '/^SPEC of --sim/,/^$/s/^ *\([a-z_]*=\).*/\1/p'
} 2>/dev/null

_rbtop_fill() {
	mapfile -t COMPREPLY < <(compgen "$@" 2>/dev/null)
}

# Names of files: readline adds slashes to folders and quotes blanks.
_rbtop_fill_files() {
	compopt -o filenames 2>/dev/null
	_rbtop_fill "$@"
}

# The same for the last of several things that stand in one word.  $2: what
# they are separated by, if not commas and braces.
_rbtop_fill_last() {
	local last

	# shellcheck disable=SC2295 # characters of a pattern
	last=${current##*[${2:-,\{}]}

	_rbtop_fill -W "$1" -P "${current%"$last"}" -- "$last"
}

# An odd number of slashes: the last event has terms, which go on.
_rbtop_fill_event() {
	local slashes=${current//[^\/]/} pmu=${current%/*}

	compopt -o nospace 2>/dev/null
	if [ $((${#slashes} % 2)) -eq 1 ]; then
		_rbtop_fill_last "$(_rbtop_terms "${pmu##*[,\{]}")" ',/'
	else
		_rbtop_fill_last "$(_rbtop_events)"
	fi
}

_rbtop() {
	local line=${COMP_LINE:0:COMP_POINT} words current previous i
	local options='-a -b -c -C -d -D -e -F -g -G -h -i -m -n -o -p -P -r -R -S -t -T -u
		-V -W --affinity --all-cgroups --all-cpus --all-kernel
		--all-user --ascii --aux-filter
		--batch --branch-any --call-graph --cgroup --code-page-size
		--config --control --count --cpu --data --data-page-size --decode --delay --doctor
		--event --exclude-perf --fail-on --filter --flame --format --freq --full-trace --help --history
		--host --hot --inherit --input --iterations --keep --kind --max-size
		--max-stack --mmap-pages --namespaces --no-inherit --no-mouse --output
		--overwrite --per-thread --perf-version --period --phys-data
		--pid
		--raw-samples --readers --readonly --realtime --ringbuf-drops --sample-cpu
		--sample-identifier --scheme --sim
		--snapshot --snapshot-cooldown --snapshot-every --snapshot-on --summary
		--switch-events --textfile --tid --time --timestamp --transaction
		--uid --version
		--wakeup-events --watermark --weight --with-self --'

	# By blanks alone: readline would also cut at colons and equal signs.
	read -ra words <<<"$line"
	[ "${line% }" = "$line" ] || words+=('')
	current=${words[-1]}
	previous=${words[-2]}

	# What stands after "--" is a command line of its own.
	for ((i = 1; i < ${#words[@]} - 1; i++)); do
		if [ "${words[i]}" = -- ]; then
			if [ "$i" -eq $((${#words[@]} - 2)) ]; then
				_rbtop_fill_files -c -- "$current"
			else
				_rbtop_fill_files -f -- "$current"
			fi
			return
		fi
	done

	# --format=js
	if [[ $current == --?*=* ]]; then
		previous=${current%%=*}
		current=${current#*=}
	fi

	case $previous in
	-e | --event)
		_rbtop_fill_event
		;;
	-p | --pid)
		_rbtop_fill_last "$(cd /proc && echo [0-9]*)"
		;;
	-t | --tid)
		_rbtop_fill_last "$(cd /proc && echo [0-9]*/task/[0-9]* |
			sed 's:[0-9]*/task/::g')"
		;;
	-C | --cpu)
		_rbtop_fill_last "$(_rbtop_cpus)" ,-
		;;
	-G | --cgroup)
		_rbtop_fill_last "$(_rbtop_cgroups)"
		;;
	-u | --uid)
		_rbtop_fill -u -- "$current"
		;;
	--kind)
		_rbtop_fill_last 'perf bpf ftrace packet io_uring'
		;;
	--format)
		_rbtop_fill -W 'text json csv script openmetrics prometheus' \
			-- "$current"
		;;
	--scheme)
		_rbtop_fill -W 'default light colour-blind high-contrast mono' \
			-- "$current"
		;;
	--call-graph)
		_rbtop_fill -W fp -- "$current"
		;;
	--sim)
		compopt -o nospace 2>/dev/null
		_rbtop_fill_last "$(_rbtop_sim_keys)"
		;;
	--config | --flame | --input | --textfile | -i | -o)
		_rbtop_fill_files -f -- "$current"
		;;
	--output)
		_rbtop_fill_files -d -- "$current"
		;;
	--fail-on)
		_rbtop_fill -W 'lost lost\\>1% truncated throttled undrained
			stopped' -- "$current"
		;;
	--snapshot-on)
		_rbtop_fill -W 'lost throttle truncated fill\\>80% call: exit' \
			-- "$current"
		;;
	-c | --count | -d | --delay | -D | --control | -F | --freq | \
		-m | --mmap-pages | -n | --iterations | \
		--decode | --filter | --hot | --max-stack | --readers | \
		-r | --realtime | --wakeup-events | --watermark | \
		--aux-filter | --history | --keep | --max-size | \
		--perf-version | --snapshot-cooldown | \
		--snapshot-every | --time)
		;;
	*)
		_rbtop_fill -W "$options" -- "$current"
		;;
	esac
	# readline replaces only what follows the last colon or equal sign
	COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*[:=]}"}"}")
}

complete -F _rbtop rbtop
