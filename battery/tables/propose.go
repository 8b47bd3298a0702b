package tables

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"achilles/sim/record"
)

// Wishes are what a person says of a table beforehand. What is empty is found by names and values.
type Wishes struct {
	Metric, Filter, Scorer string // which of several scorings
	Repetition             string // the column that tells repetitions apart, or "order"
	Position               string // the column with the place of each response in its subject's sequence, "order", or "none"
	Subject, Item          []string
	Family                 string
	Trials                 string            // the column with the number of trials of which a score counts the successes, or their number
	Missing                []string          // words for no value, beyond the usual ones
	Levels                 map[string]string // words of the scores → numbers
	Key                    map[string]string // column of a matrix → the right answer
	Only                   map[string]string // column → the text of the rows that count
	Count                  string            // the column that says how many subjects each row of a matrix stands for, or "none"
	Selection
	Rows    string // what a row of a matrix is: subjects or items
	Decimal string
}

// A Proposal is a mapping that was made of what a table has.
type Proposal struct {
	Mapping *Mapping
	Text    string      // the mapping in TOML, ready to edit
	Found   [][2]string // what was taken for what: a word and what was found
}

// propose makes a proposal.
type proposer struct {
	surveyed
	in   Input
	wish Wishes

	form                      form
	subject, item, repetition []string
	score, trials, position   string
	split                     string   // the column that says which responses are held out
	each                      int      // the number of trials of every response; 0: it is not said
	right                     string   // the column with the right answers, which responses are compared with
	count                     string   // the column that says how many subjects each row stands for
	ofTrials                  bool     // whether each row is a trial, by its columns
	where                     string   // the condition of rows that have a name, of trials
	conditions                bool     // whether the item is what was tested in a trial, not the trial
	went                      chosenIn // columns that say where a subject went
	rate                      bool
	label                     string // the column that the rows of a matrix are called after
	only                      [][2]string
	family                    record.Family
	levels                    [][2]string
	except                    []string
	pattern                   string
	features, covariates      []published
	itemKey, subjectKey       []string
	found                     [][2]string
}

// A published column is a feature or covariate of a proposal.
type published struct {
	name, column, role string
	missing            []string
}

// Propose makes a mapping of what tables have. It returns an error that lists the choices where only a person can know.
func Propose(in Input, w Wishes) (*Proposal, error) {
	p := &proposer{in: in, wish: w, surveyed: surveyed{src: in.Responses, used: map[string]string{fileColumn: "file"}}}
	src, err := p.src.withOnly(w.Only)
	if err != nil {
		return nil, err
	}
	p.src, p.only = src, pairs(w.Only)
	for _, o := range p.only {
		p.take("choice", o[0])
	}
	key, row, err := p.src.keyRow()
	if err != nil {
		return nil, err
	}
	if w.Key == nil && key != nil {
		p.wish.Key, p.wish.LeaveOut = key, append(slices.Clone(w.LeaveOut), row)
		p.found = append(p.found, [2]string{"left out", fmt.Sprintf("row %s, which has the right answers", row)})
	}
	if p.src, err = p.src.keyed(p.wish.Key, w.Missing); err != nil {
		return nil, err
	}
	for _, step := range []func() error{p.sums, p.survey, p.roles, p.choices, p.ordered, func() error { return heldOut(p) }, p.correlations, p.counts, p.measure, func() error { return oneThing(p) }, p.beside, p.report} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	if p.src.Absent != "" && p.itemKey == nil {
		return nil, fmt.Errorf("%s: names only what succeeded: give a table of all items with --items, a row each with its name in a column such as item or instance_id; what no list names was not solved", p.src.Name)
	}
	text := p.text()
	m, err := ParseMapping("mapping.toml", text)
	if err != nil {
		return nil, fmt.Errorf("tables: a proposal that cannot be read: %w", err)
	}
	return &Proposal{Mapping: m, Text: text, Found: p.found}, nil
}

// sums leaves out rows that sum up the others.
func (p *proposer) sums() error {
	found, err := summaries(p.src)
	if err != nil {
		return err
	}
	for _, x := range found {
		if !slices.Contains(p.wish.LeaveOut, x.name) {
			p.wish.LeaveOut = append(slices.Clone(p.wish.LeaveOut), x.name)
			p.found = append(p.found, [2]string{"left out", fmt.Sprintf("row %s, %s of the others", cmp.Or(x.name, "without a name"), x.is)})
		}
	}
	p.src = p.src.without(p.wish.LeaveOut)
	return nil
}

