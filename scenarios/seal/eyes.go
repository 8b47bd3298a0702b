package seal

import (
	"fmt"
	"strconv"
	"strings"

	"achilles/agents/embodied"
)

// Eyes are how well a body saw in an episode. The zero Eyes are perfect.
type Eyes struct {
	HalfAngle int // of the field of view, in degrees to each side of the heading, 1 … 180; 0: all round
	Acuity    int // a reward is seen up to its size times so many cells away, in hundredths; 0: any distance
	Smallest  int // size of the smallest reward that it could make out, in hundredths; 0: any
}

// EncodeEyes writes eyes as the three numbers, and perfect ones as nothing.
func EncodeEyes(e embodied.Eyes) string {
	if e == (embodied.Eyes{}) {
		return ""
	}
	return strconv.Itoa(e.HalfAngle) + " " + strconv.Itoa(e.Acuity) + " " + strconv.Itoa(e.Smallest)
}

// DecodeEyes reads the text of an episode's eyes.
func DecodeEyes(text string) (e Eyes, err error) {
	if text == "" {
		return e, nil
	}
	parts := strings.Split(text, " ")
	if len(parts) != 3 {
		return e, fmt.Errorf("eyes: %q: want half angle, acuity and smallest size", text)
	}
	for i, to := range []*int{&e.HalfAngle, &e.Acuity, &e.Smallest} {
		if *to, err = strconv.Atoi(parts[i]); err != nil || *to < 0 || i == 0 && *to > 180 {
			return Eyes{}, fmt.Errorf("eyes: %q: %q is no whole number from 0, the first up to 180", text, parts[i])
		}
	}
	return e, nil
}
