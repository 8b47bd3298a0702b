package score

import (
	"fmt"
	"strconv"
	"strings"

	"achilles/sim/num"
)

// fixed returns x with `places` decimals. It never returns a negative zero.
func fixed(x float64, places int) string {
	t := fmt.Sprintf("%.*f", places, x)
	if strings.Trim(t, "-0.") == "" {
		return strings.TrimPrefix(t, "-")
	}
	return t
}

// shown returns fixed(*x, places), or "unknown" if x is nil.
func shown(x *float64, places int) string {
	if x == nil {
		return "unknown"
	}
	return fixed(*x, places)
}

// meanSD returns a mean and its standard deviation, to two significant digits of the standard deviation but at most
// three decimals. It writes a smaller one as <0.0005. It returns the mean alone if the standard deviation is exactly 0: the value
// is then not measured, but fixed by what is said of the subject, as the object permanence of somebody who has none.
func meanSD(mean, sd float64) string {
	switch {
	case sd == 0:
		return strconv.FormatFloat(mean, 'g', 3, 64)
	case sd < 0.0005:
		return meanOf(mean, sd) + " ±<0.0005"
	}
	return meanOf(mean, sd) + " ±" + meanOf(sd, sd)
}

// meanOf returns x with the number of decimals that meanSD uses for this sd.
func meanOf(x, sd float64) string { return fixed(x, num.Decimals(sd)) }