func (p *proposer) survey() (err error) {
	if p.columns, p.rows, err = survey(p.src, p.wish.Missing); err != nil {
		return err
	}
	if minus := p.plusMinus(); minus != "" && p.wish.Levels == nil {
		p.wish.Levels = map[string]string{"+": "1", minus: "0"}
		if p.columns, p.rows, err = survey(p.src, p.wish.Missing, minus); err != nil {
			return err
		}
	}
	p.read = p.src.Read
	if p.read.Decimal = p.wish.Decimal; p.read.Decimal == "" {
		if p.read.Decimal, err = decimal(p.columns); err != nil {
			return fmt.Errorf("%s: %w", p.src.Name, err)
		}
	}
	for i, c := range p.columns {
		if c.there() == 0 && c.name == unnamed(i) {
			p.used[c.name] = "empty"
		}
	}
	for _, name := range p.src.Ignored {
		if p.used[name] == "" {
			p.used[name] = "known"
		}
	}
	return nil
}

func varies(c *profile) bool { return !c.constant() }

// roles finds the form of the table and its keys.
func (p *proposer) roles() error {
	k := p.src.Known
	if p.subject = p.wish.Subject; p.subject == nil {
		p.subject = k.Subject
	}
	if p.item = p.wish.Item; p.item == nil {
		p.item = k.Item
	}
	for _, name := range slices.Concat(p.subject, p.item) {
		if p.column(name) == nil {
			return fmt.Errorf("%s has no column %q: there are %s", p.src.Name, name, listed(p.src.Header[:p.width()]))
		}
	}
	p.take("subject", p.subject...)
	p.take("item", p.item...)
	if w := p.wish.Repetition; p.column(w) != nil {
		p.take("repetition", w)
	}
	var scores []string
	for _, c := range p.columns {
		if p.used[c.name] == "" && (slices.Contains(k.Scores, c.name) || k.Score == c.name) {
			scores = append(scores, c.name)
		}
	}
	for _, name := range scoreNames() {
		for _, c := range p.columns {
			if len(k.Scores) == 0 && k.Score == "" && p.used[c.name] == "" && plain(leaf(c.name)) == name && c.scores() {
				scores = append(scores, c.name)
			}
		}
	}
	if len(scores) == 0 {
		scores = p.otherScores()
	}
	if count := p.named(successesNames(), (*profile).numeric); len(scores) == 0 && count != "" && p.named(trialsNames(), nil) != "" {
		scores = []string{count}
	}
	if len(scores) == 0 {
		scores = p.worded()
	}
	fits := p.wish.Family == "" || p.wish.Family == string(record.Binary) || p.wish.Family == string(record.Unit)
	if len(scores) == 0 && p.wish.Metric == "" && p.wish.Rows == "" && fits && (p.item != nil || p.named(itemNames(), nil) != "") {
		var given string
		if given, p.right = p.compared(); given != "" {
			scores = []string{given}
			if p.wish.Family == "" && p.column(given).broken > 0 && p.column(p.right).numeric() {
				return fmt.Errorf("%s: %s has numbers, and %s those that are right: use --family binary if a response is right or wrong, or --family unit if it is better the nearer it is", p.src.Name, given, p.right)
			}
			p.take("right answers", p.right)
		}
	}
	if len(scores) == 0 && (p.wish.Item != nil || p.named(itemNames(), nil) != "") && p.who() != "" {
		if time := p.named(timeNames(), (*profile).numeric); time != "" {
			scores = []string{time} // where nothing says more of a response
		}
	}
	trials := p.trialsOf(p.subject)
	p.ofTrials = k.Trials || k.Subject == nil && trials.are()
	if len(scores) == 0 && p.ofTrials {
		if scores = trials.flagged(); len(scores) == 0 {
			scores = one(p.named(timeNames(), (*profile).numeric))
		}
	}
	flag, metric := "metric", p.wish.Metric
	if k.ScoreFlag == "scorer" {
		flag, metric = k.ScoreFlag, cmp.Or(p.wish.Scorer, metric)
	}
	all := scores
	scores, err := p.chosen(scores, flag, metric)
	if err != nil {
		return err
	}
	item := p.item
	if item == nil {
		if name := p.named(itemNames(), nil); name != "" && !slices.Contains(scores, name) {
			item = []string{name}
		} else if id := p.idOfItems(); id != "" && !slices.Contains(scores, id) {
			item = []string{id}
		}
		if len(scores) > 0 && p.wish.Rows == "" && (item == nil || slices.Contains(trialNames(), plain(item[0]))) {
			if name := shownOnce(&p.surveyed, p.who()); name != "" && !slices.Contains(scores, name) {
				item = []string{name}
			}
		}
		if len(scores) > 0 && p.wish.Rows == "" {
			item, p.conditions = trials.tested(item)
		}
	}
	if len(scores) == 0 && p.ofTrials && p.wish.Rows == "" && (k.Trials || trials.alone(p.runs(p.columns, trials.subject))) {
		if item != nil && slices.Contains(trialNames(), plain(item[0])) {
			item = p.item // the number of a trial says nothing of what was tested
		}
		return trials.unscored(item)
	}
	if p.item == nil && p.subject == nil && metric == "" {
		if err := p.pairs(); err != nil {
			return err
		}
	}
	if len(scores) == 0 || item == nil || p.wish.Rows != "" {
		if err := singles(p, scores, item); err != nil {
			return err
		}
		return p.matrix()
	}
	p.form = long
	if len(scores) > 1 {
		return fmt.Errorf("%s has several scores of each response: choose one with --%s: %s", p.src.Name, flag, strings.Join(scores, ", "))
	}
	p.score = scores[0]
	p.take(otherScore, all...)
	p.take("score", p.score)
	if slices.Contains(timeNames(), plain(leaf(p.score))) && p.column(p.score).lo == -1 {
		p.wish.Missing = append(slices.Clone(p.wish.Missing), "-1")
		p.found = append(p.found, [2]string{"note", "a time of -1 means that there was no response"})
	}
	if p.item == nil {
		p.take("item", item...)
		if group := p.named(groupNames(), varies); group != "" && (p.in.Items == nil || p.inTable(p.in.Items, groupNames()) != "") {
			p.take("item", group)
			item = append([]string{group}, item...)
		}
		p.item = item
	}
	if p.subject == nil {
		p.findSubject()
	}
	if p.ofTrials {
		if key := p.sited(p.subject); len(key) > len(p.subject) && p.wish.Subject == nil {
			p.found = append(p.found, [2]string{"note", fmt.Sprintf("the same %s occurs with several values of %s: read as different subjects; if it is one subject, use --subject %s", p.subject[0], key[0], p.subject[0])})
			p.subject = key
			p.take("subject", key[0])
		}
		var of string
		if p.where, of = p.nameless(slices.Concat(p.subject, p.item)); of != "" {
			p.found = append(p.found, [2]string{"left out", "rows without a " + of})
		}
	}
	return nil
}

