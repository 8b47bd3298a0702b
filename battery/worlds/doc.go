// Package worlds generates the tasks by which developmental psychology tells object permanence from its imitations:
// A not B, transposition and rotation of covers, invisible displacement, tubes, and tunnels with exits of unequal delay. It
// also generates tasks of comparative psychology: detours, apertures, sizes, numbers, and what, where and when, and a radial maze. These
// are its Codings. A paradigm is one file, and its name in a list of suite.go.
//
// The reward ends in one of several wells. Wells are holes that no actor can leave, and whose contents are seen from
// the rim only. In all paradigms of O-PIAAGETS going to where the reward was last seen would be right;
// here it is right in some only. Each paradigm tests one ability of its own, with three kinds of items:
//
//   - tests, which a subject without the ability fails;
//   - congruent items, which look alike, but in which the mistake leads to the right place (for tubes there are also items
//     free of gravity, in which the mistake is not made);
//   - controls, in which the reward is in sight when the actor may act.
//
// Which abilities an item asks for is measured on the built world: an actor with all abilities passes, one that lacks an
// ability that the item must ask for fails, and one that lacks only other abilities passes. A candidate that differs from
// the design in this or in any other measurement is drawn anew. docs/reference/permanence.md and
// docs/reference/comparative.md have pictures of all paradigms.
//
// Plans are in cells relative to the actor's start, which is (0, 0) and looks north: x to the east, y to the north.
package worlds
