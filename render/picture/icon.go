package picture

import (
	"math"
	"path"
	"strings"
)

// A form is the outline of an icon: a polygon in the square from −1 to 1.
type form [][2]float32

// outline returns the form of an icon, given the name of its file. Some names have a form that looks like the icon;
// every other name gets one of eight plain forms, always the same one.
func outline(icon string) form {
	name := strings.TrimSuffix(path.Base(icon), path.Ext(icon))
	switch name {
	case "heart":
		return heart()
	case "moon":
		return moon()
	case "cross":
		return form{{-.35, -1}, {.35, -1}, {.35, -.35}, {1, -.35}, {1, .35}, {.35, .35}, {.35, 1}, {-.35, 1}, {-.35, .35}, {-1, .35}, {-1, -.35}, {-.35, -.35}}
	case "flag":
		return form{{-.8, -1}, {1, -.5}, {-.5, .05}, {-.5, 1}, {-.8, 1}}
	case "kite":
		return form{{0, -1}, {.75, -.2}, {0, 1}, {-.75, -.2}}
	case "trapezoid":
		return form{{-.55, -.75}, {.55, -.75}, {1, .75}, {-1, .75}}
	case "shield":
		return form{{-.9, -.9}, {.9, -.9}, {.9, .1}, {0, 1}, {-.9, .1}}
	case "vase":
		return form{{-.45, -1}, {.45, -1}, {.25, -.5}, {.8, .2}, {.4, 1}, {-.4, 1}, {-.8, .2}, {-.25, -.5}}
	case "double_dia":
		return form{{0, -1}, {.6, -.5}, {.25, 0}, {.6, .5}, {0, 1}, {-.6, .5}, {-.25, 0}, {-.6, -.5}}
	case "capsule", "bean":
		return capsule()
	case "slot0": // a lock
		return form{{-1, -1}, {1, -1}, {1, 1}, {.5, 1}, {0, .1}, {-.5, 1}, {-1, 1}}
	case "triangle0", "curved_triangle":
		return polygon(3, 1)
	case "pentagon", "hexagon", "octagon":
		return polygon(map[string]int{"pentagon": 5, "hexagon": 6, "octagon": 8}[name], 1)
	case "star":
		return polygon(5, 0.42)
	case "clove", "clove_tree":
		return polygon(4, 0.45)
	}
	plain := []form{polygon(3, 1), polygon(4, 1), polygon(5, 1), polygon(6, 1), polygon(5, 0.45), polygon(6, 0.55), polygon(8, 0.6), polygon(3, 0.4)}
	sum := 0
	for _, c := range []byte(name) {
		sum = 31*sum + int(c)
	}
	return plain[uint(sum)%uint(len(plain))]
}

// polygon returns a regular polygon with n corners, one of them at the top. If inner < 1, it returns a star whose
// inner corners have this radius.
func polygon(n int, inner float64) form {
	if inner < 1 {
		n *= 2
	}
	var f form
	for k := range n {
		r := 1.0
		if inner < 1 && k%2 == 1 {
			r = inner
		}
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		f = append(f, [2]float32{float32(r * sin), float32(-r * cos)})
	}
	return f
}

// closed returns a closed curve through n points. at returns the point at an angle in radians.
func closed(n int, at func(angle float64) (x, y float64)) form {
	var f form
	for k := range n {
		x, y := at(2 * math.Pi * float64(k) / float64(n))
		f = append(f, [2]float32{float32(x), float32(y)})
	}
	return f
}

func heart() form {
	return closed(36, func(a float64) (x, y float64) {
		sin := math.Sin(a)
		return sin * sin * sin, -(13*math.Cos(a) - 5*math.Cos(2*a) - 2*math.Cos(3*a) - math.Cos(4*a)) / 17
	})
}

func moon() form {
	f := closed(24, func(a float64) (x, y float64) {
		a = math.Pi/3 + a*(2-2.0/3)/2*24/23
		return math.Cos(a), -math.Sin(a)
	})
	return append(f, closed(16, func(a float64) (x, y float64) {
		a = -math.Pi/2.4 - a*(2-2/2.4)/2*16/15
		return 0.35 + 0.72*math.Cos(a), -0.72 * math.Sin(a)
	})...)
}

func capsule() form {
	return closed(32, func(a float64) (x, y float64) {
		x, y = 0.5*math.Cos(a), -0.5*math.Sin(a)
		if y < 0 {
			return x, y - 0.5
		}
		return x, y + 0.5
	})
}
