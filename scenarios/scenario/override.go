package scenario

import "achilles/sim/conf"

// Override returns the text of a scenario with one key changed, for --set KEY=VALUE (conf.Set); file names it in errors.
func Override(file, text, setting string) (string, error) {
	return conf.Set(file, text, setting, "name", "doc", "seed")
}
