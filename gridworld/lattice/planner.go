package lattice

// A Planner caches fields, so that none is computed twice from the same node of the same map. The zero Planner is ready
// for use. A Planner is for one goroutine at a time.
type Planner struct {
	known map[question]*Field
	used  []*Field
	spare []*Field
	lent  []*Map
	maps  []*Map
}

type question struct {
	m *Map
	p Point
}

// From returns the field of m with p as its only source. The field belongs to the planner and is valid until Reset. m
// must not change before that.
func (l *Planner) From(m *Map, p Point) *Field {
	if f, ok := l.known[question{m, p}]; ok {
		return f
	}
	f := l.Flood(m, Source{Point: p})
	if l.known == nil {
		l.known = map[question]*Field{}
	}
	l.known[question{m, p}] = f
	return f
}

// Flood returns a field of m with these sources. It belongs to the planner and is valid until Reset.
func (l *Planner) Flood(m *Map, sources ...Source) *Field {
	if len(l.spare) == 0 {
		l.spare = append(l.spare, new(Field))
	}
	n := len(l.spare) - 1
	f := l.spare[n]
	l.spare = l.spare[:n]
	f.Flood(m, sources...)
	l.used = append(l.used, f)
	return f
}

// Map returns a copy of m. It belongs to the planner and is valid until Reset.
func (l *Planner) Map(m *Map) *Map {
	if len(l.maps) == 0 {
		l.maps = append(l.maps, new(Map))
	}
	n := len(l.maps) - 1
	c := l.maps[n]
	l.maps = l.maps[:n]
	c.CopyFrom(m)
	l.lent = append(l.lent, c)
	return c
}

// Reset forgets every field and map and keeps their memory.
func (l *Planner) Reset() {
	clear(l.known)
	l.spare = append(l.spare, l.used...)
	l.used = l.used[:0]
	l.maps = append(l.maps, l.lent...)
	l.lent = l.lent[:0]
}
