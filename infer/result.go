package infer

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"

	"achilles/infer/compare"
	"achilles/infer/layout"
	"achilles/sim/record"
)

// Format and Version name the format of an inferred directory.
const (
	Format  = "achilles-inferred"
	Version = 1
)

// A Manifest says what a result was inferred from and with what. It has no clock and nothing sealed.
type Manifest struct {
	Format  string        `json:"format"`
	Version int           `json:"version"`
	Public  string        `json:"public"` // SHA-256 of the bytes of public/manifest.json, which has the digests of all public files
	Layout  LayoutDigest  `json:"layout"`
	Bank    *LayoutDigest `json:"bank,omitempty"` // of all its files; absent where no rivals were compared
	Config  Settings      `json:"config"`
	Files   []record.File `json:"files"`
}

// A LayoutDigest names a layout by its text.
type LayoutDigest struct {
	Name    string          `json:"name"`
	SHA256  string          `json:"sha256"`
	Walking *layout.Walking `json:"walking,omitempty"` // absent where it says nothing about how a subject walks
}

// Settings are the settings that a result depends on.
type Settings struct {
	Seed    string `json:"seed"` // decimal: JSON numbers are not safe above 2^53
	Chains  int    `json:"chains"`
	Warmup  int    `json:"warmup"`
	Draws   int    `json:"draws"`
	Engine  string `json:"engine"`
	Predict bool   `json:"predict"`
}

// A Profile is the posterior of one parameter of one subject, from all its responses.
// A diagnostic that cannot be computed (one chain, constant draws) is nil.
type Profile struct {
	Subject   string   `parquet:"subject,dict"`
	Parameter string   `parquet:"parameter,dict"`
	Group     string   `parquet:"group,dict"` // capability, bias or robustness
	Mean      float64  `parquet:"mean"`
	SD        float64  `parquet:"sd"`
	MCSE      *float64 `parquet:"mcse,optional"` // Monte-Carlo standard error of the mean
	Q5        float64  `parquet:"q5"`
	Q25       float64  `parquet:"q25"`
	Q50       float64  `parquet:"q50"`
	Q75       float64  `parquet:"q75"`
	Q95       float64  `parquet:"q95"`
	ESSBulk   *float64 `parquet:"ess_bulk,optional"`
	ESSTail   *float64 `parquet:"ess_tail,optional"`
	RHat      *float64 `parquet:"rhat,optional"`
}

// A Prediction is the success probability of a held-out response, from a fit on the subject's other responses.
type Prediction struct {
	Subject    string  `parquet:"subject,dict"`
	Item       string  `parquet:"item,dict"`
	Trial      int32   `parquet:"trial"`
	Repetition int32   `parquet:"repetition"`
	Measure    string  `parquet:"measure,dict"`
	P          float64 `parquet:"p"`
}

// A Fit says how one subject's posterior was computed.
type Fit struct {
	Subject     string    `json:"subject"`
	Rows        string    `json:"rows"`               // "all" (the profile) or "fit" (the predictions)
	Engine      string    `json:"engine"`             // which engine's draws are reported
	Replaced    []string  `json:"replaced,omitempty"` // why the chains of NUTS were not believed and replaced
	Chains      int       `json:"chains"`
	Draws       int       `json:"draws"` // a chain
	Divergences int       `json:"divergences"`
	WorstRHat   *float64  `json:"worst_rhat,omitempty"`
	MinESSBulk  *float64  `json:"min_ess_bulk,omitempty"`
	MinESSTail  *float64  `json:"min_ess_tail,omitempty"`
	LogEvidence *float64  `json:"log_evidence,omitempty"`
	Gradients   int       `json:"gradients"`   // evaluations of the log density with its gradient
	Likelihoods int       `json:"likelihoods"` // evaluations of the likelihood alone
	Warnings    []Warning `json:"warnings,omitempty"`
}

// A Warning is a doubt about a number, printed beside it.
type Warning struct {
	Kind      string `json:"kind"`
	Parameter string `json:"parameter,omitempty"`
	Message   string `json:"message"`
}

// Diagnostics are all fits of a run, sorted by subject and rows, with the worst of each number over them.
type Diagnostics struct {
	Layout      string   `json:"layout"`
	Divergences int      `json:"divergences"`
	WorstRHat   *float64 `json:"worst_rhat,omitempty"`
	MinESSBulk  *float64 `json:"min_ess_bulk,omitempty"`
	Replaced    int      `json:"replaced"` // fits whose chains disagreed and were replaced by the mode-moving engine
	Fits        []Fit    `json:"fits"`
}

// A Result is an inferred directory in memory. Profiles are sorted by subject, then in the layout's order;
// predictions by subject, item, trial and repetition, and so are paths, of which there are none where nobody acts.
type Result struct {
	Manifest    Manifest
	Profiles    []Profile
	Predictions []Prediction
	Paths       []PathPrediction
	Draws       Draws
	Diagnostics Diagnostics
	Verdicts    *compare.Verdicts // nil where no rivals were compared
}

