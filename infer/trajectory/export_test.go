package trajectory

// Certainly is what a mind does whose draws all are what is expected of them: what it does not master wholly it does not
// master, and of the places that it could mistake for the right one it takes the first.
func (s *Scene) Certainly(m Mind, place float64) (Path, bool) {
	p := &Profile{Place: place}
	e := s.episode(&m, p, luck{lapse: m.Noise > 0.5, heads: p.Chance > 0.5, lava: m.Lava < 1, ramp: m.Ramp < 1, platform: m.Platform < 1})
	return e.path(), e.success()
}

// Marks has the digest of every course of a walker up to every tick, and the path up to it.
func (s *Scene) Marks(w Walker) (marks []uint64, paths []Path) {
	c := s.Course(w)
	for t := range c.mark {
		marks, paths = append(marks, c.mark[t]), append(paths, trimmed(c.Path[:t+1]))
	}
	return marks, paths
}
