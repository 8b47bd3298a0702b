package gridworld

// Sees says whether one can see from one of the two cells what lies in the other. It is symmetric: Sees(a, b) is
// Sees(b, a). It is false if a cell is outside the world. The rules:
//
//   - The straight line between the centres of the cells must be free. It is blocked by a cell whose interior it
//     crosses and whose top is more than one height above the higher of the two ends, and where it passes exactly
//     through a corner at which two such cells meet diagonally. The cells at the ends never block: one sees a wall.
//   - What lies in a deep hole is seen from that cell only, and sees nothing else. So who looks into holes before it chooses one learns nothing.
func (l *layout) Sees(a, b Pos) bool {
	if !l.Inside(a) || !l.Inside(b) {
		return false
	}
	if l.planes[planeDeep].Has(a) || l.planes[planeDeep].Has(b) {
		return a == b
	}
	return free(&l.planes[planeOpaque+l.eye(a, b)], b, a) // most often an actor at a looks at a place, which has walls beside it
}

// eye returns the height from which the cells that are too high for a line of sight between a and b are seen.
func (l *layout) eye(a, b Pos) int {
	if l.ready().level {
		return 0
	}
	return max(l.heightAt(a), l.heightAt(b))
}

func (l *layout) heightAt(p Pos) int {
	x, y := uint(p.X)&63, p.Y&63
	return int(l.planes[planeLow][y]>>x&1 | l.planes[planeHigh][y]>>x&1<<1)
}

// free says whether no cell of screen is between a and b, as Sees defines it. It visits the rows from a to b, and ends at the first that
// blocks: the line crosses one run of columns in each, which one mask tests.
//
// With dx columns and dy rows between the ends, the line crosses the border between rows j and j+1, counted from a, at column
// (dx + 2j·dx + dy) / (2·dy), counted from the near side of a; an integer there is a corner.
func free(screen *Board, a, b Pos) bool {
	dx, dy, east, north := b.X-a.X, b.Y-a.Y, true, 1
	if dx < 0 {
		dx, east = -dx, false
	}
	if dy < 0 {
		dy, north = -dy, -1
	}
	if dy == 0 {
		return dx < 2 || clearRun(screen[a.Y&63], a.X, east, 1, dx-1)
	}
	step, rest := dx/dy, 2*(dx%dy) // columns per row: whole ones, and the rest in units of 1/(2·dy)
	column := (step + 1) / 2
	part := dx + dy - column*2*dy
	first := 1 // the cell at a does not block
	for y := a.Y; y != b.Y; y += north {
		last := column
		if part == 0 { // a corner: the next row begins where this one ends
			last--
			if corner(screen, a.X, y, north, column, east) {
				return false
			}
		}
		if last >= first && !clearRun(screen[y&63], a.X, east, first, last) {
			return false
		}
		first = column
		column += step
		if part += rest; part >= 2*dy {
			part -= 2 * dy
			column++
		}
	}
	return first > dx-1 || clearRun(screen[b.Y&63], a.X, east, first, dx-1) // the cell at b does not block either
}

// clearRun says whether columns of a row are clear: the first … last, counted from x to the east, or to the west if
// east is false.
func clearRun(row uint64, x int, east bool, first, last int) bool {
	low := x + first
	if !east {
		low = x - last
	}
	return row>>(uint(low)&63)&(1<<uint(last-first+1)-1) == 0
}

// corner says whether both cells beside a corner between row y and the next one to the north (1) or south (−1) block: the one at `column`
// in row y, and the one before it in the next row.
func corner(screen *Board, x, y, north, column int, east bool) bool {
	here, before := x+column, x+column-1
	if !east {
		here, before = x-column, x-column+1
	}
	return screen[y&63]>>(uint(here)&63)&1 != 0 && screen[(y+north)&63]>>(uint(before)&63)&1 != 0
}
