package gridworld

// sines are the sines of 0 … 90 degrees in units of 2^−30, rounded. Integers make sight the same on every machine.
// Rounding changes no answer: directions between cells are exactly on the edge of a field of view only at multiples of
// 45 degrees, where the table gives an exact tie; elsewhere they miss it by far more than the rounding.
var sines = [91]int64{
	0, 18739379, 37473049, 56195305, 74900443, 93582766, 112236583, 130856211, 149435979, 167970228, 186453311,
	204879599, 223243478, 241539355, 259761657, 277904834, 295963357, 313931728, 331804471, 349576144, 367241333,
	384794656, 402230767, 419544355, 436730145, 453782903, 470697435, 487468587, 504091252, 520560366, 536870912,
	553017922, 568996477, 584801711, 600428808, 615873009, 631129609, 646193961, 661061475, 675727625, 690187940,
	704438018, 718473518, 732290163, 745883746, 759250125, 772385229, 785285058, 797945680, 810363241, 822533958,
	834454122, 846120104, 857528349, 868675383, 879557810, 890172315, 900515665, 910584710, 920376381, 929887697,
	939115760, 948057759, 956710970, 965072759, 973140576, 980911966, 988384560, 995556083, 1002424350, 1008987269,
	1015242840, 1021189159, 1026824413, 1032146887, 1037154959, 1041847103, 1046221891, 1050277989, 1054014162,
	1057429273, 1060522280, 1063292242, 1065738315, 1067859754, 1069655912, 1071126243, 1072270298, 1073087729,
	1073578288, 1073741824,
}

// inView says whether the direction (dx, dy) is at most `half` degrees off the heading. With half 0 or 180 every
// direction is in view. The actor's own cell, direction (0, 0), is always in view.
func inView(half int, heading Dir, dx, dy int) bool {
	if half <= 0 || half >= 180 || dx == 0 && dy == 0 {
		return true
	}
	v := deltas[heading&7]
	hx, hy := int(v.x), int(v.y)
	ahead, aside := dx*hx+dy*hy, abs(dx*hy-dy*hx)
	sin, cos := sines[min(half, 180-half)], sines[abs(90-half)]
	if half > 90 {
		cos = -cos
	}
	return sin*int64(ahead) >= cos*int64(aside) // sin(half − angle) ≥ 0
}
