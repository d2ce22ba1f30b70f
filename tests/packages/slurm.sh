# Slurm on two nodes of one machine: the job scripts of gpufilter-workflows(7) run unchanged, and make each output once,
# whole, and equal to that of one machine. Nodes are killed. Needs slurmctld, slurmd, slurm-client and munge. Limits of
# memory are tested with version 1 of control groups alone.

# In a network and a process namespace of its own, nothing is left running, and no other Slurm is touched.
if [ -z "$GPUFILTER_IN_NAMESPACE" ]; then
    if ! why=$(unshare --net --uts --pid --fork --kill-child --mount-proc true 2>&1); then
        echo "1..0 # SKIP only root starts Slurm, and it needs namespaces: $why"
        exit 0
    fi
    GPUFILTER_IN_NAMESPACE=yes exec unshare --net --uts --pid --fork --kill-child --mount-proc sh "$0" "$@"
fi
. "$(dirname "$0")/../lib.sh"

PATH=$PATH:/usr/sbin:/sbin
for program in slurmctld slurmd sbatch munged ip bash; do
    command -v $program >program.path || skip_all "no $program here"
done
# Slurm looks up names only if there is an address besides 127.0.0.1.
ip link set lo up
ip address add 10.17.0.1/32 dev lo
hostname localhost

# ---- the cluster

