# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# bash completion for rbtop(1)

_rbtop_events() {
	local pmus=/sys/bus/event_source/devices tracing=/sys/kernel/tracing

	echo cpu-clock task-clock page-faults context-switches cpu-migrations \
		minor-faults major-faults cycles instructions cache-references \
		cache-misses branches branch-misses
	for file in "$pmus"/*/events/*; do
		[ -e "$file" ] || continue
		file=${file#"$pmus/"}
		echo "${file%%/*}/${file##*/}/"
	done
	# system:name, from the directories of the tracepoints
	for file in "$tracing"/events/*/*/id; do
		[ -e "$file" ] || continue
		file=${file#"$tracing/events/"}
		file=${file%/id}
		echo "${file/\//:}"
	done
} 2>/dev/null

# The simulated kernel's keys, as rbtop -h lists them.
_rbtop_sim_keys() {
	rbtop -h | sed -n '/^SPEC of --sim/,/^$/s/^ *\([a-z_]*=\).*/\1/p'
} 2>/dev/null

_rbtop_fill() {
	mapfile -t COMPREPLY < <(compgen "$@" 2>/dev/null)
}

# The same for the last of several things that stand in one word.
_rbtop_fill_last() {
	_rbtop_fill -W "$1" -P "${current%"${current##*[,\{]}"}" -- \
		"${current##*[,\{]}"
}

_rbtop() {
	local line=${COMP_LINE:0:COMP_POINT} words current previous i
	local options='-a -b -c -C -d -D -e -F -g -G -h -m -n -o -p -P -r -R -S -t -T -u
		-V -W --affinity --all-cgroups --all-cpus --all-kernel
		--all-user --ascii --aux-filter
		--batch --branch-any --call-graph --cgroup --code-page-size
		--config --control --count --cpu --data --data-page-size --decode --delay
		--event --exclude-perf --filter --format --freq --full-trace --help --history
		--host --hot --inherit --iterations --keep --max-size
		--max-stack --mmap-pages --namespaces --no-inherit --output
		--overwrite --per-thread --perf-version --period --phys-data
		--pid
		--raw-samples --readers --readonly --realtime --sample-cpu
		--sample-identifier --sim
		--snapshot --snapshot-cooldown --snapshot-every --snapshot-on
		--switch-events --textfile --tid --timestamp --transaction
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
				_rbtop_fill -c -- "$current"
			else
				_rbtop_fill -f -- "$current"
			fi
			return
		fi
	done

	case $previous in
	-e | --event)
		_rbtop_fill_last "$(_rbtop_events)"
		;;
	-p | --pid | -t | --tid)
		_rbtop_fill_last "$(cd /proc && echo [0-9]*)"
		;;
	-u | --uid)
		_rbtop_fill -u -- "$current"
		;;
	--format)
		_rbtop_fill -W 'text json csv script openmetrics prometheus' \
			-- "$current"
		;;
	--call-graph)
		_rbtop_fill -W fp -- "$current"
		;;
	--sim)
		compopt -o nospace 2>/dev/null
		_rbtop_fill_last "$(_rbtop_sim_keys)"
		;;
	--config | --textfile | -o)
		_rbtop_fill -f -- "$current"
		;;
	--output)
		_rbtop_fill -d -- "$current"
		;;
	--snapshot-on)
		_rbtop_fill -W 'lost throttle truncated fill>80% call: exit' -- "$current"
		;;
	-c | --count | -C | --cpu | -d | --delay | -F | --freq | \
		-G | --cgroup | -m | --mmap-pages | -n | --iterations | \
		--decode | --filter | --hot | --max-stack | --readers | \
		-r | --realtime | --wakeup-events | --watermark | \
		--aux-filter | --history | --keep | --snapshot-cooldown | \
		--snapshot-every)
		;;
	*)
		_rbtop_fill -W "$options" -- "$current"
		;;
	esac
	# readline replaces only what follows the last colon or equal sign
	COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*[:=]}"}"}")
}

complete -F _rbtop rbtop
