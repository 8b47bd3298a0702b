package generate

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/klauspost/compress/s2"

	"achilles/sim/store"
)

// A packing has the episodes of all bodies in a battery, compressed trial by trial: about an eighth of what a list of
// Episode takes. What is more than packedInMemory waits in a file.
type packing struct {
	trials []slot // sorted by item and trial
	packed *store.Spool
	at     []store.Span // by trial: where its episodes are in packed

	// as returns which subject of the session an episode belongs to, given the subject who acted; ok is false if the
	// episode does not belong to the session. If as is nil, every episode belongs to the subject who acted.
	as func(subject, item int) (owner int, ok bool)
}

// packedInMemory is the number of bytes of packed episodes that stay in memory.
const packedInMemory = 16 << 20

// only returns a packing in which as applies to the episodes of p. It returns nil if p is nil.
func (p *packing) only(as func(subject, item int) (owner int, ok bool)) *packing {
	if p == nil {
		return nil
	}
	out := *p
	out.as = func(subject, item int) (int, bool) {
		if p.as != nil {
			var ok bool
			if subject, ok = p.as(subject, item); !ok {
				return 0, false
			}
		}
		return as(subject, item)
	}
	return &out
}

// inMemory returns why what waits for publication is in memory though it is much, and nil if it is not.
func (s *Session) inMemory() error {
	err := s.Battery.Items.Err()
	if err == nil && s.packed != nil {
		err = s.packed.packed.Err()
	}
	return err
}

// A packer compresses the episodes of one trial after another. One goroutine may use it. The zero packer is ready for use.
type packer struct {
	plain  bytes.Buffer
	packed []byte
}

// add adds an episode to those of the current trial.
func (p *packer) add(e *Episode) {
	var number [binary.MaxVarintLen64]byte
	for _, n := range []int{e.Subject, e.Repetition} {
		p.plain.Write(binary.AppendUvarint(number[:0], uint64(n)))
	}
	for _, s := range []string{e.Moves, e.Eyes, e.Beliefs, e.Cause} {
		p.plain.Write(binary.AppendUvarint(number[:0], uint64(len(s))))
		p.plain.WriteString(s)
	}
}

// pack returns the episodes that were added since the last call, compressed. The result is valid until the next call. Compression is
// that of S2, which takes a fraction of the time of deflate, and a third more memory.
func (p *packer) pack() []byte {
	p.packed = s2.Encode(p.packed[:cap(p.packed)], p.plain.Bytes())
	p.plain.Reset()
	return p.packed
}

// of returns the episodes of a trial that belong to the session. There may be none.
func (p *packing) of(at slot) ([]Episode, error) {
	k, ok := slices.BinarySearchFunc(p.trials, at, func(a, b slot) int { return cmp.Or(a.item-b.item, a.trial-b.trial) })
	if !ok {
		return nil, nil
	}
	return p.unpack(k)
}

// unpack returns the episodes of trial k that belong to the session.
func (p *packing) unpack(k int) ([]Episode, error) {
	packed, err := p.packed.Get(p.at[k])
	if err != nil {
		return nil, fmt.Errorf("episodes that wait for publication: %w", err)
	}
	plain, err := s2.Decode(nil, packed)
	if err != nil {
		return nil, fmt.Errorf("generate: packed episodes: %w", err)
	}
	var list []Episode
	at := p.trials[k]
	for r := (&unpacker{rest: string(plain)}); r.rest != ""; {
		e := Episode{Subject: r.number(), Item: at.item, Trial: at.trial, Repetition: r.number()}
		e.Moves, e.Eyes, e.Beliefs, e.Cause = r.text(), r.text(), r.text(), r.text()
		if r.bad {
			return nil, errPacked
		}
		ok := true
		if p.as != nil {
			e.Subject, ok = p.as(e.Subject, e.Item)
		}
		if ok {
			list = append(list, e)
		}
	}
	return list, nil
}

var errPacked = errors.New("generate: packed episodes: cut short")

// An unpacker reads what a packer wrote before compression.
type unpacker struct {
	rest string
	bad  bool // whether rest was too short for what was read last
}

func (u *unpacker) number() int {
	n, size := binary.Uvarint([]byte(u.rest[:min(len(u.rest), binary.MaxVarintLen64)]))
	u.bad = u.bad || size <= 0
	u.rest = u.rest[max(size, 0):]
	return int(n)
}

func (u *unpacker) text() string {
	n := u.number()
	u.bad = u.bad || n < 0 || n > len(u.rest)
	if u.bad {
		return ""
	}
	s := u.rest[:n]
	u.rest = u.rest[n:]
	return s
}
