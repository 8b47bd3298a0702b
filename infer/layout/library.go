package layout

// A Library has layouts by their texts: what reads them by one library parses each once. A nil one keeps none.
type Library struct {
	Parse func(file, text string) (*Layout, error) // nil: Parse
	known map[string]*Layout
}

// Read returns the layout of a text. file is the name of its file in errors, which are those of Parse.
func (b *Library) Read(file, text string) (*Layout, error) {
	if b == nil {
		return Parse(file, text)
	}
	if l := b.known[text]; l != nil {
		return l, nil
	}
	parse := b.Parse
	if parse == nil {
		parse = Parse
	}
	l, err := parse(file, text)
	if err != nil {
		return nil, err
	}
	if b.known == nil {
		b.known = map[string]*Layout{}
	}
	b.known[text] = l
	return l, nil
}
