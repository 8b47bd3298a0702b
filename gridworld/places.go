package gridworld

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Places returns the cells in which a reward could lie, by the comment lines above the text of a world: // places X,Y X,Y … The error
// names what is not X,Y, or is there twice.
func Places(text string) (places []Pos, err error) {
	for line := range strings.Lines(text) {
		c, ok := strings.CutPrefix(strings.TrimSpace(line), "// ")
		if !ok {
			break
		}
		list, ok := strings.CutPrefix(c, "places ")
		if !ok {
			continue // what the subject was told
		}
		for word := range strings.FieldsSeq(list) {
			x, y, _ := strings.Cut(word, ",")
			a, err1 := strconv.Atoi(x)
			b, err2 := strconv.Atoi(y)
			if err1 != nil || err2 != nil {
				return nil, fmt.Errorf("place %q is not X,Y", word)
			}
			p := Pos{X: a, Y: b}
			if slices.Contains(places, p) {
				return nil, fmt.Errorf("place %s is listed twice", p)
			}
			places = append(places, p)
		}
	}
	return places, nil
}