// otherScore is what a score that was not chosen is taken for: it is an outcome, and so no feature of an item.
const otherScore = "another score"

// chosen returns the columns of scores with the name that a person has chosen, or whose path ends with it; all if nothing was chosen.
func (p *proposer) chosen(scores []string, flag, name string) ([]string, error) {
	var ends []string
	for _, s := range scores {
		if leaf(s) == name {
			ends = append(ends, s)
		}
	}
	switch {
	case name == "":
		return scores, nil
	case slices.Contains(scores, name):
		return []string{name}, nil
	case len(ends) == 1:
		return ends, nil
	case len(ends) > 1:
		return nil, fmt.Errorf("%s has several scores called %s: choose one with --%s: %s", p.src.Name, name, flag, strings.Join(ends, ", "))
	case p.src.ScoreFlag == "" && p.column(name) != nil:
		return []string{name}, nil
	case p.src.ScoreFlag != "" || len(scores) > 1:
		return nil, fmt.Errorf("%s has no %s %q: there are %s", p.src.Name, flag, name, strings.Join(scores, ", "))
	}
	return scores, nil
}

// findSubject finds the key of the subjects: a model with what it runs in, a person, or the file's name.
func (p *proposer) findSubject() {
	name := whoOf(&p.surveyed, p.item)
	if name == "" {
		p.subject = []string{fileColumn}
		return
	}
	p.subject = []string{name}
	p.take("subject", name)
	if !slices.Contains(modelNames(), plain(name)) {
		return
	}
	for {
		more := p.named(scaffoldNames(), func(c *profile) bool {
			return varies(c) && !(plain(c.name) == "prompt" && p.ofItems(c.name, p.item)) && (!strings.HasPrefix(plain(name), "agent") || !ofSubjects(c.name)) // an animal meets several conditions
		})
		if more == "" {
			return
		}
		p.subject = append(p.subject, more)
		p.take("subject", more)
	}
}

// ofItems reports whether a column says the same in all rows of an item, as its prompt does, and items have several: then it sets no subjects apart.
func (s *surveyed) ofItems(name string, key []string) bool {
	return !s.differs(name, key) && s.again(key)
}

// ordered finds what says in which order a subject took the items.
func (p *proposer) ordered() error {
	switch wish := p.wish.Position; {
	case wish == "none":
	case wish == "order" && p.column(wish) == nil:
		p.position = inOrder
	case wish != "" && p.form != long:
		return fmt.Errorf("%s: --position %s: a matrix has no column with the positions of its responses: use --position order if they stand in the order of presentation", p.src.Name, wish)
	case wish != "" && p.column(wish) == nil:
		return fmt.Errorf("%s has no column %q: name one with positions, or use --position order or none", p.src.Name, wish)
	case wish != "":
		p.position = wish
	case p.form == long:
		for _, c := range p.columns {
			if p.used[c.name] == "" && p.position == "" && (slices.Contains(positionNames(), plain(c.name)) || isPlace(p, c)) && c.gone == 0 && p.places(c.name) {
				p.position = c.name
			}
		}
	}
	if p.position != "" && p.position != inOrder {
		p.take("position", p.position)
	}
	p.goes()
	return nil
}
