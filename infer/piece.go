package infer

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"

	"achilles/infer/compare"
)

// pieceForm is part of every key, so that pieces in another form, or drawn in another way, are not used.
const pieceForm = "form 10"

// A piece is the stored result of one finished fit.
type piece struct {
	Key         string           `json:"key"`           // digest of everything that the fit depends on
	Fit         *Fit             `json:"fit,omitempty"` // the fit of the layout; nil if nothing needs it (run.needsLayout)
	Profiles    []Profile        `json:"profiles,omitempty"`
	Units       []Unit           `json:"units,omitempty"`
	Predictions []Prediction     `json:"predictions,omitempty"`
	Failure     float64          `json:"failure,omitempty"` // failure rate of the responses that the fit used
	Verdict     *compare.Verdict `json:"verdict,omitempty"`
	Expected    []float64        `json:"expected,omitempty"` // success probabilities of the comparable responses by a fit to all
	Shape       [3]int           `json:"shape"`              // number of chains, of draws in each, and of parameters
	draws       [][][]float64
}

// encode returns one line of JSON followed by the draws, little-endian.
func (p *piece) encode() ([]byte, error) {
	head, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	b := append(slices.Grow(head, 1+8*p.Shape[0]*p.Shape[1]*p.Shape[2]), '\n')
	for _, chain := range p.draws {
		for _, draw := range chain {
			for _, x := range draw {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
			}
		}
	}
	return b, nil
}

// decodePiece inverts encode. It returns nil if b is not a whole piece with this key: the fit is then done again.
func decodePiece(b []byte, key string) *piece {
	head, rest, ok := bytes.Cut(b, []byte{'\n'})
	p := &piece{}
	if !ok || json.Unmarshal(head, p) != nil || p.Key != key {
		return nil
	}
	n := p.Shape
	if n[0] < 0 || n[1] < 0 || n[2] < 0 || len(rest) != 8*n[0]*n[1]*n[2] {
		return nil
	}
	for range n[0] {
		var chain [][]float64
		for range n[1] {
			draw := make([]float64, n[2])
			for k := range draw {
				draw[k] = math.Float64frombits(binary.LittleEndian.Uint64(rest))
				rest = rest[8:]
			}
			chain = append(chain, draw)
		}
		p.draws = append(p.draws, chain)
	}
	return p
}
