package tables

import "slices"

// plusMinus returns the sign of a failure where passes are noted as +, and an empty text where they are not: a single - means no value elsewhere.
func (s *surveyed) plusMinus() string {
	for _, minus := range []string{"-", "–", "−"} {
		for _, c := range s.columns {
			if c.number == 0 && slices.Contains(c.values, "+") && !slices.ContainsFunc(c.values, func(v string) bool { return v != "+" && v != minus }) && (slices.Contains(c.signs, minus) || slices.Contains(c.values, minus)) {
				return minus
			}
		}
	}
	return ""
}

// idOfItems returns the column called id, or the like, where a model has another column: then it names what the models were asked, if it comes again.
func (s *surveyed) idOfItems() string {
	if s.named(modelNames(), varies) == "" {
		return ""
	}
	id := s.named([]string{"id", "uid", "qid", "uuid", "index", "idx", "number"}, varies)
	if id == "" || !s.again([]string{id}) {
		return ""
	}
	return id
}
