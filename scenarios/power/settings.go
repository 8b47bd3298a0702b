package power

// Settings say what is compared. The tags are for package scenarios/setting.
type Settings struct {
	Items int    `setting:"items,flag" limits:"[1, 1000000]" doc:"how many items a subject takes (default: all)"` // 0: all
	Runs  int    `setting:"runs,flag" limits:"[0, 10000]" doc:"how many simulated runs of each subject are classified; 0: none"`
	Seed  uint64 `setting:"seed,flag" doc:"root seed of the draws (default: the scenario's own)"` // 0: the scenario's
}
