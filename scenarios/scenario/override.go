package scenario

import "achilles/sim/conf"

// Override returns the text of a scenario with one key changed, for --set KEY=VALUE (see conf.Set). The keys name,
// doc and seed cannot be changed. file names the scenario in errors.
func Override(file, text, setting string) (string, error) {
	return conf.Set(file, text, setting, "name", "doc", "seed")
}
