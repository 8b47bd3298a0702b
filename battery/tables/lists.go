package tables

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
)

// Lists is the format of lists of resolved items, a JSON object a subject, as the SWE-bench leaderboard has them: {"resolved": [ids],
// "no_generation": [ids] …}. Who is in no list has not resolved the item either, so that the table of all items is needed.
func Lists() Format {
	return Format{Name: "list of the resolved", Sniff: isList, Read: readLists}
}

func isList(f *File) bool {
	if !strings.HasSuffix(f.Name, ".json") {
		return false
	}
	head := bytes.TrimSpace(f.Head)
	if !bytes.HasPrefix(head, []byte("{")) {
		return false
	}
	_, rest, ok := bytes.Cut(head, []byte(`"resolved"`))
	rest = bytes.TrimLeft(rest, " \t\r\n:")
	return ok && bytes.HasPrefix(rest, []byte("["))
}

// maxList is the largest file of lists, in bytes.
const maxList = 1 << 25

func readLists(files []*File, _ Reading) (*Source, error) {
	names := subjectFolders(files)
	var rows []Row
	notes := map[string]int{}
	for k, f := range files {
		lists, err := f.lists()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		resolved := map[string]bool{}
		for _, id := range lists["resolved"] {
			resolved[id] = true
		}
		seen := map[string]bool{}
		for _, list := range slices.Sorted(maps.Keys(lists)) {
			notes[list] += len(lists[list])
			for _, id := range lists[list] {
				if seen[id] {
					continue
				}
				seen[id] = true
				score := "0"
				if resolved[id] {
					score = "1"
				}
				rows = append(rows, Row{f.Name, 1, []string{names[k], id, score}})
			}
		}
	}
	out := &Source{
		Name: files[0].Name, Format: "lists of the resolved, " + count(len(files), "file"), Header: []string{"subject", "item", "resolved"},
		Known: Known{Subject: []string{"subject"}, Item: []string{"item"}, Score: "resolved", Absent: "0"},
		Each: func(yield func(Row, error) bool) {
			for _, r := range rows {
				if !yield(r, nil) {
					return
				}
			}
		},
	}
	for _, list := range slices.Sorted(maps.Keys(notes)) {
		if list != "resolved" {
			out.Notes = append(out.Notes, fmt.Sprintf("%s in lists %s read as 0", count(notes[list], "item"), list))
		}
	}
	return out, nil
}

// lists returns the lists of a file.
func (f *File) lists() (map[string][]string, error) {
	if f.Size > maxList {
		return nil, fmt.Errorf("more than %d bytes", maxList)
	}
	h, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer h.Close()
	b := make([]byte, f.Size)
	if _, err := io.ReadFull(io.NewSectionReader(h, 0, f.Size), b); err != nil {
		return nil, err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(b, &all); err != nil {
		return nil, err
	}
	out := map[string][]string{}
	for key, raw := range all {
		var list []string
		if json.Unmarshal(raw, &list) == nil && bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) {
			out[key] = list
		}
	}
	return out, nil
}

// subjectFolders returns what files of lists are about: the folders in which they differ, without results/results.json.
func subjectFolders(files []*File) []string {
	bare := make([]*File, len(files))
	for i, f := range files {
		name := strings.TrimSuffix(f.Name, ".json")
		for path.Base(name) == "results" && strings.Contains(name, "/") {
			name = path.Dir(name)
		}
		bare[i] = &File{Name: name}
	}
	return fileNames(bare)
}