// encode returns every file of the directory, the manifest with their digests included.
func (r *Result) encode() (map[string][]byte, error) {
	files := map[string][]byte{}
	var err error
	put := func(name string, b []byte, e error) {
		files[name] = b
		if err == nil && e != nil {
			err = fmt.Errorf("infer: %s: %w", name, e)
		}
	}
	b, e := encodeTable(r.Profiles)
	put("profiles.parquet", b, e)
	b, e = profilesCSV(r.Profiles)
	put("profiles.csv", b, e)
	b, e = encodeTable(r.Predictions)
	put("predictions.parquet", b, e)
	if len(r.Paths) > 0 {
		b, e = encodeTable(r.Paths)
		put("paths.parquet", b, e)
	}
	b, e = r.Draws.encode()
	put("draws.parquet", b, e)
	b, e = indented(r.Diagnostics)
	put("diagnostics.json", b, e)
	if r.Verdicts != nil {
		b, e = r.Verdicts.Encode()
		put(compare.VerdictsFile, b, e)
		put(compare.WordsFile, r.Verdicts.Markdown(), nil)
	}
	if err != nil {
		return nil, err
	}
	r.Manifest.Files = nil
	for name, b := range files {
		r.Manifest.Files = append(r.Manifest.Files, record.File{Path: name, Bytes: int64(len(b)), SHA256: digest(b)})
	}
	slices.SortFunc(r.Manifest.Files, func(a, b record.File) int { return cmp.Compare(a.Path, b.Path) })
	b, e = indented(r.Manifest)
	put("manifest.json", b, e)
	return files, err
}

// Open reads an inferred directory and verifies every digest.
func Open(dir fs.FS) (*Result, error) {
	r := &Result{}
	b, err := fs.ReadFile(dir, "manifest.json")
	if err != nil {
		return nil, fmt.Errorf("inferred: %w", err)
	}
	if err := json.Unmarshal(b, &r.Manifest); err != nil {
		return nil, fmt.Errorf("inferred/manifest.json: %w", err)
	}
	if m := r.Manifest; m.Format != Format || m.Version != Version {
		return nil, fmt.Errorf("inferred/manifest.json: format %q version %d; this program reads %q version %d", m.Format, m.Version, Format, Version)
	}
	files := map[string][]byte{}
	for _, f := range r.Manifest.Files {
		if files[f.Path], err = fs.ReadFile(dir, f.Path); err != nil {
			return nil, fmt.Errorf("inferred: %w", err)
		}
		if digest(files[f.Path]) != f.SHA256 {
			return nil, fmt.Errorf("inferred/%s: digest differs from the manifest: the file was changed or is incomplete", f.Path)
		}
	}
	if r.Profiles, err = decodeTable[Profile](files["profiles.parquet"]); err != nil {
		return nil, fmt.Errorf("inferred/profiles.parquet: %w", err)
	}
	if r.Predictions, err = decodeTable[Prediction](files["predictions.parquet"]); err != nil {
		return nil, fmt.Errorf("inferred/predictions.parquet: %w", err)
	}
	if b, ok := files["paths.parquet"]; ok {
		if r.Paths, err = decodeTable[PathPrediction](b); err != nil {
			return nil, fmt.Errorf("inferred/paths.parquet: %w", err)
		}
	}
	if err := r.Draws.decode(files["draws.parquet"]); err != nil {
		return nil, fmt.Errorf("inferred/draws.parquet: %w", err)
	}
	if err := json.Unmarshal(files["diagnostics.json"], &r.Diagnostics); err != nil {
		return nil, fmt.Errorf("inferred/diagnostics.json: %w", err)
	}
	if b := files[compare.VerdictsFile]; b != nil {
		if r.Verdicts, err = compare.Decode(b); err != nil {
			return nil, fmt.Errorf("inferred: %w", err)
		}
	}
	return r, nil
}

func digest(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

func indented(v any) ([]byte, error) {
	b, err := json.MarshalIndent(v, "", "  ")
	return append(b, '\n'), err
}

func profilesCSV(ps []Profile) ([]byte, error) {
	var buf bytes.Buffer
	w := csv.NewWriter(&buf)
	rows := [][]string{{"subject", "parameter", "mean", "sd", "mcse", "q5", "q25", "q50", "q75", "q95", "ess_bulk", "ess_tail", "rhat"}}
	num := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	opt := func(x *float64) string {
		if x == nil {
			return ""
		}
		return num(*x)
	}
	for _, p := range ps {
		rows = append(rows, []string{p.Subject, p.Parameter, num(p.Mean), num(p.SD), opt(p.MCSE), num(p.Q5), num(p.Q25), num(p.Q50), num(p.Q75), num(p.Q95), opt(p.ESSBulk), opt(p.ESSTail), opt(p.RHat)})
	}
	err := w.WriteAll(rows)
	return buf.Bytes(), err
}

// finite returns a pointer to x, or nil where x is NaN or infinite.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
