package play

import "strings"

// Text returns the text that a terminal shows: a line about the state, the map with the things in sight or a question
// with its options, and a line about the keys. fit breaks what is words into lines.
//
// The actor is one of ^ > v <, a reward is $ (' while it is in the air), a key is k, and _ marks a place that is seen
// to be empty. Text shows the map in the dark too, because the person knows it.
func (m Model) Text(fit func(text string) string) string {
	var b, words strings.Builder
	for _, part := range []string{m.progress(), m.clock(), m.message(), m.notice} {
		if part != "" {
			words.WriteString(part + "    ")
		}
	}
	b.WriteString(fit(words.String() + "\n\n"))
	if m.phase == ready || m.phase == leaving || m.phase == ended && m.profile != nil {
		c, _ := m.card()
		b.WriteString(fit(strings.Join(c.lines()[1:], "\n")))
	}
	if m.phase == ready {
		b.WriteString(signs)
	}
	for _, row := range m.picture() {
		b.WriteString(string(row) + "\n")
	}
	if m.asks() {
		b.WriteString(fit("    " + m.question.asked() + "\n\n    " + strings.Join(m.question.choices(), "   ") + "\n"))
	}
	b.WriteString(fit("\n" + m.guide() + "\n"))
	return b.String()
}

// signs explains the signs on the map.
const signs = `
     ^ > v <  you, and where you look
         $ '  the reward, and a reward in the air
           _  a place that is seen to be empty
         # O  what hides what is behind it
         L H  lava, and a hole
`

// asks says whether there is a question to answer.
func (m Model) asks() bool { return m.phase == asked || m.phase == leaving && m.then == asked }

// asked returns the text of the question. If the question is a series of letters to continue, there are spaces
// between the letters.
func (l *line) asked() string {
	if text := l.Question; l.byLetter() && !strings.Contains(text, " ") {
		return strings.Join(strings.Split(text, ""), " ") + " …"
	}
	return l.Question
}

// picture returns the rows of the map from north to south, with the things in sight.
func (m Model) picture() (rows [][]byte) {
	if m.reset == nil || m.now == nil || m.veiled() || m.phase == ended {
		return nil
	}
	for _, row := range m.reset.Map {
		rows = append(rows, []byte(row))
	}
	put := func(at cell, c byte) {
		if y := len(rows) - 1 - at[1]; y >= 0 && y < len(rows) && at[0] >= 0 && at[0] < len(rows[y]) {
			rows[y][at[0]] = c
		}
	}
	for _, p := range m.now.Open {
		put(p, '_')
	}
	for _, t := range m.now.Things {
		put(t.Position, t.glyph())
	}
	put(m.now.Position, heading(m.now.Heading))
	return rows
}

func (t *thing) glyph() byte {
	switch {
	case t.Kind == "key":
		return 'k'
	case t.Air:
		return '\''
	}
	return '$'
}

func heading(name string) byte {
	if i := strings.Index("north east south west ", name+" "); i >= 0 {
		return map[int]byte{0: '^', 6: '>', 11: 'v', 17: '<'}[i]
	}
	return '@'
}
