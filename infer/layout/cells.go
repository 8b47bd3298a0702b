package layout

import (
	"fmt"
	"slices"
	"sort"

	"achilles/infer/loglik"
	"achilles/sim/expr"
	"achilles/sim/num"
	"achilles/sim/record"
)

// Cells are responses of subjects to items, whose likelihood is compiled in blocks of subjects.
type Cells struct {
	joint  *Joint
	blocks []cellBlock
	at     []cellAt // response that the layout explains → where it is
	used   []int    // response that the layout explains → its index among the responses given to Cells
	given  []record.Response
	means  [][]float64

	last  *cellRows         // rows of the last block
	check *loglik.Workspace // of the plan of the last block
}

// A cellBlock has the responses of a few subjects. Its plan has one row for each pair of a subject and a row of the items or, where
// responses say of how many trials they count the successes, for each subject, row of the items and number of trials.
type cellBlock struct {
	frame     frame
	plan      *loglik.Plan
	responses []boundResponse
	obs       [][]loglik.Observation
	inputs    []float64 // of the plan
}

// A cellAt says where a response is.
type cellAt struct {
	block, measure, row int32
	value               float64
}

// blockRows is the number of rows at which a block of subjects ends. The arrays of a block then fit into a processor's cache,
// and many processors can share the blocks.
const blockRows = 4096

// NewCells compiles the likelihood of responses, which must be sorted by subject. It leaves out responses without a score,
// and those of measures that the layout does not explain. means are from Joint.Means. It returns an error for a value that
// the family of its measure cannot have, and for a count that does not say its number of trials although the layout leaves it to
// the responses. The cells keep the slices.
func (j *Joint) NewCells(responses []record.Response, means [][]float64) (*Cells, error) {
	c := &Cells{joint: j, given: responses, means: means}
	explained := map[uint8]int{}
	for m, r := range j.layout.Responses {
		bound, err := r.bind(j.measures)
		if err != nil {
			return nil, err
		}
		explained[uint8(bound.measure)] = m
	}
	b := &cellRows{}
	for i, x := range responses {
		m, ok := explained[x.Measure]
		if !ok || x.Unscored != 0 {
			continue
		}
		if len(b.subject) >= blockRows && b.subject[len(b.subject)-1] != int(x.Subject) {
			if err := c.close(b, means); err != nil {
				return nil, err
			}
			b = &cellRows{}
		}
		trials, err := j.trialsOf(m, x)
		if err != nil {
			return nil, err
		}
		c.at = append(c.at, cellAt{int32(len(c.blocks)), int32(m), int32(b.row(int(x.Subject), itemTrials{j.rowOf[x.Item], trials})), x.Value})
		c.used = append(c.used, i)
		b.responses++
	}
	err := c.close(b, means)
	c.last, c.check = nil, nil
	return c, err
}

// trialsOf returns the number of trials of a response to measure m of the layout, or 0 if the response does not say it and the
// layout does not ask.
func (j *Joint) trialsOf(m int, x record.Response) (int32, error) {
	r := &j.layout.Responses[m]
	switch {
	case !r.countsTrials():
		return 0, nil
	case x.Trials == 0:
		return 0, r.places[0].Errorf("the response of subject %s to item %s does not say of how many trials it counts the successes: give trials here, or import a column of them (trials under [responses] of the mapping)",
			j.subjects[x.Subject], j.items.ID[x.Item])
	}
	return x.Trials, nil
}

// An itemTrials is what tells the rows of a subject apart: the row of the items, and the number of trials.
type itemTrials struct {
	item   int
	trials int32
}

// cellRows collects the rows of a block.
type cellRows struct {
	subject, item []int     // of each row: the subject, and the row of its item
	trials        []float64 // of each row: the number of trials
	known         map[itemTrials]int
	responses     int
}

// row returns the index of the row of a subject, an item's row and a number of trials. Subjects come one after the other.
func (b *cellRows) row(subject int, at itemTrials) int {
	if n := len(b.subject); n == 0 || b.subject[n-1] != subject {
		b.known = map[itemTrials]int{}
	}
	r, ok := b.known[at]
	if !ok {
		r = len(b.subject)
		b.known[at] = r
		b.subject, b.item, b.trials = append(b.subject, subject), append(b.item, at.item), append(b.trials, float64(at.trials))
	}
	return r
}

// equal reports whether the rows of two blocks differ in their subjects alone, one for one.
func (b *cellRows) equal(other *cellRows) bool {
	if other == nil || !slices.Equal(b.item, other.item) || !slices.Equal(b.trials, other.trials) {
		return false
	}
	for r := 1; r < len(b.subject); r++ {
		if (b.subject[r] == b.subject[r-1]) != (other.subject[r] == other.subject[r-1]) {
			return false
		}
	}
	return true
}

