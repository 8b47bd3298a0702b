package part

import (
	"encoding/json"
	"maps"
	"path"
	"strings"
)

// isOld says whether a format is that of a part of this name before all manifests had one form.
func isOld(name, format string, version int) bool {
	switch name {
	case Public:
		return format == "achilles-public" && (version == 1 || version == 2)
	case Inferred:
		return format == "achilles-inferred" && (version == 1 || version == 2) || format == "achilles-watched" && version == 1
	}
	return false
}

// isAlike says whether the manifest of an older version of a part has the form that it has now. It keeps its version.
func isAlike(name string, version int) bool { return name == Public && version == 3 }

// old reads a manifest that was written before all had one form: it listed files only, and had digest and settings under other
// keys. It keeps its format and version, so that nobody takes it for a new one.
func old(text []byte, name string) (*Manifest, error) {
	var was struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
		Files   []File `json:"files"`

		// of a public part
		Sealed     string          `json:"sealed"`
		Features   json.RawMessage `json:"features"`
		Measures   json.RawMessage `json:"measures"`
		Covariates json.RawMessage `json:"covariates"`

		// of an inferred part
		Public string                     `json:"public"`
		Layout json.RawMessage            `json:"layout"`
		Bank   json.RawMessage            `json:"bank"`
		Config map[string]json.RawMessage `json:"config"`
	}
	read := json.Unmarshal
	if name == Public { // what it must not say is refused, as it was
		read = Strictly
	}
	if err := read(text, &was); err != nil {
		return nil, err
	}
	m := &Manifest{Format: was.Format, Version: was.Version, Parents: map[string]string{}}
	if was.Sealed != "" {
		m.Parents[Sealed] = was.Sealed
	}
	if was.Public != "" {
		m.Parents[Public] = was.Public
	}
	settings := map[string]json.RawMessage{}
	maps.Copy(settings, was.Config)
	for key, v := range map[string]json.RawMessage{"layout": was.Layout, "bank": was.Bank, "features": was.Features, "measures": was.Measures, "covariates": was.Covariates} {
		if v != nil {
			settings[key] = v
		}
	}
	m.Settings = encode(settings)
	for _, f := range was.Files {
		if name == Public && !strings.Contains(f.Path, "/") {
			t := Table{Files: []File{f}, Rows: -1}
			t.Name = strings.TrimSuffix(f.Path, path.Ext(f.Path))
			m.Tables = append(m.Tables, t)
		} else {
			m.Files = append(m.Files, f)
		}
	}
	return m, nil
}
