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
unset ACHILLES_SHARD
achilles merge results/many || exit
trap 'trap "" TERM; stopping=1; kill -TERM $!' TERM
achilles run op-burden --set 'doc='\''it'\''s "$HOME" & more'\''' --set 'note=a $$ b $(KUBERNETES_SERVICE_HOST)' --out results/many &
wait $!
code=$?
if [ "$stopping" ]; then
  wait $!
  code=$?
fi
if [ $code = 75 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 100 ]; then
  scontrol requeue "$SLURM_JOB_ID"
fi
exit $code
