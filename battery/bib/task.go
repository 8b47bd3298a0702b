package bib

import "slices"

// A Task is a kind of episode.
type Task string

// The evaluation tasks: each episode has an expected and an unexpected outcome.
const (
	Preference                  Task = "preference"                           // actors want objects, not places
	MultiAgent                  Task = "multi_agent"                          // a preference is that of one actor only
	InaccessibleGoal            Task = "inaccessible_goal"                    // an actor takes the other object if it cannot reach the preferred one
	EfficiencyPath              Task = "efficiency_path"                      // actors take the shortest path
	EfficiencyTime              Task = "efficiency_time"                      // actors take the least time
	EfficiencyIrrational        Task = "efficiency_irrational"                // actors that always made needless detours go on making them
	EfficiencyIrrationalControl Task = "efficiency_irrational_control"        // the same, with a new detour and a new bar
	InstrumentalNoBarrier       Task = "instrumental_no_barrier"              // actors do not fetch a key if there is no barrier
	InstrumentalInconsequential Task = "instrumental_inconsequential_barrier" // actors do not fetch a key if the barrier blocks nothing
	InstrumentalBlocking        Task = "instrumental_blocking_barrier"        // actors fetch the key if the barrier blocks the object
)

// ConstrainedPreference is a control of ours: what actors prefer shows where they can choose, not where they go most often.
const ConstrainedPreference Task = "constrained_preference"

// Tests of what an observer takes an actor to know, which the benchmark's authors name as an extension (Gandhi et al. 2021): covers hide
// two objects from the actor, not from the observer, and the objects may exchange their places.
const (
	FalseBelief   Task = "false_belief"   // an actor that was away goes where it saw the preferred object
	TrueBelief    Task = "true_belief"    // an actor that saw the exchange goes where the preferred object is
	UnseenReturn  Task = "unseen_return"  // the same place: while the actor is away the objects exchange their places twice
	IgnorantActor Task = "ignorant_actor" // an actor that saw covers only may go to either place, one that saw the objects goes to the preferred
)

// The background tasks, from which observers may learn: their episodes have only an expected outcome.
const (
	SingleObject         Task = "single_object"          // an actor goes to an object, far or near
	BackgroundPreference Task = "background_preference"  // an actor always goes to the same of two objects close by
	BackgroundMultiAgent Task = "background_multi_agent" // from some trial on, another actor goes to the object
	InstrumentalAction   Task = "instrumental_action"    // an actor inside a barrier fetches the key, opens the lock and goes to an object outside
)

// Evaluation returns the evaluation tasks in the order in which they are reported.
func Evaluation() []Task {
	return []Task{Preference, MultiAgent, InaccessibleGoal, EfficiencyPath, EfficiencyTime, EfficiencyIrrational,
		EfficiencyIrrationalControl, InstrumentalNoBarrier, InstrumentalInconsequential, InstrumentalBlocking}
}

// Controls returns further tasks of two outcomes, which no published benchmark has and no list of tasks has unless it names them.
func Controls() []Task { return []Task{ConstrainedPreference} }

// Beliefs returns the tasks of two outcomes in which an actor may not know where objects are. No list of tasks has them unless it names
// them.
func Beliefs() []Task { return []Task{FalseBelief, TrueBelief, UnseenReturn, IgnorantActor} }

// All returns all tasks, in the order of reports.
func All() []Task { return slices.Concat(Evaluation(), Controls(), Beliefs(), Background()) }

// Background returns the background tasks.
func Background() []Task {
	return []Task{SingleObject, BackgroundPreference, BackgroundMultiAgent, InstrumentalAction}
}

// Known reports whether t is a task.
func (t Task) Known() bool {
	return slices.Contains(All(), t)
}

// Paired reports whether the episodes of t have an unexpected outcome beside the expected one.
func (t Task) Paired() bool { return t.Known() && !slices.Contains(Background(), t) }

// Kinds returns the names under which observers are scored, in the order of reports: the evaluation tasks, the two
// types of pairs of multi_agent, two averages of the efficiency tasks, two averages of the instrumental tasks, the controls, and the tests of beliefs. The
// average named weighted is over episodes, the other over tasks.
func Kinds() []string {
	return []string{string(Preference), string(MultiAgent), "multi_agent_a", "multi_agent_b", string(InaccessibleGoal),
		string(EfficiencyPath), string(EfficiencyTime), string(EfficiencyIrrational), string(EfficiencyIrrationalControl), "efficiency", "efficiency_weighted",
		string(InstrumentalNoBarrier), string(InstrumentalInconsequential), string(InstrumentalBlocking), "instrumental", "instrumental_weighted",
		string(ConstrainedPreference), string(FalseBelief), string(TrueBelief), string(UnseenReturn), string(IgnorantActor)}
}
