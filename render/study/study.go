// Package study makes a static site on which people take a battery, each in a browser, and keeps what a laboratory's browsers send.
package study

import (
	"crypto/sha256"
	_ "embed" // the page
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"achilles/gridworld"
	"achilles/render/play"
	"achilles/render/study/trial"
	"achilles/render/web"
)

var (
	//go:embed page/index.html
	indexPage []byte
	//go:embed page/study.css
	style []byte
	//go:embed page/study.js
	script []byte
	//go:embed page/pictures.js
	pictures []byte
)

// Settings say how the people of a study are led through it.
type Settings struct {
	Title      string  `setting:"title" json:"title" doc:"title that participants read"`
	Items      int     `setting:"items" json:"items" limits:"[0, 100000]" doc:"items per participant, drawn by the participant's code; 0: all"`
	Practice   int     `setting:"practice" json:"practice" limits:"[0, 20]" doc:"practice trials to pass in a row; 0: no practice"`
	Attempts   int     `setting:"attempts" json:"attempts" limits:"[1, 100]" doc:"practice trials after which a participant who has not passed enough goes on, and is marked"`
	Attention  int     `setting:"attention" json:"attention" limits:"[0, 1000]" doc:"items between attention checks; 0: none"`
	Pause      int     `setting:"pause" json:"pause" limits:"[0, 1000]" doc:"items between pauses; 0: none"`
	Wait       float64 `setting:"wait" json:"wait" limits:"[1, 60]" doc:"longest time in seconds for which a participant is held in an item: longer ones pass faster"`
	Feedback   bool    `setting:"feedback" json:"feedback" doc:"say after each item how it ended"`
	Pictures   bool    `setting:"pictures" json:"pictures" doc:"pictures instead of words, for children"`
	Answer     string  `setting:"answer" json:"answer" choices:"rate, look" doc:"for episodes: rate (how surprising the end was, from 1 to 7) or look (hold a key while looking)"`
	Parameter  string  `setting:"parameter" json:"parameter" doc:"name in the address that has the participant's code, as in ?participant=P07"`
	Endpoint   string  `setting:"endpoint" json:"endpoint" doc:"address to which answers are posted as JSON lines; without one, participants save a file, unless study serve has the site"`
	Completion string  `setting:"completion" json:"completion" doc:"code that is shown at the end"`
	Return     string  `setting:"return" json:"return" doc:"address to go to at the end; {participant} in it is the code"`
}

// NewSettings returns the settings that hold where nothing is said.
func NewSettings() Settings {
	return Settings{Items: 20, Practice: 2, Attempts: 10, Attention: 10, Pause: 10, Wait: 6, Feedback: true, Answer: "rate", Parameter: "participant"}
}

// A Question asks for one of its options.
type Question struct {
	Brief   string   `json:"brief,omitempty"`
	Text    string   `json:"question"`
	Options []string `json:"options"`
	Answer  string   `json:"answer,omitempty"` // the right option, of practice alone
}

// An Item is something to take: a world, a question, or films to watch. A study's file of an item does not have its id.
type Item struct {
	ID string `json:"-"`
	*trial.World
	*Question
	Films []Film `json:"films,omitempty"`
}

// A Film is a trial of an episode that people watch: the last one is the test.
type Film struct {
	File string `json:"film"` // name in the site
	MS   int    `json:"ms"`   // how long it takes, in ms
	GIF  []byte `json:"-"`
}

// A Site is a study to publish.
type Site struct {
	Settings
	Consent string // paragraphs separated by empty lines; empty: nobody is asked
	Items   []Item // at least one
}

// Names of files of a site.
const (
	PageName   = "study.json"
	itemFolder = "items"
)

// Page is what a page reads first.
type Page struct {
	Settings
	Study    string   `json:"study"` // tells studies apart: the first digits of a digest of all that it has
	Consent  []string `json:"consent"`
	Order    []string `json:"order"` // ids of all items
	Trials   []Item   `json:"trials"`
	Watch    bool     `json:"watch"`              // whether items are films
	Progress string   `json:"progress,omitempty"` // where to ask what a participant has done before
}

// Files returns the files of the site by their names. program is the part that runs worlds; a site of questions has none, and program
// may be nil. An error says that a participant could not take an item.
func (s *Site) Files(program *web.Program) (map[string][]byte, error) {
	files := map[string][]byte{"index.html": indexPage, "study.css": style, "study.js": script, "pictures.js": pictures}
	if s.Items[0].World != nil {
		files["wasm_exec.js"], files["engine.wasm.gz"] = program.Glue, program.Wasm
	}
	c := Page{Settings: s.Settings, Consent: paragraphs(s.Consent)}
	sum := sha256.New()
	for _, it := range s.Items {
		b, err := json.Marshal(it)
		if err != nil {
			return nil, fmt.Errorf("study: %w", err)
		}
		sum.Write(append(b, it.ID...))
		files[path.Join(itemFolder, it.ID+".json")] = b
		c.Order = append(c.Order, it.ID)
		for _, f := range it.Films {
			files[f.File] = f.GIF
		}
	}
	c.Watch = s.Items[0].Films != nil
	var err error
	if c.Trials, err = practice(s.Items[0]); err != nil {
		return nil, err
	}
	all, err := json.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	sum.Write(all)
	c.Study = hex.EncodeToString(sum.Sum(nil))[:12]
	if files[PageName], err = json.MarshalIndent(c, "", " "); err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	return files, nil
}

func paragraphs(text string) []string {
	list := []string{}
	for p := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		if p = strings.Join(strings.Fields(p), " "); p != "" {
			list = append(list, p)
		}
	}
	return list
}

// practice returns trials for practice like an item: worlds where the reward falls into one of four holes, or series that are easy to
// continue.
func practice(like Item) (list []Item, err error) {
	if like.Films != nil {
		return []Item{}, nil
	}
	if like.World == nil {
		for _, q := range [...][3]string{{"aaaa", "abcde", "a"}, {"bcde", "fbxka", "f"}, {"abab", "acxbz", "a"}, {"aabb", "cmatd", "c"}, {"hijk", "alhzx", "l"}} {
			list = append(list, Item{Question: &Question{Brief: like.Brief, Text: q[0], Options: strings.Split(q[1], ""), Answer: q[2]}})
		}
		return list, nil
	}
	t, err := trial.Open(*like.World)
	if err != nil {
		return nil, err
	}
	move := gridworld.Turning
	if t.Frame().Move == gridworld.Eight.String() {
		move = gridworld.Eight
	}
	for _, hole := range [...]int{2, 0, 3, 1} {
		w, places := play.PracticeWorld(move, hole)
		x := trial.Pack(w, places)
		list = append(list, Item{World: &x})
	}
	return list, nil
}
