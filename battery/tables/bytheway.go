package tables

// Up to mostByTheWay columns of numbers are a test if they are one in fewestShare of all columns or more.
const (
	fewestShare  = 5
	mostByTheWay = 8
)

// byTheWay reports whether columns of numbers are no test but a few among many others, such as how often a child hears each of its languages.
func byTheWay(p *proposer, items []*profile) bool {
	others := 0
	for _, c := range p.columns {
		if p.src.column(c.name) >= 0 && c.there() > 0 {
			others++
		}
	}
	return len(items) <= mostByTheWay && fewestShare*len(items) < others
}
