package viewer

import "achilles/render/canvas"

// A Pointer is where the pointer is and what it does, at one moment.
type Pointer struct {
	X, Y  float32
	Down  bool    // its button is held
	Wheel float32 // lines scrolled since the last moment, up positive
}

// Point does what the pointer does on the picture that the model drew last.
func (m Model) Point(s *canvas.Scene, p Pointer) Model {
	pressed := p.Down && !m.down
	if p.X == m.px && p.Y == m.py && p.Down == m.down && p.Wheel == 0 {
		return m
	}
	moved := p.X != m.px || p.Y != m.py
	m.px, m.py, m.down = p.X, p.Y, p.Down
	hit, _ := s.At(p.X, p.Y)
	if hit.ID != m.over {
		m.over = hit.ID
		m.Rev++
	}
	switch {
	case p.Wheel != 0:
		return m.wheel(p)
	case pressed:
		m.dragID = hit.ID
		return m.click(s, hit)
	case !p.Down:
		m.dragID = ""
	case moved:
		return m.drag(s)
	}
	if moved {
		m.probe = false
		return m.tell()
	}
	return m
}

// click does what a hit region is for. Outside of an open menu it only closes that.
func (m Model) click(s *canvas.Scene, h canvas.Hit) Model {
	a, ok := ParseAction(h.ID)
	if m.focus == OnMenu && a.Verb != Pick {
		m.focus = OnReplay
		m.Rev++
		return m
	}
	if m.focus == OnSearch {
		m.focus = OnReplay
	}
	if !ok {
		return m
	}
	switch a.Verb {
	case timeline, scrollTrack:
		return m.drag(s)
	}
	return m.Do(a)
}

// drag follows the pointer along the timeline or the scroll bar, also where it leaves them.
func (m Model) drag(s *canvas.Scene) Model {
	a := m.areas(s.W, s.H)
	switch m.dragID {
	case Action{timeline, 0}.String():
		track, _ := a.play.CutTop(50)
		if tick := m.tickAt(m.line(track), m.px); tick != m.Play.Tick || m.Play.Playing {
			return m.Do(Action{Seek, tick})
		}
	case Action{scrollTrack, 0}.String():
		share := min(max((m.py-a.scroll.Y0)/max(a.scroll.H(), 1), 0), 1)
		if i := int(share * float32(len(m.left)-1)); i != m.cursor {
			return m.goTo(i)
		}
	}
	return m
}

// wheel scrolls the list, or the ticks where the pointer is over the timeline.
func (m Model) wheel(p Pointer) Model {
	n := 1
	if p.Wheel > 0 {
		n = -1
	}
	switch a := m.areas(m.width, m.height); {
	case m.focus == OnMenu && n > 0:
		return m.Press("down")
	case m.focus == OnMenu:
		return m.Press("up")
	case a.play.Contains(p.X, p.Y):
		return m.Do(Action{Step, n})
	case a.rows.Contains(p.X, p.Y) || a.scroll.Contains(p.X, p.Y):
		m.top = max(min(m.top+3*n, len(m.left)-m.page()), 0)
		m.Rev++
	}
	return m
}

// tell asks the picture about the place under the pointer, or that of the probe.
func (m Model) tell() Model {
	said := ""
	if r := m.areas(m.width, m.height).stage.Inset(6); m.exhibit != nil {
		at := canvas.Point{X: m.px, Y: m.py}
		inside := r.Contains(at.X, at.Y) && m.focus == OnReplay
		if m.probe {
			at, inside = m.exhibit.Picture.Locate(r, m.cell, m.Play.Tick)
		}
		if inside {
			said = m.exhibit.Picture.Tell(r, at.X, at.Y, m.Play.Tick, m.Show)
		}
	}
	if said != m.told {
		m.told = said
		m.Rev++
	}
	return m
}

// moveProbe asks about the next cell in a direction: up, right, down, left.
func (m Model) moveProbe(direction int) Model {
	if m.exhibit == nil {
		return m
	}
	next := m.cell
	if m.probe {
		step := [4]Cell{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}[direction&3]
		next = Cell{next.X + step.X, next.Y + step.Y}
	}
	r := m.areas(m.width, m.height).stage.Inset(6)
	if _, ok := m.exhibit.Picture.Locate(r, next, m.Play.Tick); ok {
		m.cell = next
	}
	m.probe = true
	return m.tell()
}
