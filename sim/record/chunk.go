package record

import (
	"math"
	"slices"
)

// inChunk is the number of responses whose columns have their widths in common: few enough that the subjects in them, and what
// is seldom, need few bits, and so many that the heads of the columns do not count.
const inChunk = 1 << 15

// The columns of a chunk: the fields of a Response.
const (
	subjectField = iota
	itemField
	trialField
	repetitionField
	pairField
	measureField
	phaseField
	splitField
	unscoredField
	trialsField
	positionField
	valueField
	wentField
	placeField
	latencyField
	visitedField
	responseColumns
)

// A chunk has the columns of some responses.
type chunk struct {
	columns [responseColumns]bitColumn
	whole   bool // whether all values are whole numbers; otherwise their column has the bits of floating-point numbers
}

// A packer packs responses while they are read.
type packer struct {
	packed Responses
	rest   []Response               // those that do not make a whole chunk
	lists  [responseColumns][]int64 // buffers
}

// add appends a response.
func (p *packer) add(x Response) {
	if p.rest = append(p.rest, x); len(p.rest) == inChunk {
		p.end()
	}
}

// end packs what add has left over.
func (p *packer) end() {
	if len(p.rest) > 0 {
		p.pack(p.rest)
		p.rest = p.rest[:0]
	}
}

// pack appends a chunk, which may be shorter than inChunk only if it is the last, and must not be empty.
func (p *packer) pack(part []Response) {
	c := chunk{whole: !slices.ContainsFunc(part, func(x Response) bool { return !isWhole(x.Value) })}
	for f := range p.lists {
		p.lists[f] = p.lists[f][:0]
	}
	for k := range part {
		for f, v := range c.integers(&part[k]) {
			p.lists[f] = append(p.lists[f], v)
		}
	}
	for f, list := range p.lists {
		c.columns[f] = packColumn(list)
	}
	p.packed.chunks = append(p.packed.chunks, c)
	p.packed.n += len(part)
}

// isWhole reports whether a value comes back from an integer, bit by bit.
func isWhole(v float64) bool {
	return math.Abs(v) <= 1<<53 && math.Float64bits(float64(int64(v))) == math.Float64bits(v)
}

// integers returns the fields of a response as integers, by column.
func (c *chunk) integers(x *Response) [responseColumns]int64 {
	value := int64(math.Float64bits(x.Value))
	if c.whole {
		value = int64(x.Value)
	}
	return [...]int64{
		subjectField: int64(x.Subject), itemField: int64(x.Item), trialField: int64(x.Trial), repetitionField: int64(x.Repetition), pairField: int64(x.Pair),
		measureField: int64(x.Measure), phaseField: int64(x.Phase), splitField: int64(x.Split), unscoredField: int64(x.Unscored),
		trialsField: int64(x.Trials), positionField: int64(x.Position), valueField: value,
		wentField: int64(x.Chosen.Went), placeField: int64(x.Chosen.Place), latencyField: int64(x.Chosen.Latency), visitedField: int64(x.Chosen.Visited),
	}
}

// at returns response k of the chunk.
func (c *chunk) at(k int) Response {
	of := func(f int) int64 { return c.columns[f].at(k) }
	x := Response{
		Subject: int32(of(subjectField)), Item: int32(of(itemField)), Trial: int16(of(trialField)), Repetition: int16(of(repetitionField)), Pair: int32(of(pairField)),
		Measure: uint8(of(measureField)), Phase: Phase(of(phaseField)), Split: Split(of(splitField)), Unscored: uint8(of(unscoredField)),
		Trials: int32(of(trialsField)), Position: int32(of(positionField)), Value: float64(of(valueField)),
		Chosen: Chosen{Went: Went(of(wentField)), Place: uint8(of(placeField)), Latency: int32(of(latencyField)), Visited: uint32(of(visitedField))},
	}
	if !c.whole {
		x.Value = math.Float64frombits(uint64(of(valueField)))
	}
	return x
}
