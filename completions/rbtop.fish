# SPDX-License-Identifier: GPL-2.0-or-later
# fish completion for rbtop(1)

function __rbtop_events
    set -l sys /sys/bus/event_source/devices
    set -l slashes (string replace -ra '[^/]' '' -- $argv[1])
    if test (math (string length -- "$slashes") % 2) -eq 1
        # an odd number of slashes: the last event has terms, which go on
        set -l pmu (string replace -r '/[^/]*$' '' -- $argv[1] |
            string replace -r '.*[,{]' '')
        set -l before (string replace -r '[^,/]*$' '' -- $argv[1])
        for term in period= freq= name= aux-action= aux-output=
            echo $before$term
        end
        for file in $sys/$pmu/format/*
            echo $before(string replace -r '.*/' '' -- $file)=
        end
        return
    end
    set -l before (string replace -r '[^,{]*$' '' -- $argv[1])
    for event in cpu-clock task-clock page-faults context-switches cpu-migrations \
            minor-faults major-faults alignment-faults emulation-faults dummy \
            bpf-output cgroup-switches cycles cpu-cycles instructions \
            cache-references cache-misses branches branch-instructions \
            branch-misses bus-cycles stalled-cycles-frontend \
            stalled-cycles-backend ref-cycles
        echo $before$event
    end
    for file in $sys/*/events/*
        string match -qr '\.(scale|unit|snapshot)$' -- $file; and continue
        string replace "$sys/" $before -- $file | string replace /events/ / |
            string replace -r '$' /
    end
    for file in $sys/*/format
        string replace "$sys/" $before -- $file | string replace -r '/format$' /
    end
    for tracing in /sys/kernel/tracing /sys/kernel/debug/tracing
        test -r $tracing/events; or continue
        for file in $tracing/events/*/*/id
            set -l name (string split / -- $file)
            echo $before$name[-3]:$name[-2]
        end
        break
    end
end

function __rbtop_sim
    set -l before (string replace -r '[^,]*$' '' -- $argv[1])
    command -q rbtop; or return
    rbtop -h 2>/dev/null | string replace -rf '^ {6}([a-z_]+=) .*' $before'$1'
end

function __rbtop_cpus
    set -l before (string replace -r '[^,-]*$' '' -- $argv[1])
    for cpu in /sys/devices/system/cpu/cpu*
        string replace -rf '.*/cpu([0-9]+)$' $before'$1' -- $cpu
    end
end

# The tasks of the folders $argv[2..], with their names.
function __rbtop_tasks
    set -l before (string replace -r '[^,]*$' '' -- $argv[1])
    for task in $argv[2..-1]
        set -l name
        read name <$task/comm 2>/dev/null; or continue
        set -l id (string replace -rf '.*/([0-9]+)$' '$1' -- $task)
        or continue
        printf '%s\t%s\n' $before$id (string replace -ra '[^[:print:]]' '?' -- $name)
    end
end

function __rbtop_cgroups
    set -l before (string replace -r '[^,]*$' '' -- $argv[1])
    for dir in /sys/fs/cgroup/*/ /sys/fs/cgroup/*/*/
        string replace -rf '^/sys/fs/cgroup/(.*)/$' $before'$1' -- $dir
    end
end

# The word at the cursor, without the name of its option.
function __rbtop_word
    commandline -ct | string replace -r '^--[a-z-]+=' '' |
        string replace -r '^-[A-Za-z]' ''
end

# What stands after "--" is a command line of its own.
function __rbtop_command
    set -l tokens (commandline -opc)
    set -l at (contains -i -- -- $tokens); or return
    set -l word (commandline -ct)
    complete -C (string join ' ' -- (string escape -- $tokens[$at..-1])[2..-1] "$word")
end

complete -c rbtop -f
complete -c rbtop -s e -l event -x -a '(__rbtop_events (__rbtop_word))' \
    -d 'event(s) in perf\'s syntax; may be repeated'
complete -c rbtop -s F -l freq -x \
    -d 'samples per second and event, or max (4000)'
