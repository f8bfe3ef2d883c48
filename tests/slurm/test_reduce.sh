#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# test_reduce.sh COLLSCOPE MAKE_RUN   tests collscope --batch slurm on a real Slurm: the array and its merge, a failing task, a requeued
# task, more tasks than an array may have, a second try.
set -uo pipefail
collscope=$1
make_run=$2
failures=0
# shellcheck source-path=SCRIPTDIR source=lab.sh
source "$(dirname "${BASH_SOURCE[0]}")/lab.sh"
export LAB_SETTINGS=MaxArraySize=4
lab_start
cd "$LAB/home" || exit 1

mkdir run
"$make_run" planted 5 run 2>/dev/null
ranks=$(find run -name 'rank*_trace.json' | wc -l)
"$collscope" --batch run --csv single.csv >/dev/null || exit 1

# The command that Slurm runs: the program, or a failing task as long as the file fail<task> exists.
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

submit() # OUT ARGUMENTS...: submits the array and its merge; writes their job numbers to OUT.jobs
{
    local out=$1
    shift
    "$collscope" --batch slurm run --tasks 3 --cpus 2 --time 00:05:00 --merge-time 00:05:00 -o "$out" "$@" >"$out.jobs"
}

submit all -- --csv "$LAB/home/all.csv" --output-json "$LAB/home/all.json"
lab_wait "$(job_of reduce all.jobs)" "$(job_of merge all.jobs)"
check "the array writes three parts" [ "$(find all/parts -name '*.cspart' | wc -l)" = 3 ]
check "the merge succeeds" [ "$(lab_exit_code "$(job_of merge all.jobs)")" = 0 ]
check "its numbers equal those of one process" cmp all.csv single.csv
check "each task has a log" [ "$(find all/logs -name 'reduce-*.log' | wc -l)" = 3 ]

touch fail1
submit broken -- --csv "$LAB/home/broken.csv"
reduce=$(job_of reduce broken.jobs)
merge=$(job_of merge broken.jobs)
lab_wait "$reduce" "$merge"
check "a task fails" [ "$(find broken/parts -name '*.cspart' | wc -l)" = 2 ]
check "the merge still runs and exits with 3" [ "$(lab_exit_code "$merge")" = 3 ]
check "it names the task" grep -q "Task 1 of 3 produced no part" broken/logs/merge-*.log
check "it writes no output" [ ! -e broken.csv ]

rm fail1
check "the task is requeued" lab_requeue "${reduce}_1"
lab_wait "$reduce"
parts=$(find broken/parts -name '*.cspart' | wc -l)
check "its part then exists" [ "$parts" = 3 ]
[ "$parts" = 3 ] || lab_show "${reduce}_1" broken/logs/*
merge=$(sbatch --parsable broken/merge.sbatch)
lab_wait "$merge"
check "repeating the merge succeeds" [ "$(lab_exit_code "$merge")" = 0 ]
check "the numbers equal those of one process" cmp broken.csv single.csv

before=$(cat broken/parts/*.cspart | md5sum)
check "a task with a complete part is requeued" lab_requeue "${reduce}_0"
lab_wait "$reduce"
check "the parts are unchanged" [ "$(cat broken/parts/*.cspart | md5sum)" = "$before" ]
check "the log reports the existing part" grep -q "already exists" broken/logs/reduce-"${reduce}"_0.log

touch fail0
submit some --allow-missing
lab_wait "$(job_of reduce some.jobs)" "$(job_of merge some.jobs)"
check "--allow-missing merges the available parts" [ "$(lab_exit_code "$(job_of merge some.jobs)")" = 0 ]
check "the merge writes report.json by default" [ -s some/report.json ]
check "the merge writes metrics.csv by default" [ -s some/metrics.csv ]

rm fail0
"$collscope" --batch run --metric avg_step_time,straggler --csv two.csv >/dev/null || exit 1
touch fail2
submit sums --keep summary -- --metric avg_step_time,straggler --csv "$LAB/home/sums.csv"
reduce=$(job_of reduce sums.jobs)
lab_wait "$reduce" "$(job_of merge sums.jobs)"
check "summaries without a task are not merged" [ "$(lab_exit_code "$(job_of merge sums.jobs)")" = 3 ]
rm fail2
check "the task of summaries is requeued" lab_requeue "${reduce}_2"
lab_wait "$reduce"
merge=$(sbatch --parsable sums/merge.sbatch)
lab_wait "$merge"
check "the numbers of summaries equal those of one process" cmp sums.csv two.csv

# Arrays of this Slurm have at most four tasks.
collect() # OUT TASKS ARGUMENTS...: like submit, with TASKS tasks; stderr in OUT.said
{
    local out=$1 tasks=$2
    shift 2
    "$collscope" --batch slurm run --tasks "$tasks" --cpus 2 --time 00:05:00 --merge-time 00:05:00 -o "$out" "$@" >"$out.jobs" 2>"$out.said"
}
mapfile_jobs() # OUT: all job numbers of OUT.jobs
{
    mapfile -t jobs < <(cut -d' ' -f2 "$1.jobs")
}
collect nine 9 -- --csv "$LAB/home/nine.csv"
check "nine tasks are three arrays" [ "$(grep -c ^reduce nine.jobs)" = 3 ]
check "the split is told" grep -q "9 tasks are 3 arrays" nine.said
mapfile_jobs nine
lab_wait "${jobs[@]}"
check "they write nine parts" [ "$(find nine/parts -name '*.cspart' | wc -l)" = 9 ]
check "the merge waits for all arrays and succeeds" [ "$(lab_exit_code "$(job_of merge nine.jobs)")" = 0 ]
check "the numbers of nine tasks equal those of one process" cmp nine.csv single.csv
collect few 9 --running 1 --dry-run
check "--running lets the arrays wait for each other" grep -q -- "--dependency=afterany:<job2> .*reduce-3.sbatch" few.jobs
check "the merge waits for all" grep -q -- "--dependency=afterany:<job1>:<job2>:<job3> .*merge.sbatch" few.jobs
collect four 4 --dry-run
check "four tasks are one array" [ "$(grep -c reduce four.jobs)" = 1 ]

mkdir bin
printf '#!/bin/sh\necho "no such account" >&2\nexit 1\n' >bin/sbatch
chmod +x bin/sbatch
PATH=$PWD/bin:$PATH collect retry 3 -- --csv "$LAB/home/retry.csv"
check "a submission fails" [ $? = 3 ]
check "the reason is told" grep -q "no such account" retry.said
collect retry 3 -- --csv "$LAB/home/retry.csv"
check "the same command goes on in its folder" [ $? = 0 ]
mapfile_jobs retry
lab_wait "${jobs[@]}"
check "its numbers equal those of one process" cmp retry.csv single.csv
collect retry 3 -- --csv "$LAB/home/retry.csv"
check "a third time is refused" [ $? = 4 ]
check "because jobs were submitted" grep -q "jobs.txt lists jobs that were submitted" retry.said
collect all 2
check "other jobs are refused" [ $? = 4 ]

echo "$ranks ranks, $failures failures"
[ "$failures" = 0 ]
