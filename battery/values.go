package battery

import (
	"encoding/binary"
	"encoding/json"
	"iter"
	"math"
)

// A Value is the value of a feature on one item: Number or Text, by the feature's kind, or nothing if Missing.
type Value struct {
	Number  float64 `json:"number,omitempty"`
	Text    string  `json:"text,omitempty"`
	Missing bool    `json:"missing,omitempty"`
}

// Values are the values of an item, one per feature of the schema, in its order. They are packed, because a large battery has millions
// of them: most are small whole numbers, which take a byte each. As JSON they are a list of Value.
type Values struct{ packed string }

// What the first byte of a packed value says. Below packedNumber, it is the value itself.
const (
	packedNumber     = 250 + iota // eight bytes follow: a number
	packedText                    // a length and a text follow
	packedMissing                 // nothing follows
	packedEverything              // a byte follows, 1 if the value is missing, and a number and a text: not a value that Check allows
)

// PackValues packs values.
func PackValues(list ...Value) Values {
	var room [128]byte
	b := room[:0]
	for _, v := range list {
		b = v.pack(b)
	}
	return Values{string(b)}
}

func appendNumber(b []byte, x float64) []byte {
	if n := int(x); uint(n) < packedNumber && math.Float64bits(float64(n)) == math.Float64bits(x) {
		return append(b, byte(n))
	}
	return binary.LittleEndian.AppendUint64(append(b, packedNumber), math.Float64bits(x))
}

// pack appends v to b, packed.
func (v Value) pack(b []byte) []byte {
	bits := math.Float64bits(v.Number)
	switch {
	case v.Text == "" && !v.Missing:
		return appendNumber(b, v.Number)
	case bits == 0 && !v.Missing:
		return appendText(append(b, packedText), v.Text)
	case bits == 0 && v.Text == "":
		return append(b, packedMissing)
	}
	b = append(b, packedEverything, 0)
	if v.Missing {
		b[len(b)-1] = 1
	}
	return appendText(binary.LittleEndian.AppendUint64(b, bits), v.Text)
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// All gives the values, by feature.
func (v Values) All() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		for k, rest := 0, v.packed; rest != ""; k++ {
			var x Value
			if x, rest = unpack(rest); !yield(k, x) {
				return
			}
		}
	}
}

// At returns the value of feature k. It panics if there are fewer values.
func (v Values) At(k int) Value {
	for i, x := range v.All() {
		if i == k {
			return x
		}
	}
	panic("battery: Values.At: there are fewer values")
}

// Len returns the number of values.
func (v Values) Len() (n int) {
	for range v.All() {
		n++
	}
	return n
}

// unpack returns the first value of what pack has appended, and what follows it.
func unpack(s string) (v Value, rest string) {
	kind, s := s[0], s[1:]
	switch kind {
	case packedNumber:
		v.Number, s = unpackNumber(s)
	case packedText:
		v.Text, s = unpackText(s)
	case packedMissing:
		v.Missing = true
	case packedEverything:
		v.Missing = s[0] == 1
		v.Number, s = unpackNumber(s[1:])
		v.Text, s = unpackText(s)
	default:
		v.Number = float64(kind)
	}
	return v, s
}

func unpackNumber(s string) (float64, string) {
	return math.Float64frombits(binary.LittleEndian.Uint64([]byte(s[:8]))), s[8:]
}

func unpackText(s string) (string, string) {
	n, s := unpackUnsigned(s)
	return s[:n], s[n:]
}

// unpackUnsigned returns the number at the beginning of what binary.AppendUvarint has appended, and what follows it.
func unpackUnsigned(s string) (n uint64, rest string) {
	for shift := 0; ; shift += 7 {
		b := s[0]
		s = s[1:]
		if n |= uint64(b&0x7f) << shift; b < 0x80 {
			return n, s
		}
	}
}

// MarshalJSON returns the values as a list of Value.
func (v Values) MarshalJSON() ([]byte, error) {
	var list []Value
	for _, x := range v.All() {
		list = append(list, x)
	}
	return json.Marshal(list)
}

// UnmarshalJSON sets v to what MarshalJSON returned.
func (v *Values) UnmarshalJSON(data []byte) error {
	var list []Value
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	*v = PackValues(list...)
	return nil
}
