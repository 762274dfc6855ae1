# Turns the private network that it is run in into a cluster with SLURM: $1 nodes, each behind a link
# of its own, and then waits for the end of standard input. Without this process, the kernel ends all
# others and removes all files: they are in the private /run.
nodes=$1
folder=/run/slurm
export SLURM_CONF=$folder/slurm.conf
mkdir -p $folder/state $folder/log $folder/munge
chmod 755 $folder $folder/munge

fail() { echo "slurm: $1" >&2; cat $folder/log/* >&2; exit 69; }

# A node has its own name, processes, shared memory and System V IPC, as hosts do.
# $1 namespace of the network, $2 name; then the command.
on_host() {
  net=$1 name=$2; shift 2
  nsenter --net=/run/netns/$net unshare --uts --ipc --mount --pid --fork --kill-child --mount-proc \
    sh -c 'hostname $0; mount -t tmpfs tmpfs /dev/shm; mount -t sysfs sysfs /sys; exec "$@"' "$name" "$@"
}

(umask 077; head -c 1024 /dev/urandom > $folder/munge/key)
munged --force --key-file=$folder/munge/key --socket=$folder/munge/socket --seed-file=$folder/munge/seed \
  --pid-file=$folder/munge/pid --log-file=$folder/log/munged 2> $folder/log/start || fail "munged does not start"

# Processes are found by their parents, not by control groups, which containers do not give.
cat > $folder/cgroup.conf <<END
CgroupPlugin=cgroup/v1
CgroupMountpoint=$folder/cgroup
END
cat > $SLURM_CONF <<END
ClusterName=lapwing
SlurmctldHost=login(10.77.0.254)
SlurmUser=root
AuthInfo=socket=$folder/munge/socket
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/%n
TmpFS=$folder/%n/tmp
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/%n.pid
SlurmctldLogFile=$folder/log/slurmctld
SlurmdLogFile=$folder/log/%n
MailProg=/bin/true
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_min_interval=0,batch_sched_delay=0,bf_interval=1
SlurmdParameters=config_overrides
MpiDefault=pmix
KillWait=2
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
i=0
while [ $i -lt "$nodes" ]; do
  echo "NodeName=node$i NodeAddr=10.77.0.$((i + 1)) CPUs=4" >> $SLURM_CONF
  i=$((i + 1))
done

on_host pnsw login slurmctld -D -c 2>> $folder/log/start &
i=0
while [ $i -lt "$nodes" ]; do
  mkdir -p $folder/node$i/tmp
  TMPDIR=$folder/node$i/tmp on_host pn$i node$i \
    chrt -r 2 taskset -c $((i % $(nproc))) slurmd -D -N node$i 2>> $folder/log/start &
  i=$((i + 1))
done

hostname login
tries=0
until [ "$(sinfo --noheader --Node --format %T 2> /dev/null | grep -cx idle)" = "$nodes" ]; do
  tries=$((tries + 1))
  [ $tries -lt 100 ] || fail "the nodes are not idle after 20 s"
  sleep 0.2
done
echo ready
cat > /dev/null
