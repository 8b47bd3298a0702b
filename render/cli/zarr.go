package cli

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"math"
	"strings"

	"achilles/sim/store"
)

// A zarr writes a folder in version 3 of the Zarr format (zarr-specs.readthedocs.io): groups and arrays, each with a zarr.json, and
// arrays in little-endian chunks, gzipped. It keeps its first error.
type zarr struct {
	out   *store.Draft
	nodes map[string]any // metadata by path, of all but the root
	files int
	err   error
}

func (z *zarr) put(name string, data []byte) {
	if z.err == nil {
		z.err = z.out.Put(name, data)
		z.files++
	}
}

func (z *zarr) meta(path string, m map[string]any) {
	m["zarr_format"] = 3
	if path != "" {
		if z.nodes == nil {
			z.nodes = map[string]any{}
		}
		z.nodes[path] = m
	}
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		panic("cli: metadata of an array cannot be encoded")
	}
	z.put(strings.TrimPrefix(path+"/zarr.json", "/"), append(b, '\n'))
}

// root writes the root, after all else: it has the metadata of all groups and arrays once more, as zarr-python consolidates them, so
// that readers need not look for them.
func (z *zarr) root(attributes map[string]any) {
	z.meta("", map[string]any{"node_type": "group", "attributes": attributes,
		"consolidated_metadata": map[string]any{"kind": "inline", "must_understand": false, "metadata": z.nodes}})
}

// group begins a group.
func (z *zarr) group(path string, attributes map[string]any) {
	z.meta(path, map[string]any{"node_type": "group", "attributes": attributes})
}

// array writes an array whose dimensions have these names and sizes. values are float64, int64, bool or string, row by row. The first
// dimension is cut into single rows, each a chunk, if apart is true.
func (z *zarr) array(path string, dims []string, shape []int, apart bool, values any) {
	chunk, chunks := append([]int{}, shape...), 1
	if apart {
		chunk[0], chunks = 1, shape[0]
	}
	codecs := []map[string]any{{"name": "bytes", "configuration": map[string]any{"endian": "little"}}}
	var kind string
	var fill any
	var raw func(from, to int) []byte
	var n int
	switch x := values.(type) {
	case []float64:
		kind, fill, n = "float64", "NaN", len(x)
		raw = func(from, to int) (b []byte) {
			for _, v := range x[from:to] {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
			}
			return b
		}
	case []int64:
		kind, fill, n = "int64", 0, len(x)
		raw = func(from, to int) (b []byte) {
			for _, v := range x[from:to] {
				b = binary.LittleEndian.AppendUint64(b, uint64(v))
			}
			return b
		}
	case []bool:
		kind, fill, n, codecs[0] = "bool", false, len(x), map[string]any{"name": "bytes"}
		raw = func(from, to int) (b []byte) {
			for _, v := range x[from:to] {
				if v {
					b = append(b, 1)
				} else {
					b = append(b, 0)
				}
			}
			return b
		}
	case []string:
		kind, fill, n, codecs[0] = "string", "", len(x), map[string]any{"name": "vlen-utf8"}
		raw = func(from, to int) (b []byte) {
			b = binary.LittleEndian.AppendUint32(b, uint32(to-from))
			for _, v := range x[from:to] {
				b = append(binary.LittleEndian.AppendUint32(b, uint32(len(v))), v...)
			}
			return b
		}
	default:
		panic("cli: an array of another type")
	}
	codecs = append(codecs, map[string]any{"name": "gzip", "configuration": map[string]any{"level": 1}})
	z.meta(path, map[string]any{"node_type": "array", "shape": shape, "data_type": kind, "fill_value": fill, "codecs": codecs, "dimension_names": dims, "attributes": map[string]any{},
		"chunk_grid":         map[string]any{"name": "regular", "configuration": map[string]any{"chunk_shape": chunk}},
		"chunk_key_encoding": map[string]any{"name": "default", "configuration": map[string]any{"separator": "/"}}})
	for c := range chunks {
		name := path + "/c" + strings.Repeat("/0", len(shape))
		if apart {
			name = path + "/c/" + number(float64(c)) + strings.Repeat("/0", len(shape)-1)
		}
		z.chunk(name, raw(c*(n/chunks), (c+1)*(n/chunks)))
	}
}

func (z *zarr) chunk(name string, raw []byte) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err == nil {
		_, err = w.Write(raw)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic("cli: a chunk cannot be packed in memory")
	}
	z.put(name, b.Bytes())
}
