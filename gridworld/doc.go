// Package gridworld is the world of every task: cells, an actor, things to find, a schedule of events, and what can be
// seen. It is pure: no randomness, no input or output, no clock. The same actions always give the same states.
//
// # Coordinates
//
// Column x grows to the east and row y to the north; (0, 0) is the south-west cell. Pictures have north at the top. A
// world has at most MaxSide columns and rows: every set of cells is a Board, with one 64-bit word per row.
//
// # Time
//
// Tick t is the state after t steps. A window [From, To) of darkness or in which the actor is frozen holds at ticks
// From ≤ t < To; a cue of tick t is part of the state at tick t.
//
// # One step
//
// World.Step resolves one tick in this order, and nothing else happens:
//
//  1. the clock advances;
//  2. the script: the cues of the new tick, in their order;
//  3. the actor: its intent, unless it was frozen at the tick at which it decided;
//  4. the ground: lava kills, a hole traps (it has no exit);
//  5. contact: key, then lock, then rewards and shapes by index;
//  6. the end: death, a final thing reached, or the tick limit.
//
// Step accepts any action: one that is unknown, illegal in the world's mode of movement, or blocked becomes an Event.
//
// # Ground
//
// A cell has a height. An actor steps level or down, never up: it can step off the edge of a platform, but not back. A
// ramp joins a height to the next one. It is entered and left along its slope, except that equal ramps side by side
// form one slope. A diagonal step needs both ways round the corner to be walkable, so that no corner is ever cut.
//
// # Sight
//
// World.Sees is a symmetric relation between cells: the straight line between their centres must not cross a cell
// that stands too high for both ends (see Sees). World.View adds what belongs to the viewer: field of view, acuity,
// darkness.
//
// docs/reference/gridworld.md has the text form and examples. A World is for one goroutine at a time, even for methods
// that only read, except that Clone and CopyFrom only read their source.
package gridworld
