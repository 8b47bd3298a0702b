package bib

import "slices"

// A Task is a kind of episode.
type Task string

// The evaluation tasks: each episode has an expected and an unexpected outcome.
const (
	Preference                  Task = "preference"                           // actors want objects, not places
	MultiAgent                  Task = "multi_agent"                          // a preference belongs to one actor
	InaccessibleGoal            Task = "inaccessible_goal"                    // who cannot have the one may take the other
	EfficiencyPath              Task = "efficiency_path"                      // actors waste no way …
	EfficiencyTime              Task = "efficiency_time"                      // … nor time …
	EfficiencyIrrational        Task = "efficiency_irrational"                // … unless they always have
	EfficiencyIrrationalControl Task = "efficiency_irrational_control"        // the same where neither familiarisation resembles the test
	InstrumentalNoBarrier       Task = "instrumental_no_barrier"              // nobody fetches a key without a barrier …
	InstrumentalInconsequential Task = "instrumental_inconsequential_barrier" // … nor for one that bars nothing …
	InstrumentalBlocking        Task = "instrumental_blocking_barrier"        // … but for one that bars the goal
)

// The background tasks, from which observers may learn: all their episodes are as expected.
const (
	SingleObject         Task = "single_object"         // an actor goes to an object, far or near
	BackgroundPreference Task = "background_preference" // it goes consistently to one of two objects close by
	BackgroundMultiAgent Task = "background_multi_agent"
	InstrumentalAction   Task = "instrumental_action" // it lets itself out of a barrier
)

// Evaluation returns the evaluation tasks in the order in which they are reported.
func Evaluation() []Task {
	return []Task{Preference, MultiAgent, InaccessibleGoal, EfficiencyPath, EfficiencyTime, EfficiencyIrrational,
		EfficiencyIrrationalControl, InstrumentalNoBarrier, InstrumentalInconsequential, InstrumentalBlocking}
}

// Background returns the background tasks.
func Background() []Task {
	return []Task{SingleObject, BackgroundPreference, BackgroundMultiAgent, InstrumentalAction}
}

// Known says whether t is a task.
func (t Task) Known() bool {
	return slices.Contains(Evaluation(), t) || slices.Contains(Background(), t)
}

// Paired says whether the episodes of t have an unexpected outcome beside the expected one.
func (t Task) Paired() bool { return slices.Contains(Evaluation(), t) }

// Kinds returns the names under which observers are scored, in the order in which they are reported: the evaluation
// tasks, the two types of pairs of multi_agent apart, and the two averages of the literature over the efficiency and the
// instrumental tasks, of which the weighted one is over episodes.
func Kinds() []string {
	return []string{string(Preference), string(MultiAgent), "multi_agent_a", "multi_agent_b", string(InaccessibleGoal),
		string(EfficiencyPath), string(EfficiencyTime), string(EfficiencyIrrational), string(EfficiencyIrrationalControl), "efficiency", "efficiency_weighted",
		string(InstrumentalNoBarrier), string(InstrumentalInconsequential), string(InstrumentalBlocking), "instrumental", "instrumental_weighted"}
}
