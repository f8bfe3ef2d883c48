#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# test_reduce.sh COLLSCOPE MAKE_RUN   collscope --batch slurm on a real Slurm: the array and its merge, a task that fails, a task
# that is requeued.
set -uo pipefail
collscope=$1
make_run=$2
failures=0
# shellcheck source-path=SCRIPTDIR source=lab.sh
source "$(dirname "${BASH_SOURCE[0]}")/lab.sh"
lab_start
cd "$LAB/home" || exit 1

mkdir run
"$make_run" planted 5 run 2>/dev/null
ranks=$(find run -name 'rank*_trace.json' | wc -l)
"$collscope" --batch run --csv single.csv >/dev/null || exit 1

# What Slurm runs: the program, or a task that fails as long as there is a file that says so.
cat >program <<PROGRAM
#!/bin/bash
[ "\$2" = reduce ] && [ -e "$LAB/home/fail\$SLURM_ARRAY_TASK_ID" ] && exit 7
exec "$collscope" "\$@"
PROGRAM
chmod +x program
export COLLSCOPE=$LAB/home/program

job_of()
{
    sed -n "s/^$1 //p" "$2"
}

submit() # OUT ARGUMENTS...: the array and its merge; their numbers are in OUT.jobs
{
    local out=$1
    shift
    "$collscope" --batch slurm run --tasks 3 --cpus 2 --time 00:05:00 --merge-time 00:05:00 -o "$out" "$@" >"$out.jobs"
}

submit all -- --csv "$LAB/home/all.csv" --output-json "$LAB/home/all.json"
lab_wait "$(job_of reduce all.jobs)" "$(job_of merge all.jobs)"
check "the array leaves three parts" [ "$(find all/parts -name '*.cspart' | wc -l)" = 3 ]
check "the merge ends well" [ "$(lab_exit_code "$(job_of merge all.jobs)")" = 0 ]
check "its numbers are those of one process" cmp all.csv single.csv
check "there is a log of each task" [ "$(find all/logs -name 'reduce-*.log' | wc -l)" = 3 ]

touch fail1
submit broken -- --csv "$LAB/home/broken.csv"
reduce=$(job_of reduce broken.jobs)
merge=$(job_of merge broken.jobs)
lab_wait "$reduce" "$merge"
check "a task fails" [ "$(find broken/parts -name '*.cspart' | wc -l)" = 2 ]
check "the merge runs all the same and says 3" [ "$(lab_exit_code "$merge")" = 3 ]
check "it names the task" grep -q "Task 1 of 3 has left no part" broken/logs/merge-*.log
check "and writes nothing" [ ! -e broken.csv ]

rm fail1
check "the task is requeued" lab_requeue "${reduce}_1"
lab_wait "$reduce"
parts=$(find broken/parts -name '*.cspart' | wc -l)
check "now its part is there" [ "$parts" = 3 ]
[ "$parts" = 3 ] || lab_show "${reduce}_1" broken/logs/*
merge=$(sbatch --parsable broken/merge.sbatch)
lab_wait "$merge"
check "the same merge again ends well" [ "$(lab_exit_code "$merge")" = 0 ]
check "with the numbers of one process" cmp broken.csv single.csv

before=$(cat broken/parts/*.cspart | md5sum)
check "a whole part is not made again" lab_requeue "${reduce}_0"
lab_wait "$reduce"
check "the parts are as before" [ "$(cat broken/parts/*.cspart | md5sum)" = "$before" ]
check "the log says so" grep -q "is there already" broken/logs/reduce-"${reduce}"_0.log

touch fail0
submit some --allow-missing
lab_wait "$(job_of reduce some.jobs)" "$(job_of merge some.jobs)"
check "--allow-missing merges what is there" [ "$(lab_exit_code "$(job_of merge some.jobs)")" = 0 ]
check "by default into report.json" [ -s some/report.json ]
check "and metrics.csv" [ -s some/metrics.csv ]

echo "$ranks ranks, $failures failures"
[ "$failures" = 0 ]
