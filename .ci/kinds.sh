# Sourced by same.sh, elsewhere.sh and race.sh: a tiny run of each kind. Needs the program ./achilles in this folder.

# each FUNCTION calls FUNCTION for each kind. It finds there $kind, $scenario, ${set[@]} (settings of the scenario) and
# ${infer[@]} (those of the inference).
each() {
  local kind scenario set infer
  ./achilles scenarios show quickstart | awk '/^\[\[agent\]\]/ { n++ } n < 3' >two.toml # the first two of nine agents
  while IFS='|' read -r kind scenario set infer; do
    read -ra set <<<"$set"
    read -ra infer <<<"$infer"
    "$1"
  done <<'KINDS'
rules|two.toml|--set battery.sample=60|--layout op --candidates op --draws 100 --warmup 60
watched|bib|--set episodes=6|
bodies|embodied|--set battery.items=24 --set population[0].count=3|--layout embodied --draws 100 --warmup 60
drawn|2pl|--set battery.items=6 --set battery.subjects=8|--layout 2pl --draws 100 --warmup 50
KINDS
}

# quietly runs a command, and prints what it said if it fails.
quietly() { "$@" >said.txt 2>&1 || { cat said.txt >&2; echo "failed: $*" >&2; exit 1; }; }
