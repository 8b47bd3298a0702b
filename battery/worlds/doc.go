// Package worlds generates grid worlds in which a reward vanishes, and a subject that knows where it is may go there. A paradigm is one
// kind of task: one file, and its name in a list of suite.go. A Coding has several, and makes batteries of them:
//
//   - the paradigms of O-PIAAGETS: cups, a grid of holes, the chicks' occluders and basic controls. In the suite itself an occluder, a
//     time under occlusion and several positions occur together or not at all; time grows with distance, and the number of
//     positions gives away the paradigm. Here a design varies each independently;
//   - tasks of developmental psychology that tell object permanence from its imitations, of comparative psychology, and a radial maze. The
//     reward ends in one of several wells: holes that no actor can leave, and whose contents are seen from nowhere else. Tests ask for an
//     ability of their paradigm; congruent items look alike, but the mistake leads to the right place.
//
// In controls the reward is in sight when the actor may act. Once it is hidden, the actor is held for so long that delay and walk
// together take the time under occlusion of the design.
//
// An item is drawn, built and then measured: by geometry, by letting a full-information actor walk through it, and by actors that lack
// one ability each. A candidate that differs from the design in any measurement is drawn anew. docs/reference has pictures of all paradigms
// (worlds.md, permanence.md, comparative.md, radial.md).
//
// Plans are in cells relative to the actor's start, which is (0, 0) and looks north: x to the east, y to the north. A cell stands for
// 2 × 2 units of the suite's arena.
package worlds
