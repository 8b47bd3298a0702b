package foreign

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// codepage returns the decoder of text in an encoding, by its name or, if that is empty, its number. Text that is UTF-8 all the same is
// left as it is: programs write wrong names.
func codepage(name string, number int) (func(string) string, error) {
	plain := strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(strings.TrimRight(name, " \x00")))
	if plain == "" {
		plain = map[int]string{0: "utf8", 2: "ascii", 3: "ascii", 28605: "iso885915"}[number]
		if plain == "" && number > 65000 {
			plain = "utf8"
		}
		if plain == "" {
			plain = fmt.Sprint("windows", number)
		}
	}
	known := map[string]*charmap.Charmap{
		"utf8": charmap.Windows1252, "ascii": charmap.Windows1252, "usascii": charmap.Windows1252,
		"windows1250": charmap.Windows1250, "windows1251": charmap.Windows1251, "windows1252": charmap.Windows1252, "windows1253": charmap.Windows1253,
		"windows1254": charmap.Windows1254, "windows1255": charmap.Windows1255, "windows1256": charmap.Windows1256, "windows1257": charmap.Windows1257,
		"iso88591": charmap.ISO8859_1, "latin1": charmap.ISO8859_1, "windows28591": charmap.ISO8859_1, "iso88592": charmap.ISO8859_2,
		"iso88595": charmap.ISO8859_5, "iso88597": charmap.ISO8859_7, "iso88599": charmap.ISO8859_9, "iso885915": charmap.ISO8859_15,
		"macroman": charmap.Macintosh, "macintosh": charmap.Macintosh, "koi8r": charmap.KOI8R,
	}
	plain = strings.Replace(plain, "cp125", "windows125", 1)
	m := known[plain]
	if m == nil {
		return nil, fmt.Errorf("its text is in %q, which is not read: save it in UTF-8", strings.TrimSpace(name+" "+plain))
	}
	return func(s string) string {
		if utf8.ValidString(s) {
			return s
		}
		out, err := m.NewDecoder().String(s)
		if err != nil {
			return strings.ToValidUTF8(s, "\ufffd")
		}
		return out
	}, nil
}
