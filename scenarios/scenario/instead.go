package scenario

import (
	"strings"

	"achilles/sim/conf"
)

// A saying is how a body says what people try to say by keys and goals that there are not.
type saying struct {
	tried []string // without hyphens and underscores
	says  string
}

func sayings() []saying {
	return []saying{
		{[]string{"position", "trial", "switch", "switches", "switchat", "after", "until", "half", "halfway"}, `a list of bodies changes at a trial: body = [{ if = "position > 200", goal = "left" }, {}]`},
		{[]string{"coin", "weight", "weights", "share", "probability", "mix", "mixture"}, `a list of bodies mixes trial by trial: body = [{ if = "coin < 0.3", goal = "left" }, {}]`},
		{[]string{"fatigue", "tires", "tired", "fatigues"}, `tiring is sudden by body = [{ if = "position > 250", memory = 0 }, {}], gradual by learns = "memory" with an asymptote below memory`},
		{[]string{"avoid", "avoids"}, `goal = "avoid" goes to the nearest place but the one where the reward was last seen`},
		{[]string{"winstay", "loseshift", "winstayloseshift", "wsls", "passed", "before", "previous", "outcome"}, `who stays after passing and shifts after failing is body = [{ if = "passed == 1 && before == 1 || passed == 0 && before == 2", goal = "last-seen" }, { goal = "habit" }]`},
		{[]string{"copy", "copyof", "imitates", "same", "sameas", "like"}, `an agent with copies = "NAME" in place of a body responds as that subject`},
		{[]string{"learning", "practice", "practises", "improves"}, `a trait changes with practice by learns = "memory", with memory, asymptote and rate`},
	}
}

// instead returns how a body says what a word that it does not know means; "" if nobody can guess.
func instead(word string) string {
	word = strings.NewReplacer("-", "", "_", "", " ", "", ",", "").Replace(strings.ToLower(word))
	for _, s := range sayings() {
		for _, tried := range s.tried {
			if word == tried {
				return s.says
			}
		}
	}
	return ""
}

// reportInstead reports keys of a subject or a body that a body says otherwise. None of them is a key of either.
func reportInstead(t *conf.Table) {
	for _, key := range t.Keys() {
		if says := instead(key); says != "" {
			t.Skip(key)
			t.Reportf(key, "unknown key: %s", says)
		}
	}
}
