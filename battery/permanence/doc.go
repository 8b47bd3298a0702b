// Package permanence generates the tasks by which developmental psychology tells object permanence from its imitations:
// A not B, transposition and rotation of covers, invisible displacement, tubes, and tunnels with exits of unequal delay.
//
// The reward ends in one of some wells: holes of which one sees what lies in them from the rim only, and which nobody
// leaves. Whoever went to where it was last seen would be right in the paradigms of O-PIAAGETS (package worlds); here in
// some only. Each paradigm has an ability of its own, and three kinds of items:
//
//   - tests, which nobody passes who lacks the ability;
//   - congruent ones, that look alike and in which the mistake leads to the right place (and, of tubes, ones free of
//     gravity, in which it is not made);
//   - controls, in which the reward is in sight when the actor may act.
//
// What an item asks for is measured on the built world: an actor that has all abilities passes, one that lacks what the
// item is to ask for fails, and whoever lacks what it is not to ask for passes. A candidate of which that, or anything
// else that was measured, differs from the design is drawn anew. docs/reference/permanence.md has pictures of all paradigms.
//
// Plans are in cells relative to the actor's start, which is (0, 0) and looks north: x to the east, y to the north.
package permanence
