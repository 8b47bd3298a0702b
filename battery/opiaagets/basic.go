package opiaagets

import "fmt"

// This file has the basic controls: the reward is always in sight, and at most one obstacle is in the way.

// A reach is a level of the distance to the reward: its word in names, and its distance in the released table.
type reach struct {
	word     string
	distance float64
}

func reaches() []reach { return []reach{{"Long", 20}, {"Medium", 29}, {"Short", 20}} }

func basicSizes() []float64 { return []float64{0.5, 1, 2, 4} }

// eachStart calls visit for every pair of reward size and start heading (in degrees), in the order of the file names.
func eachStart(visit func(size, heading float64)) {
	for _, size := range basicSizes() {
		for _, heading := range []float64{0, 355, 5} {
			visit(size, heading)
		}
	}
}

// basics returns the 522 instances of basic controls. The files of O-PIAAGETS do not include them. The geometry of 162
// comes from the templates of the same names in the sister repository comparative-object-permanence; that of the others
// is unknown.
func basics() []instance {
	var out []instance
	for _, some := range [][]instance{
		lavas(), movings(), walls("OpaqueW", "Opaque"), ramps("RampDown"), ramps("RampUp"), sanities(),
		walls("TransparentW", "Transparent"), turnArounds(), turnings(),
	} {
		out = append(out, some...)
	}
	return out
}

// A basicCase is one basic control: the parts of its name, the values of the released table, and its scene, nil if
// unknown.
type basicCase struct {
	task, variant, paint, tag string
	size, heading             float64
	side                      side
	distance                  float64 // in the released table
	scene                     *scene
}

// basicScene returns the scene with the agent at the usual start of basic controls and the reward at the given place.
func basicScene(heading float64, reward place) *scene {
	s := at(place{20, 1}, reward)
	s.heading = heading
	return &s
}

// instance returns the instance in both codings. obstacle sets the features of the obstacle in rel, the released coding,
// and in cor, the corrected one. If the case has no scene, most values of cor are unknown.
func (c basicCase) instance(obstacle func(rel, cor *meta)) instance {
	m := meta{
		family: "basic", subsuite: "Basic", ability: "Navigation", size: c.size, distance: c.distance,
		side: float64(c.side), visible: 1, lastSeen: 1,
	}
	rel, cor := m, unseen(m)
	if c.scene != nil {
		cor = m
		cor.geometry = c.scene.geometry()
		cor.distance, cor.bounce = cor.finalManhattan, cor.moving
		cor.places, cor.steps, cor.rewardColour = 1, 500, "green"
		cor.mark, cor.blackoutFrom, cor.blackoutTo = unknown(), unknown(), unknown()
	}
	obstacle(&rel, &cor)
	name := fmt.Sprintf("OP-Controls-Basic-%s-%s-%s-%s-%s-%s.yml", c.task, c.variant, inName(c.size), c.paint, inName(c.heading), c.tag)
	return instance{name, "BasicControls", c.task, rel, cor}
}

// unseen returns the corrected coding of an instance whose file is not known. All that is known of it is that the
// reward is in sight.
func unseen(m meta) meta {
	u := unknown()
	m.size, m.distance, m.side, m.lava, m.ramp, m.platform = u, u, u, u, u, u
	m.transparent, m.lightsOut, m.bounce, m.occluderColour = u, u, u, colour{unknown: true}
	m.geometry = geometry{u, u, u, u, u, u}
	m.places, m.rampAny, m.frozen, m.blackoutFrom, m.blackoutTo, m.steps, m.mark = u, u, u, u, u, u, u
	return m
}

func nothing(_, _ *meta) {}

// lavas returns the controls with one or two strips of lava before the reward.
func lavas() []instance {
	var out []instance
	for _, r := range reaches() {
		for _, variant := range []string{"DoubleLeft", "DoubleRight", "Single"} {
			eachStart(func(size, heading float64) {
				c := basicCase{task: "Lava" + r.word, variant: variant, paint: "NA", tag: "Lava", size: size, heading: heading, distance: r.distance}
				if r.word == "Medium" && variant == "Single" {
					c.scene = basicScene(heading, place{20, 20})
				}
				slip := len(out)
				out = append(out, c.instance(func(rel, cor *meta) {
					rel.lava = 1
					slipOfLava(slip, rel)
					if c.scene != nil {
						cor.lava = 1
					}
				}))
			})
		}
	}
	return out
}

// slipOfLava repeats a mistake of the released table: in the first 28 rows of controls with lava, four unrelated columns
// have a pattern of period 14. i is the number of the row among these controls, from 0.
func slipOfLava(i int, m *meta) {
	if i >= 28 {
		return
	}
	k := i % 14
	m.bounce = is(k%2 == 0)
	m.transparent = is(k == 4 || k == 5)
	m.forced = is(k >= 6 && k < 10)
	m.lightsOut = is(i >= 14)
}

