package seal

import (
	"fmt"
	"strconv"
	"strings"

	"achilles/agents/embodied"
)

// Eyes says how well a body saw in an episode. The zero value is perfect sight.
type Eyes struct {
	HalfAngle int // half the field of view, in degrees to each side of the heading, 1 … 180; 0: every direction
	Acuity    int // in hundredths: a reward is seen up to Acuity/100 × its size cells away; 0: at any distance
	Smallest  int // size of the smallest reward that the body could see, in hundredths; 0: any size
}

// EncodeEyes returns eyes as a text of three numbers, or as an empty text if they are perfect.
func EncodeEyes(e embodied.Eyes) string {
	if e == (embodied.Eyes{}) {
		return ""
	}
	return strconv.Itoa(e.HalfAngle) + " " + strconv.Itoa(e.Acuity) + " " + strconv.Itoa(e.Smallest)
}

// DecodeEyes reads a text of EncodeEyes.
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
			return Eyes{}, fmt.Errorf("eyes: %q: %q is not a whole number from 0, the first up to 180", text, parts[i])
		}
	}
	return e, nil
}