complete -c rbtop -s c -l count -x \
    -d 'sample every PERIOD events instead'
complete -c rbtop -l filter -x \
    -d 'filter for the tracepoints of the preceding -e'
complete -c rbtop -s G -l cgroup -x -a '(__rbtop_cgroups (__rbtop_word))' \
    -d 'cgroups of the preceding events, in order'
complete -c rbtop -l all-user \
    -d 'count all events in user space only'
complete -c rbtop -l all-kernel \
    -d 'count all events in the kernel only'
complete -c rbtop -s D -x \
    -d 'delay before events are enabled; -1: disabled'
complete -c rbtop -l control -x \
    -d 'read commands from CTL: enable, disable ...'
complete -c rbtop -s g \
    -d 'callchains, by frame pointers: -g or -g fp'
complete -c rbtop -l call-graph -x -a 'fp' \
    -d 'the same; fp is the only MODE'
complete -c rbtop -l max-stack -x \
    -d 'maximum frames of a callchain (kernel\'s limit)'
complete -c rbtop -l data \
    -d 'data address, and where the data came from'
complete -c rbtop -l phys-data \
    -d 'physical data address'
complete -c rbtop -l data-page-size \
    -d 'size of the page of the data address'
complete -c rbtop -l code-page-size \
    -d 'size of the page of the code address'
complete -c rbtop -s W -l weight \
    -d 'cost of the access, as reported by the CPU'
complete -c rbtop -l transaction \
    -d 'flags of a transactional memory abort'
complete -c rbtop -l all-cgroups \
    -d 'cgroup of the task; records of new cgroups'
complete -c rbtop -l branch-any \
    -d 'the latest branches taken'
complete -c rbtop -l switch-events \
    -d 'records of context switches'
complete -c rbtop -l namespaces \
    -d 'records of tasks\' namespaces'
complete -c rbtop -s a -l all-cpus \
    -d 'every task, a ring per CPU (the default)'
complete -c rbtop -s C -l cpu -x -a '(__rbtop_cpus (__rbtop_word))' \
    -d 'every task on these CPUs: 0-3,7'
complete -c rbtop -s p -l pid -x -a '(__rbtop_tasks (__rbtop_word) /proc/*)' \
    -d 'these processes, all their threads'
complete -c rbtop -s t -l tid -x -a '(__rbtop_tasks (__rbtop_word) /proc/*/task/*)' \
    -d 'these threads, but not what they start'
complete -c rbtop -s u -l uid -x -a '(__fish_complete_users)' \
    -d 'current processes of USER (name or number)'
complete -c rbtop -l per-thread \
    -d 'a ring per thread instead of per CPU'
complete -c rbtop -l inherit \
    -d 'follow what the target starts, also with -t'
complete -c rbtop -l no-inherit \
    -d 'do not follow what the target starts'
complete -c rbtop -l host \
    -d 'open no events: show the rings of all processes'
complete -c rbtop -l kind -x -a 'perf bpf ftrace packet io_uring' \
    -d 'with --host: only these kinds of rings'
complete -c rbtop -l ringbuf-drops \
    -d 'count drops of BPF ring buffers; it slows them'
complete -c rbtop -s m -l mmap-pages -x \
    -d 'size of a ring: pages, or with B, K, M or G'
complete -c rbtop -l watermark -x \
    -d 'wake rbtop when this much is written (half)'
complete -c rbtop -l wakeup-events -x \
    -d 'wake rbtop every N samples instead'
complete -c rbtop -l overwrite \
    -d 'rings that keep the newest records; read with r'
complete -c rbtop -l with-self \
    -d 'keep the tracepoint hits of rbtop itself'
complete -c rbtop -l readers -x \
    -d 'threads that drain the rings'
complete -c rbtop -l affinity -a 'cpu' \
    -d 'pin each reader to the CPUs of its rings'
complete -c rbtop -s r -l realtime -x \
    -d 'SCHED_FIFO priority of the readers; 0: none'
complete -c rbtop -s S -l snapshot \
    -d 'keep trace for snapshots; e: take one at exit'