// movings returns the controls in which the reward rolls in from a side wall and crosses the agent's path; where it ends is
// unknown.
func movings() []instance {
	depth := map[string]float64{"Long": 30, "Medium": 20, "Short": 10}
	wall := map[side]float64{left: 3, right: 37}
	var out []instance
	for _, s := range sides() {
		for _, r := range reaches() {
			eachStart(func(size, heading float64) {
				sc := basicScene(heading, place{wall[s], depth[r.word]})
				sc.moving, sc.lost = true, true
				c := basicCase{task: "MovingGreen", variant: s.word() + r.word, paint: "NA", tag: "NA", size: size, heading: heading, side: s, distance: r.distance, scene: sc}
				out = append(out, c.instance(func(rel, _ *meta) { rel.bounce = 1 }))
			})
		}
	}
	return out
}

// walls returns the controls with a wall to go round: a low grey one (task OpaqueW) or a high clear one (TransparentW).
func walls(task, tag string) []instance {
	goal := map[string]place{"OpaqueW": {20, 30}, "TransparentW": {20, 27.5}}
	var out []instance
	for _, r := range reaches() {
		for _, variant := range []string{"Double", "Left", "Right", "Short"} {
			eachStart(func(size, heading float64) {
				c := basicCase{task: task + r.word, variant: variant, paint: "NA", tag: tag, size: size, heading: heading, distance: r.distance}
				if variant == "Left" || variant == "Right" {
					c.side = map[string]side{"Left": left, "Right": right}[variant]
				}
				if r.word == "Medium" && variant == "Short" {
					c.scene = basicScene(heading, goal[task])
				}
				if tag == "Opaque" {
					c.paint = grey().name
				}
				out = append(out, c.instance(func(rel, cor *meta) { c.wall(rel, cor) }))
			})
		}
	}
	return out
}

func (c basicCase) wall(rel, cor *meta) {
	known := c.scene != nil
	if c.tag == "Transparent" {
		rel.transparent = 1
		if known {
			cor.transparent = 1
		}
		return
	}
	rel.occluderColour = grey()
	if known {
		cor.occluderColour = grey()
	}
}

// ramps returns the controls with a ramp up to a platform where the reward lies, or down from one. The released table has
// lava instead of ramp and platform.
func ramps(task string) []instance {
	var out []instance
	for _, v := range []struct {
		word string
		side side
	}{{"Centre", middle}, {"Left", left}, {"Right", right}} {
		sc := at(place{20, 0}, place{20 + 5*float64(v.side), 19})
		if task == "RampDown" {
			sc = at(place{20, 37}, place{20 + 5*float64(v.side), 20}) // the distance of 17 is known, but not the places
			sc.heading = 180
		}
		c := basicCase{task: task, size: 5, side: v.side, distance: 20, scene: &sc}
		in := c.instance(func(rel, cor *meta) {
			rel.lava = 1
			cor.ramp, cor.rampAny, cor.platform = 1, 1, 1
		})
		in.name = fmt.Sprintf("OP-Controls-Basic-%s-G5-%s-NA-0-NA.yml", task, v.word)
		out = append(out, in)
	}
	return out
}

// sanities returns the controls with nothing in the way.
func sanities() []instance {
	depth := map[string]float64{"Long": 37.5, "Medium": 20, "Short": 10}
	var out []instance
	for _, r := range reaches() {
		for _, size := range basicSizes() {
			c := basicCase{task: "SanityGreen", variant: r.word, paint: "NA", tag: "NA", size: size, distance: r.distance, scene: basicScene(0, place{20, depth[r.word]})}
			out = append(out, c.instance(nothing))
		}
	}
	return out
}

// turnArounds returns the controls in which the agent starts with its back to the reward.
func turnArounds() []instance {
	var out []instance
	for _, size := range basicSizes() {
		for _, heading := range []float64{175, 180, 185} {
			c := basicCase{task: "TurnAround", variant: "Green", paint: "NA", tag: "NA", size: size, heading: heading, distance: 20, scene: basicScene(heading, place{20, 20})}
			out = append(out, c.instance(nothing))
		}
	}
	return out
}

// turnings returns the controls in which the reward lies to one side.
func turnings() []instance {
	var out []instance
	for _, s := range sides() {
		eachStart(func(size, heading float64) {
			c := basicCase{task: "TurningGreen", variant: s.word(), paint: "NA", tag: "NA", size: size, heading: heading, side: s, distance: 20, scene: basicScene(heading, place{20 + 10*float64(s), 20})}
			out = append(out, c.instance(nothing))
		})
	}
	return out
}
