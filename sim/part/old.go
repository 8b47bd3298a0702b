package part

import "encoding/json"

// old completes the manifest of an inferred part that was written before all manifests had one form: it listed files only, and
// had digest and settings under other keys. It keeps its version, so that nobody takes it for a new one. old returns false for
// a manifest that is none of format.
func (m *Manifest) old(text []byte, format string) bool {
	if format != InferredFormat || !(m.Format == format && (m.Version == 1 || m.Version == 2) || m.Format == "achilles-watched" && m.Version == 1) {
		return false
	}
	var was struct {
		Public string                     `json:"public"`
		Layout json.RawMessage            `json:"layout"`
		Bank   json.RawMessage            `json:"bank"`
		Config map[string]json.RawMessage `json:"config"`
	}
	if json.Unmarshal(text, &was) != nil {
		return false
	}
	if was.Config == nil {
		was.Config = map[string]json.RawMessage{}
	}
	for key, v := range map[string]json.RawMessage{"layout": was.Layout, "bank": was.Bank} {
		if v != nil {
			was.Config[key] = v
		}
	}
	settings, err := json.Marshal(was.Config)
	m.Parents, m.Settings, m.Tables = map[string]string{Public: was.Public}, settings, nil
	return err == nil
}
