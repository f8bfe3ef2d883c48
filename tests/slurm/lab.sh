#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A real Slurm with two simulated nodes of four simulated GPUs each, on this machine and for this process only. Source this file, then
# call lab_start; Slurm stops with the shell. Without Slurm or root the test is skipped (exit code 77). Perlmutter's job headers
# (-C gpu --gpus-per-node=4 --cpus-per-task=128) run unchanged. Without munge, cgroups and accounting.

lab_skip()
{
    echo "skipped: $1"
    exit 77
}

lab_free_port()
{
    local port
    while :; do
        port=$((20000 + RANDOM % 20000))
        # All three ports are free.
        if ! (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null && ! (: <"/dev/tcp/127.0.0.1/$((port + 1))") 2>/dev/null \
            && ! (: <"/dev/tcp/127.0.0.1/$((port + 2))") 2>/dev/null; then
            echo "$port"
            return
        fi
    done
}

# LAB_SETTINGS: more lines of slurm.conf.
lab_start()
{
    if ! command -v slurmctld >/dev/null || ! command -v slurmd >/dev/null; then
        lab_skip "slurmctld and slurmd are not installed (Debian: slurm-wlm)"
    fi
    [ "$(id -u)" = 0 ] || lab_skip "the test's Slurm needs root"
    LAB=$(mktemp -d)
    local host port gpu
    host=$(hostname -s)
    port=$(lab_free_port)
    mkdir -p "$LAB"/{state,log,run,dev,spool/n1,spool/n2,home}
    for gpu in 0 1 2 3; do : >"$LAB/dev/nvidia$gpu"; done
    echo "NodeName=n[1-2] Name=gpu Type=a100 File=$LAB/dev/nvidia[0-3]" >"$LAB/gres.conf"
    cat >"$LAB/slurm.conf" <<CONF
ClusterName=lab
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
StateSaveLocation=$LAB/state
SlurmdSpoolDir=$LAB/spool/%n
SlurmctldPidFile=$LAB/run/slurmctld.pid
SlurmdPidFile=$LAB/run/slurmd.%n.pid
SlurmctldLogFile=$LAB/log/slurmctld.log
SlurmdLogFile=$LAB/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0,sched_min_interval=0
GresTypes=gpu
SlurmdParameters=config_overrides
DefMemPerCPU=20
ReturnToService=2
MinJobAge=3600
NodeName=n[1-2] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + 2))] CPUs=128 Boards=1 SocketsPerBoard=1 CoresPerSocket=64 ThreadsPerCore=2 RealMemory=3000 Gres=gpu:a100:4 Feature=gpu,hbm40g State=UNKNOWN
PartitionName=debug Nodes=ALL Default=YES MaxTime=60 State=UP OverSubscribe=NO
CONF
    printf '%s\n' "${LAB_SETTINGS:-}" >>"$LAB/slurm.conf"
    export LAB SLURM_CONF=$LAB/slurm.conf
    trap lab_stop EXIT
    slurmctld -c
    slurmd -c -N n1
    slurmd -c -N n2
    local try
    for try in $(seq 100); do
        [ "$(sinfo -h -t idle -o %D)" = 2 ] && return
        sleep 0.1
    done
    tail -n 20 "$LAB"/log/*.log
    lab_skip "the test's Slurm does not start on this machine ($try tries)"
}

# Stops our own daemons, identified by their PID files.
lab_stop()
{
    local file try
    for file in "$LAB"/run/slurmd.n1.pid "$LAB"/run/slurmd.n2.pid "$LAB"/run/slurmctld.pid; do
        [ -s "$file" ] || continue
        local pid
        pid=$(cat "$file")
        kill "$pid" 2>/dev/null || continue
        for try in $(seq 50); do
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.1
        done
        [ "$try" -lt 50 ] || kill -9 "$pid" 2>/dev/null || true
    done
    rm -rf "$LAB"
}

# lab_wait JOB...: waits until all jobs have ended. A failing squeue does not mean that they ended. The limit is long, because a busy
# machine takes minutes for twenty jobs; the time limit of the test ends jobs that hang.
lab_wait()
{
    local try left
    for try in $(seq 6000); do
        if left=$(squeue -h -t pending,running,completing,configuring,requeued -o %i -j "$(IFS=, && echo "$*")"); then
            [ -z "$left" ] && return
        fi
        sleep 0.1
    done
    echo "the jobs $* have not ended ($try tries):"
    squeue
    return 1
}

# lab_requeue JOB: requeues a job and starts it immediately, without the two minutes that Slurm gives a node to recover.
lab_requeue()
{
    scontrol requeue "$1" && scontrol update JobId="$1" StartTime=now
}

# lab_show JOB [FILE...]: prints Slurm's data about a job and the end of the files, to diagnose a failed check.
lab_show()
{
    scontrol show job "$1"
    shift
    tail -n 20 "$LAB"/log/*.log "$@"
}

# lab_exit_code JOB: prints the exit code of the batch script ("3:0" is exit code 3, signal 0).
lab_exit_code()
{
    scontrol show job -o "$1" | sed -n 's/.* ExitCode=\([0-9]*\):.*/\1/p' | tail -n 1
}

failures=0
# check NAME COMMAND...: prints ok or FAILED, and continues.
check()
{
    local name=$1
    shift
    if "$@"; then
        echo "ok      $name"
    else
        echo "FAILED  $name"
        failures=$((failures + 1))
    fi
}
