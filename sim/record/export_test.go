package record

import "io"

// The bounds of Parquet pages, for tests with small limits.
var (
	CheckPages       = checkPages
	CheckPageIndexes = checkPageIndexes
	CheckStructure   = checkStructure
	CheckValues      = checkValues
	ZstdSize         = zstdSize
)

// EncodeWorlds writes worlds in memory, path → content.
func EncodeWorlds(worlds []World) (map[string][]byte, error) {
	files := map[string][]byte{}
	_, err := WriteWorlds(func(yield func(World, error) bool) {
		for _, w := range worlds {
			if !yield(w, nil) {
				return
			}
		}
	}, func(path string) (io.WriteCloser, error) { return &memory{files: files, path: path}, nil })
	return files, err
}
