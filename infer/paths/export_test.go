package paths

// Certainly is what a mind does whose draws all are what is expected of them: what it does not master wholly it does not
// master, and of the places that it could mistake for the right one it takes the first.
func (s *Scene) Certainly(m Mind, r Reading) (Path, bool) {
	p := &Profile{Reading: r}
	e := s.episode(&m, p, luck{lapse: m.Noise > 0.5, heads: p.Chance > 0.5, lava: m.Lava < 1, ramp: m.Ramp < 1, platform: m.Platform < 1})
	return e.path(), e.success()
}
