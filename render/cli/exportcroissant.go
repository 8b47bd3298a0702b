package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"achilles/scenarios/seal"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/table"
)

// The vocabulary of Croissant 1.0: the context that its specification gives (mlcommons.github.io/croissant), as JSON-LD.
const croissantContext = `{"@language":"en","@vocab":"https://schema.org/","citeAs":"cr:citeAs","column":"cr:column","conformsTo":"dct:conformsTo",
"cr":"http://mlcommons.org/croissant/","rai":"http://mlcommons.org/croissant/RAI/","data":{"@id":"cr:data","@type":"@json"},
"dataType":{"@id":"cr:dataType","@type":"@vocab"},"dct":"http://purl.org/dc/terms/","equivalentProperty":"cr:equivalentProperty",
"examples":{"@id":"cr:examples","@type":"@json"},"extract":"cr:extract","field":"cr:field","fileProperty":"cr:fileProperty",
"fileObject":"cr:fileObject","fileSet":"cr:fileSet","format":"cr:format","includes":"cr:includes","isLiveDataset":"cr:isLiveDataset",
"jsonPath":"cr:jsonPath","key":"cr:key","md5":"cr:md5","parentField":"cr:parentField","path":"cr:path","recordSet":"cr:recordSet",
"references":"cr:references","regex":"cr:regex","repeated":"cr:repeated","replace":"cr:replace","samplingRate":"cr:samplingRate",
"sc":"https://schema.org/","separator":"cr:separator","source":"cr:source","subField":"cr:subField","transform":"cr:transform"}`

type (
	// croissant is a data set in Croissant 1.0.
	croissant struct {
		Context      json.RawMessage    `json:"@context"`
		Type         string             `json:"@type"`
		ConformsTo   string             `json:"conformsTo"`
		Name         string             `json:"name"`
		Description  string             `json:"description"`
		Identifier   string             `json:"identifier"`
		Version      string             `json:"version,omitempty"`
		License      string             `json:"license,omitempty"`
		URL          string             `json:"url,omitempty"`
		Published    string             `json:"datePublished,omitempty"`
		CiteAs       string             `json:"citeAs,omitempty"`
		Creator      *croissantCreator  `json:"creator,omitempty"`
		Distribution []croissantFile    `json:"distribution"`
		RecordSet    []croissantRecords `json:"recordSet,omitempty"`
	}
	croissantCreator struct {
		Type string `json:"@type"`
		Name string `json:"name"`
	}
	croissantFile struct {
		Type   string `json:"@type"`
		ID     string `json:"@id"`
		Name   string `json:"name"`
		URL    string `json:"contentUrl"`
		Size   string `json:"contentSize"`
		Format string `json:"encodingFormat"`
		SHA256 string `json:"sha256"`
	}
	croissantRecords struct {
		Type  string           `json:"@type"`
		ID    string           `json:"@id"`
		Name  string           `json:"name"`
		Key   *croissantID     `json:"key,omitempty"`
		Field []croissantField `json:"field"`
	}
	croissantID struct {
		ID string `json:"@id"`
	}
	croissantField struct {
		Type        string          `json:"@type"`
		ID          string          `json:"@id"`
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		DataType    string          `json:"dataType"`
		Source      croissantSource `json:"source"`
	}
	croissantSource struct {
		FileObject croissantID       `json:"fileObject"`
		Extract    map[string]string `json:"extract"`
	}
)

// croissantOf returns the description of a public part in Croissant 1.0: every file with its digest, and the columns of every table.
func croissantOf(q *cardSettings, m *record.Manifest, description, digest string) []byte {
	c := croissant{
		Context: json.RawMessage(croissantContext), Type: "sc:Dataset", ConformsTo: "http://mlcommons.org/croissant/1.0",
		Name: q.Name, Description: description, Identifier: "sha256:" + digest, Version: q.Version, License: q.Licence,
		URL: q.URL, Published: q.Date, CiteAs: q.Cite,
	}
	if q.Creator != "" {
		c.Creator = &croissantCreator{"sc:Organization", q.Creator}
		if q.Person {
			c.Creator.Type = "sc:Person"
		}
	}
	for _, f := range m.All() {
		c.Distribution = append(c.Distribution, croissantFile{"cr:FileObject", f.Path, f.Path, seal.PublicPart + "/" + f.Path,
			fmt.Sprintf("%d B", f.Bytes), mediaType(f.Path), f.SHA256})
	}
	for i := range m.Tables {
		if t := &m.Tables[i]; len(columnsIn(m, t)) > 0 {
			c.RecordSet = append(c.RecordSet, croissantTable(t, columnsIn(m, t)))
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if e.Encode(c) != nil {
		panic("cli: a data set has no JSON form") // it has texts alone
	}
	return b.Bytes()
}

func croissantTable(t *part.Table, columns []table.Column) croissantRecords {
	r := croissantRecords{Type: "cr:RecordSet", ID: t.Name, Name: t.Name}
	// names of columns are anybody's: a colon would end a prefix of JSON-LD
	id := func(column string) string { return t.Name + "/" + url.QueryEscape(column) }
	for _, c := range columns {
		f := croissantField{Type: "cr:Field", ID: id(c.Name), Name: c.Name, Description: c.Doc, DataType: "sc:Text",
			Source: croissantSource{croissantID{t.Files[0].Path}, map[string]string{"column": c.Name}}}
		switch c.Kind {
		case table.Text:
		case table.Count:
			f.DataType = "sc:Integer"
		default:
			f.DataType = "sc:Float"
		}
		if c.Unit != "" {
			f.Description = strings.TrimPrefix(f.Description+"; unit: "+c.Unit, "; ")
		}
		r.Field = append(r.Field, f)
	}
	if t.Name == "items" || t.Name == "subjects" {
		key := strings.TrimSuffix(t.Name, "s")
		if slices.ContainsFunc(columns, func(c table.Column) bool { return c.Name == key }) {
			r.Key = &croissantID{id(key)}
		}
	}
	return r
}

// mediaType returns the type of a file of a public part by its suffix.
func mediaType(file string) string {
	switch path.Ext(file) {
	case ".parquet":
		return "application/x-parquet"
	case ".txt":
		return "text/plain"
	case ".json":
		return "application/json"
	}
	return "application/octet-stream"
}