// tellsSubjectsApart reports whether subjects differ in more than their parameters, so that blocks cannot share a plan.
func (j *Joint) tellsSubjectsApart() bool {
	return len(j.inputs) > 0 || len(j.known) > 0 ||
		slices.ContainsFunc(j.layout.Parameters, func(p Parameter) bool { return p.Per != "" && p.of() == ofSubjects })
}

// resembling returns a block with the plan of the last one, for other subjects.
func (c *Cells) resembling(rows *cellRows) cellBlock {
	block := c.blocks[len(c.blocks)-1]
	to := map[int]int{}
	for r, s := range c.last.subject {
		to[s] = rows.subject[r]
	}
	old := block.frame.index
	block.frame.index = make([]int, len(old))
	for k, at := range old {
		q := sort.SearchInts(c.joint.first, at+1) - 1
		if c.joint.layout.Parameters[q].OfSubjects() {
			at = c.joint.first[q] + to[at-c.joint.first[q]]
		}
		block.frame.index[k] = at
	}
	return block
}

// close compiles the block of the rows that were collected.
func (c *Cells) close(rows *cellRows, means [][]float64) error {
	if len(rows.subject) == 0 {
		return nil
	}
	block, err := c.compile(rows, means)
	if err != nil {
		return err
	}
	for _, x := range c.at[len(c.at)-rows.responses:] {
		block.obs[x.measure] = append(block.obs[x.measure], loglik.Observation{Row: int(x.row), Value: x.value, Count: 1})
	}
	if _, err := c.check.With(block.obs); err != nil {
		return fmt.Errorf("layout %s: %w", c.joint.layout.Name, err)
	}
	c.blocks, c.last = append(c.blocks, block), rows
	return nil
}

// compile returns a block of rows, without observations. It compiles no plan if that of the last block fits: where all subjects
// have responses to the same items, all blocks share one.
func (c *Cells) compile(rows *cellRows, means [][]float64) (cellBlock, error) {
	n := len(c.joint.layout.Responses)
	if rows.equal(c.last) && !c.joint.tellsSubjectsApart() {
		block := c.resembling(rows)
		block.obs = make([][]loglik.Observation, n)
		return block, nil
	}
	b, f := rows.builder(c.joint, means)
	likes, bound, err := b.likelihoods(c.joint.measures)
	if err != nil {
		return cellBlock{}, err
	}
	block := cellBlock{frame: f, plan: b.plan.Compile(likes), responses: bound, obs: make([][]loglik.Observation, n)}
	c.check, err = block.plan.NewWorkspace(nil, block.obs)
	return block, err
}

// builder returns a builder of the rows, with the metafeatures of their items and the means of their subjects.
func (rows *cellRows) builder(j *Joint, means [][]float64) (*builder, frame) {
	all := num.Indices(len(j.layout.Parameters))
	b, f := j.builder(len(rows.subject), all, func(q, row int) int {
		p := &j.layout.Parameters[q]
		switch {
		case p.OfSubjects():
			return rows.subject[row]
		case p.Per != "" && p.of() == ofSubjects:
			return j.groupOf[q][rows.subject[row]]
		case p.Per != "":
			return j.groupOf[q][j.itemAt[rows.item[row]]]
		}
		return rows.item[row] // the rows of the items are the items
	})
	var items []int
	b.row, b.trials = nil, rows.trials
	for _, at := range rows.item {
		items = append(items, j.itemAt[at])
		b.row = append(b.row, j.items.ID[j.itemAt[at]])
	}
	for name, col := range j.columns {
		b.columns[name] = pick(col, items)
	}
	for name, col := range j.known {
		b.columns[name] = pick(col, rows.subject)
	}
	for k, m := range j.inputs {
		var v []float64
		for _, s := range rows.subject {
			v = append(v, means[k][s])
		}
		b.columns["mean("+j.layout.Responses[m].Measure+")"] = expr.Column{Number: v}
	}
	b.mean = func(name string) loglik.Node { return b.plan.Data(b.columns[name].Number) }
	return b, f
}

// Responses returns the responses that were given to NewCells.
func (c *Cells) Responses() []record.Response { return c.given }

// Named returns what response k of Responses is, in words.
func (c *Cells) Named(k int) string {
	x := c.given[k]
	return fmt.Sprintf("the response of subject %s to item %s", c.joint.subjects[x.Subject], c.joint.items.ID[x.Item])
}

// Used returns the indices of the responses that the layout explains among those given to NewCells, in ascending order.
func (c *Cells) Used() []int { return c.used }

// Size returns the numbers of subjects and items.
func (c *Cells) Size() (subjects, items int) { return len(c.joint.subjects), c.joint.items.Len() }

// Joint returns the bound layout of the cells.
func (c *Cells) Joint() *Joint { return c.joint }
