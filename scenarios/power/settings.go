package power

// Settings say what is compared. The tags are for package scenarios/setting.
type Settings struct {
	Items int    `setting:"items,flag" limits:"[1, 1000000]" doc:"how many items a subject takes (default: all of a scenario, else 50)"` // 0: all
	Runs  int    `setting:"runs,flag" limits:"[0, 10000]" doc:"how many runs of each subject of a scenario are classified, 0: none; or how many subjects are simulated (then 40)"`
	Seed  uint64 `setting:"seed,flag" doc:"root seed of the draws (default: the scenario's own)"` // 0: the scenario's
}
