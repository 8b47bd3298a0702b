#!/bin/bash
# What follows when all shards are complete.
#SBATCH --job-name=op-burden-merge
#SBATCH --chdir="/home/a user"
#SBATCH --output="submit/op-burden/%j.log"
#SBATCH --open-mode=append
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --partition="short"
#SBATCH --time=60
#SBATCH --signal=B:TERM@60
#SBATCH --requeue
trap 'trap "" TERM; stopping=1; [ -z "$!" ] || kill -TERM $!' TERM
stoppable() {
  [ -z "$stopping" ] || return 75
  "$@" &
  wait $!
  code=$?
  if [ "$stopping" ]; then
    wait $!
    code=$?
    [ $code != 143 ] || code=75
  fi
  return $code
}
unset ACHILLES_SHARD
stoppable achilles merge results/many &&
stoppable achilles run op-burden --set 'doc='\''it'\''s "$HOME" & more'\''' --set 'note=a $$ b $(KUBERNETES_SERVICE_HOST)' --out results/many
code=$?
if [ $code = 75 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 100 ]; then
  scontrol requeue "$SLURM_JOB_ID"
fi
exit $code
