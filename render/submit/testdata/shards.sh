#!/bin/bash
# The shards of a run. To send some of them again: sbatch --array=3,7-9 shards.sh
#SBATCH --job-name=op-burden
#SBATCH --array=0-19
#SBATCH --chdir="/home/a user"
#SBATCH --output="submit/op-burden/%A_%a.log"
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
stoppable achilles run op-burden --set 'doc='\''it'\''s "$HOME" & more'\''' --set 'note=a $$ b $(KUBERNETES_SERVICE_HOST)' --out results/many --shards 20
code=$?
if [ $code = 75 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 100 ]; then
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
fi
exit $code
