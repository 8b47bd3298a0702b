package observer

import (
	"fmt"
	"io"

	"achilles/sim/record"
)

// The arrays of WriteArrays: a mask has a label per square of pixel × pixel pixels, and a trial has a mask of every stride-th
// frame in which something moves.
const (
	pixel  = 5
	stride = 5
)

// The labels of masks. An object has label firstObject plus the index of its letter in the text form.
const (
	free = iota
	wall
	barrier
	lock
	key
	home
	actor
	firstObject
)

// WriteArrays writes the videos of the items as a NumPy .npz file, for observers that learn. docs/theory/bib.md has the
// arrays. All scenes must have the same size.
func WriteArrays(out io.Writer, items []record.Watched) error {
	a := &arrays{}
	for _, n := range shuffled(items) {
		a.names = append(a.names, n.name...)
		if err := a.video(n.video); err != nil {
			return fmt.Errorf("observer: video %s: %w", n.name, err)
		}
	}
	trials, side := len(a.trialVideo), []int{a.height / pixel, a.width / pixel}
	return writeNPZ(out, []array{
		{"video", "|S16", []int{len(a.names) / 16}, a.names},
		{"trial_video", "<i4", []int{trials}, a.trialVideo},
		{"trial_number", "<i4", []int{trials}, a.trialNumber},
		{"trial_actor", "<i4", []int{trials}, a.trialActor},
		{"position_end", "<i4", []int{trials}, a.positionEnd},
		{"position", "<i2", []int{len(a.position) / 2, 2}, a.position},
		{"mask_end", "<i4", []int{trials}, a.maskEnd},
		{"mask_frame", "<i4", []int{len(a.maskFrame)}, a.maskFrame},
		{"mask", "|u1", append([]int{len(a.maskFrame)}, side...), a.mask},
	})
}

// arrays are the arrays of a .npz file. The positions and masks of trial i are those from positionEnd[i−1] and maskEnd[i−1]
// up to positionEnd[i] and maskEnd[i].
type arrays struct {
	width, height                                                        int
	names                                                                []byte  // sixteen bytes per video
	trialVideo, trialNumber, trialActor, positionEnd, maskEnd, maskFrame []int32 // trialActor counts the actors of a video
	position                                                             []int16 // centre of the actor in every frame
	mask                                                                 []uint8
}

func (a *arrays) video(v *record.Video) error {
	l, number := letters(v), int32(len(a.names)/16-1)
	var actors []string
	for k := range len(v.Familiarisation) + 1 {
		t := &v.Test
		if k < len(v.Familiarisation) {
			t = &v.Familiarisation[k]
		}
		if a.width == 0 {
			a.width, a.height = int(t.Scene.Width), int(t.Scene.Height)
		}
		if w, h := int(t.Scene.Width), int(t.Scene.Height); w != a.width || h != a.height || w%pixel != 0 || h%pixel != 0 {
			return fmt.Errorf("trial %d has %d × %d pixels; want %d × %d as in the first trial, and multiples of %d", k, w, h, a.width, a.height, pixel)
		}
		a.trialVideo, a.trialNumber = append(a.trialVideo, number), append(a.trialNumber, int32(k))
		a.trialActor = append(a.trialActor, int32(indexOrAdd(&actors, looks(&t.Scene.Agent))))
		a.trial(l, t)
	}
	return nil
}

// indexOrAdd returns the index of x in list, after adding x if it is not there.
func indexOrAdd(list *[]string, x string) int {
	for i, y := range *list {
		if x == y {
			return i
		}
	}
	*list = append(*list, x)
	return len(*list) - 1
}

func (a *arrays) trial(l lettering, t *record.SceneTrial) {
	first, last := moving(t)
	for s := range states(t) {
		a.position = append(a.position, s.actor.X+s.actor.Half, s.actor.Y+s.actor.Half)
		if f := s.frame; f >= first && f <= last && (f-first)%stride == 0 || f == last {
			a.maskFrame = append(a.maskFrame, int32(f))
			a.mask = append(a.mask, a.paint(l, &t.Scene, &s)...)
		}
	}
	a.positionEnd, a.maskEnd = append(a.positionEnd, int32(len(a.position)/2)), append(a.maskEnd, int32(len(a.maskFrame)))
}

// moving returns the frame before the first step of the actor and that of its last step. Both are 0 if it never moves.
func moving(t *record.SceneTrial) (first, last int) {
	for f := 1; f < len(t.Path); f++ {
		if t.Path[f] != t.Path[f-1] {
			if last == 0 {
				first = f - 1
			}
			last = f
		}
	}
	return first, last
}

// paint returns the labels of a frame, row by row from the bottom. A square has the label of the last thing painted that
// covers its centre; the actor is painted last.
func (a *arrays) paint(l lettering, scene *record.Scene, s *state) []uint8 {
	w, h := a.width/pixel, a.height/pixel
	mask := make([]uint8, w*h)
	first := func(edge int16) int { return max(int(edge)+pixel-1-pixel/2, 0) / pixel } // the first square with its centre at the edge or after it
	fill := func(r record.Rect, label uint8) {
		for y := first(r.Y); y < min(first(r.Y+r.H), h); y++ {
			for x := first(r.X); x < min(first(r.X+r.W), w); x++ {
				mask[y*w+x] = label
			}
		}
	}
	square := func(x *record.Shape, label uint8) {
		fill(record.Rect{X: x.X, Y: x.Y, W: 2 * x.Half, H: 2 * x.Half}, label)
	}
	for _, r := range scene.Walls {
		fill(r, wall)
	}
	for _, r := range s.now.Barrier {
		fill(r, barrier)
	}
	square(&scene.Home, home)
	for i := range s.now.Locks {
		square(&s.now.Locks[i], lock)
	}
	for i := range s.now.Objects {
		letter := l[looks(&s.now.Objects[i])]
		square(&s.now.Objects[i], firstObject+max(letter, 'a')-'a') // a star is an a
	}
	for i := range s.now.Keys {
		square(&s.now.Keys[i], key)
	}
	if !s.now.Away {
		square(&s.actor, actor)
	}
	return mask
}
