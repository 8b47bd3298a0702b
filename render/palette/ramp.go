package palette

import "math"

// Ramp returns the colour of a quantity t, from dark blue at 0 over green to light yellow at 1. t is cut to [0, 1].
// Lightness is linear in t, so that equal steps look equal, also to colour-blind readers and in a grey print.
func Ramp(t float64) Colour {
	t = min(max(t, 0), 1)
	// lightness, chroma and hue of OKLCh (Ottosson 2020)
	return okLCh(0.32+0.60*t, 0.10+0.03*t, 265-160*t)
}

// okLCh converts a colour from OKLCh to sRGB. It lowers the chroma until sRGB can show the colour. hue is in degrees.
func okLCh(lightness, chroma, hue float64) Colour {
	sin, cos := math.Sincos(hue * math.Pi / 180)
	for ; ; chroma *= 0.97 {
		c, ok := okLab(lightness, chroma*cos, chroma*sin)
		if ok || chroma < 1e-3 {
			return c
		}
	}
}

// okLab converts a colour from OKLab to sRGB. ok is false if a component had to be cut. The matrices are those of
// Ottosson (2020), A perceptual color space for image processing.
func okLab(l, a, b float64) (c Colour, ok bool) {
	cube := func(x float64) float64 { return x * x * x }
	p := cube(l + 0.3963377774*a + 0.2158037573*b)
	q := cube(l - 0.1055613458*a - 0.0638541728*b)
	r := cube(l - 0.0894841775*a - 1.2914855480*b)
	c, ok = 0xff, true
	for i, linear := range [3]float64{
		4.0767416621*p - 3.3077115913*q + 0.2309699292*r,
		-1.2684380046*p + 2.6097574011*q - 0.3413193965*r,
		-0.0041960863*p - 0.7034186147*q + 1.7076147010*r,
	} {
		v := encode(linear)
		ok = ok && v > -0.002 && v < 1.002
		c |= Colour(min(max(v, 0), 1)*255+0.5) << (24 - 8*i)
	}
	return c, ok
}

// luminance returns the relative luminance of an sRGB colour.
func (c Colour) luminance() float64 {
	return 0.2126*decode(c>>24) + 0.7152*decode(c>>16) + 0.0722*decode(c>>8)
}

// decode returns the linear value of the sRGB component in the low byte of c.
func decode(c Colour) float64 {
	v := float64(c&0xff) / 255
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// encode returns the sRGB component of a linear value, both in [0, 1]. It is the inverse of decode.
func encode(v float64) float64 {
	if v <= 0.0031308 {
		return 12.92 * v
	}
	return 1.055*math.Pow(v, 1/2.4) - 0.055
}
