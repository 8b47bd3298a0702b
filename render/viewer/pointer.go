package viewer

import (
	"achilles/gridworld"
	"achilles/render/canvas"
)

// Point handles the pointer. dst is the canvas that the model drew last.
func (m model) Point(dst *canvas.Canvas, in canvas.Input) model {
	pressed := in.Down && !m.down
	moved := in.X != m.px || in.Y != m.py
	if !moved && in.Down == m.down && in.Wheel == 0 {
		return m
	}
	m.px, m.py, m.down = in.X, in.Y, in.Down
	hit, _ := dst.At(in.X, in.Y)
	if hit.ID != m.over {
		m.over = hit.ID
		m.Rev++
	}
	switch {
	case in.Wheel != 0:
		return m.wheel(in)
	case pressed:
		m.dragged = hit.ID
		return m.click(dst, hit)
	case !in.Down:
		m.dragged = ""
	case moved:
		return m.drag(dst)
	}
	if moved {
		m.probe = false
		return m.describe()
	}
	return m
}

// click performs the action of a hit region. If a menu is open, a click outside it only closes it.
func (m model) click(dst *canvas.Canvas, h canvas.Hit) model {
	a, ok := parseAction(h.ID)
	if m.focus == onMenu && a.verb != pick {
		m.focus = onReplay
		m.Rev++
		return m
	}
	if m.focus == onSearch {
		m.focus = onReplay
	}
	if !ok {
		return m
	}
	switch a.verb {
	case timeline, scrollTrack:
		return m.drag(dst)
	}
	return m.do(a)
}

// drag goes to the tick or the row at the pointer if the button was pressed on the timeline or on the scroll bar. The
// pointer may since have left the timeline or bar.
func (m model) drag(dst *canvas.Canvas) model {
	a := m.areas(dst.W, dst.H)
	switch m.dragged {
	case action{timeline, 0}.String():
		if m.episode == nil {
			return m
		}
		if tick := m.timeline(a.timeline).Tick(m.px); tick != m.Play.Tick || m.Play.Playing {
			return m.do(action{seek, tick})
		}
	case action{scrollTrack, 0}.String():
		share := min(max((m.py-a.scroll.Y0)/max(a.scroll.H(), 1), 0), 1)
		if i := int(share * float32(len(m.rows)-1)); i != m.cursor {
			return m.do(action{goTo, i})
		}
	}
	return m
}

// wheel scrolls the menu, the list or the panel, or steps through ticks if the pointer is over the timeline or the controls.
func (m model) wheel(in canvas.Input) model {
	n := 1
	if in.Wheel > 0 {
		n = -1
	}
	switch a := m.areas(m.width, m.height); {
	case m.focus == onMenu && n > 0:
		return m.Press("down")
	case m.focus == onMenu:
		return m.Press("up")
	case a.timeline.Contains(in.X, in.Y) || a.controls.Contains(in.X, in.Y):
		return m.do(action{step, n})
	case a.side.Contains(in.X, in.Y):
		return m.scrollPanel(scrollStep / 3 * float32(n))
	case a.rows.Contains(in.X, in.Y) || a.scroll.Contains(in.X, in.Y):
		m.selection = m.scroll(3*n, m.page(m.library))
		m.Rev++
	}
	return m
}

// describe updates the description of what the picture shows under the pointer, or at the cell of the probe.
func (m model) describe() model {
	text := ""
	if m.episode != nil {
		a := m.areas(m.width, m.height)
		r := a.inner
		at := canvas.Point{X: m.px, Y: m.py}
		inside := r.Contains(at.X, at.Y) && m.focus == onReplay && !m.tabular() && !m.overviewed()
		if m.probe {
			at, inside = m.moment().CellCentre(r, m.cell)
		}
		if inside {
			text = m.moment().Describe(r, at.X, at.Y)
		}
	}
	if text != m.description {
		m.description = text
		m.Rev++
	}
	return m
}

// moveProbe moves the probe by one cell: 0 up, 1 right, 2 down, 3 left. If the probe is not shown yet, moveProbe shows
// it and does not move it.
func (m model) moveProbe(direction int) model {
	if m.episode == nil {
		return m
	}
	next := m.cell
	if m.probe {
		next = next.Add([4]gridworld.Dir{gridworld.North, gridworld.East, gridworld.South, gridworld.West}[direction&3])
	}
	a := m.areas(m.width, m.height)
	if _, ok := m.moment().CellCentre(a.inner, next); ok {
		m.cell = next
	}
	m.probe = true
	return m.describe()
}
