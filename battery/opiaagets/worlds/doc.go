// Package worlds generates the paradigms of O-PIAAGETS as grid worlds: three cups, a grid of holes, the chicks'
// occluders and basic controls, each with items that need object permanence and matched controls in which the reward
// is in sight when the actor may choose.
//
// In the suite itself an occluder, a time under occlusion and several positions occur together or not at all; time
// grows with distance, and the number of positions gives away the paradigm. Here a design varies each independently. The
// time does not depend on the distance because of a delay: once the reward is hidden, the actor is held for so long that
// delay and walk together take the time under occlusion of the design.
//
// An item is drawn, built and then measured, by geometry and by letting a full-information actor walk through it. An
// item is kept only if everything that was measured agrees with the design; rejected ones are counted by reason.
// docs/reference/worlds.md has a picture of every paradigm and the definition of every feature.
//
// Plans are in arena cells relative to the actor's start, which is (0, 0) and looks north: x to the east, y to the
// north. An arena cell stands for 2 × 2 units of the suite's arena. The reward never ends to the west of the start; an
// item with its reward on the left is built mirrored.
package worlds
