package voe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"achilles/sim/record"
)

// Format and Version name the format of an inferred directory of episodes; docs/reference/format.md specifies it.
const (
	Format  = "achilles-watched"
	Version = 1
)

const (
	manifestFile  = "manifest.json"
	surprisesFile = "surprises.parquet"
)

func trialsFile(shard int) string  { return fmt.Sprintf("trials/%06d.parquet", shard) }
func beliefsFile(shard int) string { return fmt.Sprintf("beliefs/%06d.parquet", shard) }
func momentsFile(shard int) string { return fmt.Sprintf("moments/%06d.parquet", shard) }

// A Manifest says what observers watched and how. It has no clock and nothing sealed.
type Manifest struct {
	Format  string        `json:"format"`
	Version int           `json:"version"`
	Public  string        `json:"public"` // SHA-256 of the bytes of public/manifest.json, which has the digests of all public files
	Config  Settings      `json:"config"`
	Files   []record.File `json:"files"` // sorted by path
}

// Settings are the settings that a result depends on.
type Settings struct {
	Seed      string     `json:"seed"`              // decimal: JSON numbers are not safe above 2^53
	Observers []string   `json:"observers"`         // in the order of their reports
	Moments   int        `json:"moments"`           // of so many items moments are kept
	Outside   []Outsider `json:"outside,omitempty"` // observers from outside
}

func (m *Manifest) encode() ([]byte, error) {
	slices.SortFunc(m.Files, func(a, b record.File) int { return strings.Compare(a.Path, b.Path) })
	b, err := json.MarshalIndent(m, "", "  ")
	return append(b, '\n'), err
}

// A Result is an inferred directory of episodes. Beliefs and moments stay on disk.
type Result struct {
	Manifest  Manifest
	Surprises []Surprise // by item and video, in the order of the observers; those from outside at the end
}

// IsResult says whether an inferred directory is one of episodes, by its manifest.
func IsResult(dir fs.FS) bool {
	var head struct {
		Format string `json:"format"`
	}
	b, err := fs.ReadFile(dir, manifestFile)
	return err == nil && json.Unmarshal(b, &head) == nil && head.Format == Format
}

// Open reads an inferred directory of episodes and verifies every digest.
func Open(dir fs.FS) (*Result, error) {
	r := &Result{}
	b, err := fs.ReadFile(dir, manifestFile)
	if err != nil {
		return nil, fmt.Errorf("inferred: %w", err)
	}
	if err := json.Unmarshal(b, &r.Manifest); err != nil {
		return nil, fmt.Errorf("inferred/%s: %w", manifestFile, err)
	}
	if m := r.Manifest; m.Format != Format || m.Version != Version {
		return nil, fmt.Errorf("inferred/%s: format %q version %d; want %q version %d", manifestFile, m.Format, m.Version, Format, Version)
	}
	for _, f := range r.Manifest.Files {
		b, err := r.read(dir, f)
		if err != nil {
			return nil, err
		}
		if f.Path != surprisesFile {
			continue
		}
		if r.Surprises, err = ReadSurprises(bytes.NewReader(b), int64(len(b))); err != nil {
			return nil, fmt.Errorf("inferred/%s: %w", surprisesFile, err)
		}
	}
	if r.Surprises == nil {
		return nil, fmt.Errorf("inferred/%s: no %s is listed", manifestFile, surprisesFile)
	}
	return r, nil
}

func (r *Result) read(dir fs.FS, f record.File) ([]byte, error) {
	b, err := fs.ReadFile(dir, f.Path)
	if err != nil {
		return nil, fmt.Errorf("inferred: %w", err)
	}
	if record.NewFile(f.Path, b) != f {
		return nil, fmt.Errorf("inferred/%s: digest differs from the manifest: the file was changed or is incomplete", f.Path)
	}
	return b, nil
}

// Trials reads what observers with beliefs made of each trial of the items in a shard of scenes; none where there are no
// such observers.
func (r *Result) Trials(dir fs.FS, shard int) ([]TrialSurprise, error) {
	return readShard[TrialSurprise](r, dir, trialsFile(shard))
}

// Convictions reads what observers thought after each trial of the items in a shard of scenes; none where nobody thought
// anything.
func (r *Result) Convictions(dir fs.FS, shard int) ([]Conviction, error) {
	return readShard[Conviction](r, dir, beliefsFile(shard))
}

// Frames reads what observers thought frame by frame of the items in a shard of scenes; none where no moments were kept.
func (r *Result) Frames(dir fs.FS, shard int) ([]Frame, error) {
	return readShard[Frame](r, dir, momentsFile(shard))
}

func readShard[T any](r *Result, dir fs.FS, name string) ([]T, error) {
	i := slices.IndexFunc(r.Manifest.Files, func(f record.File) bool { return f.Path == name })
	if i < 0 {
		return nil, nil
	}
	b, err := r.read(dir, r.Manifest.Files[i])
	if err != nil {
		return nil, err
	}
	return readRows[T](bytes.NewReader(b), int64(len(b)))
}
