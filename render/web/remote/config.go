package remote

// A Start is what the viewer in a browser reads when it starts.
type Start struct {
	Title   string `json:"title"`
	Play    bool   `json:"play"` // whether a person takes a battery; otherwise the viewer shows a directory
	Subject string `json:"subject,omitempty"`
	Item    string `json:"item,omitempty"`
	Files   []File `json:"files,omitempty"` // files of the results directory that the viewer may read; nil if a person plays
}

// A Reply is a reply of a person who has received the first Received lines.
type Reply struct {
	Received int    `json:"received"`
	Answer   string `json:"answer,omitempty"`
	Leave    bool   `json:"leave,omitempty"`
}

// Paths that a page requests, relative to the address that ends with the token.
const (
	ConfigName = "config.json"
	DataPrefix = "data/"
	LinesName  = "lines"
	ReplyName  = "reply"
)
