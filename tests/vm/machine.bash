# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# One running virtual machine, sourced by run.sh after vm.bash made $vm_initrd:
#
#	machine_start DIRECTORY CPUS MEMORY
#				boot; false if the guest does not report
#	machine_run NAME SECONDS DIRECTORY
#				run that scenario, with its results in
#				DIRECTORY; false if the guest stopped answering
#	machine_end		power off
#	machine_console		the last lines of its console, in one line
#
#	$machine_had		seconds that the guest has had, see below
#	$machine_cpu		seconds of CPU time that it has used
#
# All limits are in the guest's own time: elapsed seconds minus those in which
# the emulator was ready to run but another program had the CPU.  The emulator
# runs all CPUs of the guest in one thread, so the kernel's figure for that
# thread is that of the whole guest.  If the kernel has no such figure
# (/proc/PID/schedstat), all elapsed time is the guest's.
#
# init in the guest gets lines "time SECONDS", "run NAME SECONDS" and "off"; it
# answers "ready" once and "ended NAME" after each scenario.

# The factor by which a limit may take longer in wall-clock time.
machine_patience=20

# The thread that waited longest runs the guest.
machine_clock() {
	local file run delay _ ran=0 waited=0

	for file in /proc/"$machine_pid"/task/*/schedstat; do
		{ read -r run delay _ <"$file"; } 2>/dev/null || continue
		ran=$((ran > run ? ran : run))
		waited=$((waited > delay ? waited : delay))
	done
	machine_cpu=$((ran / 1000000000))
	machine_had=$((SECONDS - machine_began - waited / 1000000000))
}

machine_lives() {
	kill -0 "$machine_pid" 2>/dev/null
}

# machine_answers LIMIT ANSWER: true if it comes within LIMIT seconds of the
# guest's time
machine_answers() {
	local answer part line= wall=$((SECONDS + machine_patience * $1)) end

	machine_clock
	end=$((machine_had + $1))
	until [ "${answer:-}" = "$2" ]; do
		answer=
		machine_clock
		[ "$machine_had" -le "$end" ] && [ "$SECONDS" -le "$wall" ] &&
			machine_lives || return
		echo "time $machine_had" >&"$machine_in"
		# a part that was read before the timeout begins the line
		if read -r -t 0.5 part <&"$machine_out"; then
			answer=$line$part
			line=
		else
			line+=$part
		fi
	done
}

# Two flags are required: this qemu miscompiles around cmpxchg16b, and newer
# kernels fail with more than one thread of its translator.  With the vendor,
# perf takes a PMU called intel_pt for Intel's.  The kernel's watchdogs, also
# that of its clock, are off: on a busy host the machine may be without CPU for
# longer than they allow.  A kernel that hangs is detected by the scenario's
# limit.
machine_qemu() {
	exec qemu-system-x86_64 \
		-accel tcg,thread=single \
		-cpu max,vendor=GenuineIntel,-cx16 \
		-smp "$2" -m "$3" \
		-nodefaults -no-user-config -display none -no-reboot \
		-serial stdio \
		-device virtio-serial-pci \
		-chardev "file,id=files,path=$1/files.tar" \
		-device virtserialport,chardev=files,name=files \
		-chardev "pipe,id=rig,path=$1/rig" \
		-device virtserialport,chardev=rig,name=rig \
		-kernel "$vm_image" -initrd "$vm_initrd" \
		-append "console=ttyS0 panic=-1 quiet nosoftlockup \
			rcupdate.rcu_cpu_stall_suppress=1 tsc=reliable" \
		</dev/null >"$1/console" 2>&1
}

machine_start() {
	machine=$1
	rm -rf "$machine"
	mkdir -p "$machine"
	mkfifo "$machine/rig.in" "$machine/rig.out"
	# for reading too, so that opening does not block
	exec {machine_in}<>"$machine/rig.in" {machine_out}<>"$machine/rig.out"
	machine_qemu "$@" &
	machine_pid=$!
	machine_began=$SECONDS
	machine_taken=0
	machine_answers 100 ready
}

# Files that the guest sent since the last call.
machine_files() {
	mkdir -p "$1"
	tail -c "+$((machine_taken + 1))" "$machine/files.tar" |
		tar -C "$1" -xf - 2>/dev/null
	machine_taken=$(stat -c %s "$machine/files.tar")
}

# The guest ends a scenario that takes too long; if it does not, it hangs.
machine_run() {
	local status=0

	echo "run $1 $2" >&"$machine_in"
	machine_answers $(($2 + 60)) "ended $1" || status=1
	machine_files "$3"
	return $status
}

machine_end() {
	local end=$((SECONDS + 5))

	echo off >&"$machine_in"
	while machine_lives && [ "$SECONDS" -lt "$end" ]; do
		sleep 0.1
	done
	kill -KILL "$machine_pid" 2>/dev/null
	wait "$machine_pid" 2>/dev/null
	exec {machine_in}>&- {machine_out}>&-
}

machine_console() {
	tail -n 3 "$machine/console" | tr -d '\r' | paste -sd' ' |
		cut -c 1-400
}
