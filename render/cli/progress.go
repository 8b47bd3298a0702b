package cli

import (
	"github.com/schollz/progressbar/v3"
)

// progress returns a function to call with done and total; it draws on a terminal and does nothing elsewhere.
func (a *app) progress(what string) func(done, total int) {
	if !a.terminal {
		return func(int, int) {}
	}
	var bar *progressbar.ProgressBar
	return func(done, total int) {
		if bar == nil {
			bar = progressbar.NewOptions(total,
				progressbar.OptionSetWriter(a.stderr),
				progressbar.OptionSetDescription(what),
				progressbar.OptionSetWidth(30),
				progressbar.OptionShowCount(),
				progressbar.OptionSetPredictTime(true),
				progressbar.OptionClearOnFinish())
		}
		// The bar is decoration: a terminal that refuses it must not stop the run.
		_ = bar.Set(done)
	}
}