mark=gf${scratch##*.}                            # the beginning of the names of nodes
groups=/sys/fs/cgroup/memory
limits=no
why=$(mkdir "$groups/$mark" 2>&1) && rmdir "$groups/$mark" && limits=yes

# Ends the cluster, and removes its control groups when their processes have ended.
end_cluster()
{
    kill -9 $(cat node1.pid node2.pid) $controller 2>/dev/null
    [ ! -f munge.pid ] || kill "$(cat munge.pid)"
    tries=0
    while [ $tries -lt 100 ] && ls -d "$groups/slurm_$mark"* >found 2>/dev/null; do
        find "$groups/slurm_$mark"* -depth -type d -exec rmdir {} + 2>/dev/null
        tries=$((tries + 1))
        sleep 0.1
    done
    rm -rf "$scratch"
}
trap end_cluster EXIT

mkdir state bin
ln -s /dev/null gpu0                             # Slurm requires devices, and opens none
ln -s /dev/null gpu1
# A job that is queued again waits for the seconds of cred_expire, at least 5.
cat >slurm.conf <<END
ClusterName=$mark
SlurmctldHost=localhost
AuthType=auth/munge
AuthInfo=socket=$PWD/munge.socket,cred_expire=5
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$PWD/state
SlurmdSpoolDir=$PWD/spool.%n
SlurmctldPidFile=$PWD/slurmctld.pid
SlurmdPidFile=$PWD/slurmd.%n.pid
SlurmctldLogFile=$PWD/slurmctld.log
SlurmdLogFile=$PWD/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=$([ $limits = yes ] && echo task/cgroup || echo task/none)
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
MpiDefault=none
ReturnToService=2
SlurmdTimeout=6
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,sched_min_interval=0
GresTypes=gpu
NodeName=${mark}n[1-2] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[17001-17002] CPUs=16 RealMemory=32768 Gres=gpu:2
PartitionName=all Nodes=ALL Default=YES State=UP LLN=YES
END
cat >cgroup.conf <<END
CgroupPlugin=cgroup/v1
CgroupAutomount=no
ConstrainRAMSpace=$limits
END
echo "Name=gpu File=$PWD/gpu[0-1]" >gres.conf
SLURM_CONF=$PWD/slurm.conf
export SLURM_CONF
unset CUDA_VISIBLE_DEVICES

# wait_for SECONDS COMMAND...: waits until the command succeeds; fails after the time.
wait_for()
{
    end=$(($(date +%s) + $1))
    shift
    until "$@"; do
        [ "$(date +%s)" -lt $end ] || return
        sleep 0.05
    done
}
# start_node N: a node is a process namespace, so that it dies as a whole.
start_node()
{
    unshare --pid --fork --kill-child --mount-proc sh -c 'slurmd -D -N "$1" & wait' - "${mark}n$1" >>node.log 2>&1 &
    echo $! >"node$1.pid"
}
is_idle() { [ "$(timeout 5 sinfo -h -N -o %t -n "${mark}n1,${mark}n2" 2>/dev/null | tr '\n' ' ')" = 'idle idle ' ]; }
is_empty() { [ -z "$(timeout 5 squeue -h -o %i 2>&1)" ]; }

head -c 1024 /dev/urandom >munge.key
chmod 600 munge.key
munged --force --key-file="$PWD/munge.key" --socket="$PWD/munge.socket" --pid-file="$PWD/munge.pid" \
    --log-file="$PWD/munge.log" --seed-file="$PWD/munge.seed" 2>errors
slurmctld -D >controller.log 2>&1 &
controller=$!
start_node 1
start_node 2
if ! wait_for 30 is_idle; then
    fail 'a cluster of two nodes starts'
    tail -n 20 errors controller.log slurmctld.log slurmd.*.log 2>&1 | note
    finish
fi
pass 'a cluster of two nodes starts'

# ---- the scripts of the manual

page=$tree/man/gpufilter-workflows.7.in
[ -f "$page" ] || page=$tree/man/gpufilter-workflows.7
${AWK:-awk} '
/^\.SH/ { name = $0; gsub(/[ "]|\.SH/, "", name); n = 0 }
/^\.EX/ { file = name "-" ++n; next }
/^\.EE/ { close(file); file = ""; next }
file != "" { gsub(/\\-/, "-"); gsub(/\\\(aq/, "\047"); gsub(/\\e/, "\\"); print >file }' "$page"
mv WITHSLURM-1 array.sh
mv WITHSLURM-2 tasks.sh
# There may be no GPU.
sed 's/--device all/--device auto/' SEVERALGPUSANDCLUSTERS-1 >gpus.sh

# The gpufilter of the jobs writes down the outputs as they are complete, and its GPUs.
cat >bin/gpufilter <<END
#!/bin/sh
log=$PWD/made/\$SLURM_JOB_ID.\$SLURM_PROCID.\${SLURM_RESTART_COUNT:-0}
echo "\${CUDA_VISIBLE_DEVICES-none}" >\$log.gpus
'$GPUFILTER' -v "\$@" 2>\$log
status=\$?
cat \$log >&2
exit \$status
END
chmod +x bin/gpufilter
PATH=$PWD/bin:$PATH
export PATH

mkdir -p archive/a archive/b
for i in 01 02 03 04 05 06 07 08 09 10 11 12; do
    image one.ppm 400 300 3 255 "1$i"
    gf -i one.ppm -o "archive/a/$i.png"
    image one.ppm 300 400 1 255 "2$i"
    gf -i one.ppm -o "archive/b/$i.png"
done
sh ./ANARCHIVEONSEVERALMACHINES-1
gf -q --files-from list.txt resize:80 -o 'expected/{dir}/{stem}.jpg'

# clear: before a job, there are no outputs and no logs.
clear() { rm -rf thumbs made slurm-*.out; mkdir made; }
# submit NAME STATUS ARGUMENTS...: submits a job and waits for its end; the highest status of its tasks is STATUS.
submit()
{
    name=$1 wanted=$2
    shift 2
    timeout 120 sbatch --wait "$@" >submitted 2>errors
    is "$name" "$?" "$wanted"
    job=$(awk '{ print $NF }' submitted)
}
# state_of JOB: prints state and exit status of each task, in order.
state_of()
{
    scontrol -o show job "$1" | sed 's/.*JobState=\([A-Z_]*\).* ExitCode=\([0-9:]*\).*/\1 \2/' | sort | uniq -c |
        awk '{ print $1 "x " $2 " " $3 }' | tr '\n' ';'
}
made() { cat made/*[0-9] 2>/dev/null | sed -n 's/.* -> \(thumbs.*jpg\)$/\1/p'; }
counts() { for log in made/*[0-9]; do grep -c -- '-> thumbs' "$log"; done | tr '\n' ' '; }
# is_whole NAME: each output is there once, nothing else is, and all are those of one machine.
is_whole()
{
    is "$1: each output was made once" "$(made | sort | uniq -c | awk '$1 == 1' | wc -l)" 24
    nothing "$1: the outputs are those of one machine" diff -r expected thumbs
}

clear
submit 'an array of eight shares ends with status 0' 0 array.sh
is 'each task of an array has status 0' "$(state_of "$job")" '8x COMPLETED 0:0;'
is 'each share of an array has three images' "$(counts)" '3 3 3 3 3 3 3 3 '
is_whole 'an array'
is 'both nodes of an array had work' \
    "$(scontrol -o show job "$job" | sed 's/.* NodeList=\([^ ]*\).*/\1/' | sort -u | wc -l)" 2
rm made/*
submit 'a second array ends with status 0' 0 array.sh
is 'a second array makes nothing' "$(made)" ''
rm thumbs/archive/a/03.jpg
submit 'one task of an array can run alone' 0 --array=3 array.sh
is 'one task makes the missing output of its share' "$(made)" 'thumbs/archive/a/03.jpg'

clear
submit 'four tasks of srun end with status 0' 0 tasks.sh
is 'each task of srun has six images' "$(counts)" '6 6 6 6 '
is_whole 'tasks of srun'

# ---- failures

clear
cp archive/b/05.png whole.png
head -c 3000 whole.png >archive/b/05.png
submit 'a damaged image gives an array status 1' 1 array.sh
is 'only the task of a damaged image fails' "$(state_of "$job")" '7x COMPLETED 0:0;1x FAILED 1:0;'
is 'its output names a damaged image' \
    "$(grep -l '^gpufilter: archive/b/05.png: ' slurm-*.out | sed 's/.*_\(.*\).out/\1/')" 1
is 'a damaged image has no output and all others have' "$(diff -r expected thumbs)" 'Only in expected/archive/b: 05.jpg'
cp whole.png archive/b/05.png
submit 'the task of a mended image succeeds' 0 --array=1 array.sh
is_whole 'a mended image'
submit 'an unknown stage gives a job status 2' 2 --wrap "gpufilter -i list.txt no-such-stage -o x.png"

is_almost_done() { [ "$(made | wc -l) $(squeue -h -r | wc -l)" = '23 1' ]; }
was_queued_again() { scontrol -o show job "$1" | grep -q 'Restarts=1'; }
# interrupt SCRIPT NAME COMMAND: runs the command while one image is read, of which only a part arrives, and all others
# are done. $job is the running job, $node the number of its node.
interrupt()
{
    script=$1 name=$2 command=$3
    clear
    mv archive/a/01.png whole.png
    mkfifo archive/a/01.png
    (head -c 9000 whole.png; exec sleep 300) >archive/a/01.png &
    feeder=$!
    all=$(sbatch --parsable "$script" 2>&1)
    wait_for 60 is_almost_done || { made; squeue; } | note
    job=$(squeue -h -t R -o %A) node=$(squeue -h -t R -o %N) node=${node#"${mark}n"}
    is "$name: one image is missing then" "$(diff -r expected thumbs)" 'Only in expected/archive/a: 01.jpg'
    $command
    wait_for 60 was_queued_again "$job"
    is "$name: the job is queued again" "$?" 0
    kill -9 $feeder 2>/dev/null
    mv whole.png archive/a/01.png
    wait_for 60 is_empty
    is "$name: the job ends then" "$? $(state_of "$all" | sed 's/^[0-9]*//')" '0 x COMPLETED 0:0;'
    is_whole "$name"
}
kill_node() { kill -9 "$(cat "node$node.pid")"; }
# restart_node: starts the killed node and waits for it.
restart_node()
{
    start_node "$node"
    wait_for 60 is_idle || { sinfo -N -l 2>&1 | note; }
}
queue_again() { scontrol requeue "$job"; }

interrupt array.sh 'an array whose node is killed' kill_node
restart_node
interrupt array.sh 'an array whose task is queued again by hand' queue_again
interrupt tasks.sh 'tasks of srun whose node is killed' kill_node
restart_node

# ---- what Slurm allows

clear
submit 'the script for GPUs ends with status 0' 0 gpus.sh
is_whole 'the script for GPUs'
is 'each gpufilter of the script sees its GPUs' "$(cat made/*.gpus | tr '\n' ' ')" '0,1 0,1 0,1 0,1 '
submit 'a job with one GPU ends with status 0' 0 --gpus-per-node=1 --wrap 'gpufilter -i one.ppm invert -o two.ppm'
is 'a job with one GPU sees one' "$(cat "made/$job".*.gpus)" 0
submit 'an empty list of GPUs means the CPU' 0 \
    --wrap 'CUDA_VISIBLE_DEVICES= gpufilter --explain -i one.ppm resize:80 >empty.txt'
is 'an empty list of GPUs arrives at the program' "$(cat "made/$job".*.gpus)" ''
is 'the plan without GPUs is for a CPU' "$(grep -c '^device: cpu' empty.txt)" 1
submit 'a GPU that must be there is an error without one' 1 \
    --wrap 'CUDA_VISIBLE_DEVICES= gpufilter --device cuda -i one.ppm resize:80 -o two.ppm'

if [ $limits = yes ]; then
    gf -q -i one.ppm gray resize:9000x9000 -o large.pgm
    gf -q -i large.pgm rotate:30 -o whole.pgm
    submit 'an image larger than the memory of a job is processed' 0 --mem=60M \
        --wrap 'gpufilter --explain -i large.pgm rotate:30 >plan.txt; gpufilter -i large.pgm rotate:30 -o turned.pgm'
    same whole.pgm turned.pgm 'a small job makes the bytes of one without a limit'
    gf --explain -i large.pgm rotate:30 >large.txt
    is 'the plan of a small job uses the disk' \
        "$(grep -c 'input to disk' plan.txt) $(grep -c 'input to memory' large.txt)" '1 1'
    submit 'a job fails that takes more memory than it has' 1 --mem=60M \
        --wrap 'exec gpufilter --memory 2G -i large.pgm rotate:30 -o turned.pgm'
    is 'a job that takes more memory than it has is out of memory' "$(state_of "$job")" '1x OUT_OF_MEMORY 0:125;'
else
    skip "memory of a job: version 1 of control groups cannot be changed here: $why"
fi
finish