complete -c rbtop -l full-trace \
    -d 'drain AUX rings continuously instead'
complete -c rbtop -l aux-filter -x \
    -d 'trace only some code with the preceding -e'
complete -c rbtop -l snapshot-every -x \
    -d 'take a snapshot every SEC seconds'
complete -c rbtop -l snapshot-on -x -a 'lost throttle truncated fill\>80% call: exit' \
    -d 'lost, throttle, truncated, fill>N%, call:FUNC'
complete -c rbtop -l snapshot-cooldown -x \
    -d 'time before the next such snapshot (10)'
complete -c rbtop -l output -x -a '(__fish_complete_directories)' \
    -d 'where snapshots go (the current directory)'
complete -c rbtop -l keep -x \
    -d 'keep only the newest N snapshots; 0: all'
complete -c rbtop -l history -x \
    -d 'records kept for snapshots, of all rings (16M)'
complete -c rbtop -s o -rF \
    -d 'record the rings into FILE from the start'
complete -c rbtop -l max-size -x \
    -d 'end a recording at this size, such as 100M'
complete -c rbtop -l perf-version -x \
    -d 'oldest perf that must read the files (6.1)'
complete -c rbtop -s b -l batch \
    -d 'print reports, no screen (perf -b: --branch-any)'
complete -c rbtop -s n -l iterations -x \
    -d 'end after N updates'
complete -c rbtop -s d -l delay -x \
    -d 'seconds between updates (1), as in perf top'
complete -c rbtop -l format -x -a 'text json csv script openmetrics prometheus' \
    -d 'format of the batch output (text); implies -b'
complete -c rbtop -s i -l input -rF \
    -d 'show a perf.data file; - is standard input'
complete -c rbtop -l time -x \
    -d 'with -i: only this span, times of perf script'
complete -c rbtop -l summary \
    -d 'with -i: print records and losses of each ring'
complete -c rbtop -l fail-on -x -a 'lost lost\>1% truncated throttled undrained stopped' \
    -d 'exit status 3 on lost, lost>1%, truncated, ...'
complete -c rbtop -l textfile -rF \
    -d 'write each tick to this file instead; implies -b'
complete -c rbtop -l hot -x \
    -d 'rows of the hot table (20 in JSON, else none)'
complete -c rbtop -l flame -rF \
    -d 'write a flame graph at the end: .svg, or folded'
complete -c rbtop -l decode -x \
    -d 'samples decoded per second (20000); 0: none'
complete -c rbtop -l scheme -x -a 'default light colour-blind high-contrast mono' \
    -d 'colours: light, colour-blind, mono ...'
complete -c rbtop -l no-mouse \
    -d 'leave the mouse to the terminal, to select text'
complete -c rbtop -l ascii \
    -d 'draw with ASCII characters only'
complete -c rbtop -l readonly \
    -d 'refuse keys that change rings or events, or save'
complete -c rbtop -l config -rF \
    -d 'instead of ~/.config/rbtop/rbtoprc'
complete -c rbtop -l exclude-perf \
    -d 'rbtop\'s own hits are left out by default'
complete -c rbtop -s P -l period \
    -d 'samples always have their period'
complete -c rbtop -s R -l raw-samples \
    -d 'samples of tracepoints always have raw data'
complete -c rbtop -s T -l timestamp \
    -d 'samples always have their time'
complete -c rbtop -l sample-cpu \
    -d 'samples always have their CPU'
complete -c rbtop -l sample-identifier \
    -d 'samples always have the id of their event'
complete -c rbtop -l doctor \
    -d 'what the machine allows, and fixes for the rest'
complete -c rbtop -l sim -x -a '(__rbtop_sim (__rbtop_word))' \
    -d 'watch a simulated kernel, see below'
complete -c rbtop -s h -l help \
    -d 'print this'
complete -c rbtop -s V -l version \
    -d 'print version, libraries and features'
complete -c rbtop -n 'contains -- -- (commandline -opc)' \
    -xa '(__rbtop_command)'
