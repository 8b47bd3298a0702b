#!/usr/bin/env bash
# The longer statistical suites that fit into a continuous run: references from import to profile, simulation-based
# calibration, joint layouts against references and their calibration, bodies against the links of every layout that has
# bodies, coverage over sampled bodies and abilities, recovery of skills that a layout draws, verdicts on fresh seeds, on
# freshly drawn subjects and on learners; and a run in shards on a real Slurm.
# Every package has more behind -long: go test ./infer/nuts -long, and so on.
set -euo pipefail
cd "$(dirname "$0")/.."
go test ./render/cli -run 'TestStat|TestReadmeExcerpt' -long -timeout 25m
go test ./scenarios/generate -run 'TestBodiesPass.*AsTheLayoutSays|TestWorldsAgreeWithBodies' -long -timeout 15m
go test ./scenarios/score -run 'TestBodiesAreCovered' -long -timeout 25m
go test ./scenarios/score -run 'TestAbilityIsCovered/^algorithmic$' -long -timeout 25m
go test ./infer/joint -long -timeout 30m
go test ./scenarios/simulate -run 'TestSkillLayouts' -long -timeout 10m
go test ./infer/misfit -run "TestPower" -long -timeout 10m
go test ./scenarios/score -run 'TestVerdicts$|TestLearnersAreTold' -long -seeds 1 -timeout 40m
go test ./render/submit -run 'TestSlurm$' -long -timeout 20m
