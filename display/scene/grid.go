package scene

// grid is a field of cells: columns to the right, six rows down.
type grid struct {
	name string
	box  Box
	cols int
}

const rows = 6

// gridIn fits a grid into b: as many columns as make the cells most nearly
// square, and at least so many.
func gridIn(name string, b Box, atLeast int) grid {
	cols := int(b.W()/(b.H()/rows) + 0.5)
	return grid{name, b, max(cols, atLeast, 1)}
}

// cell returns the cell of a column and row, its edges on whole pixels.
func (g grid) cell(col, r int) Box {
	c := g.box.column(col, g.cols)
	v := g.box.row(r, rows)
	return Box{c.X0, v.Y0, c.X1, v.Y1}
}

// size is the side of the largest square that fits every cell.
func (g grid) size() float32 {
	return max(1, min(float32(int(g.box.W()/float32(g.cols)+0.01)), float32(int(g.box.H()/rows+0.01))))
}

// field draws the empty grid, its edge half outside, so that the cells keep the
// whole of their box.
func (d *drawing) field(g grid) {
	t, thin := d.theme, d.px(1)
	out := g.box.inset(-d.px(1), -d.px(1))
	d.fill(g.name, out, d.px(8), t.Grid)
	col, row := g.name+".col", g.name+".row" // made once, not for every line
	for i := 1; i < g.cols; i++ {
		x := g.cell(i, 0).X0
		d.fill(col, Box{x - thin, g.box.Y0, x, g.box.Y1}, 0, t.GridLine)
	}
	for i := 1; i < rows; i++ {
		y := g.cell(0, i).Y0
		d.fill(row, Box{g.box.X0, y - thin, g.box.X1, y}, 0, t.GridLine)
	}
	d.outline(g.name+".edge", out, d.px(8), d.px(2), t.Border)
}

// window returns the first column shown of a road whose last column and newest
// mark's column are given: whole columns, always with the newest mark.
func (g grid) window(last, newest int) int {
	return min(max(0, last-g.cols+1), max(0, newest))
}
