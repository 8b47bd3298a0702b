// Package submit writes what a cluster needs to do the shards of a run and then to merge them: batch scripts of Slurm, and
// Jobs of Kubernetes. It hands them over with the programs of the cluster, sbatch and kubectl.
package submit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"text/template"
	"unicode"
	"unicode/utf8"

	"achilles/sim/expr"
)

// A Run is a run that is divided into shards.
type Run struct {
	Name       string   // of the jobs; see JobName
	Program    string   // achilles, or a path
	Args       []string // of the run, without --shards
	Out        string   // results directory
	Shards     int      // at least 1
	Processors int      // of one shard, at least 1
	Memory     string   // of one shard, such as 4G; the cluster's default if empty
	Stopped    int      // exit code of a program that stopped before its end and goes on if it is started again
}

// run returns the command of the run.
func (r *Run) run() []string { return append([]string{r.Program}, r.Args...) }

// share returns the command of a shard, to which the cluster tells its number.
func (r *Run) share() []string { return append(r.run(), "--shards", strconv.Itoa(r.Shards)) }

// merge returns the command that unites the shards.
func (r *Run) merge() []string { return []string{r.Program, "merge", r.Out} }

// check returns an error if a value cannot stand in a script.
func (r *Run) check(more ...string) error {
	if r.Memory != "" && !size.MatchString(r.Memory) {
		return fmt.Errorf("memory %q: want a number and M, G or T, such as 4G", r.Memory)
	}
	for _, text := range append(append([]string{r.Program, r.Out}, r.Args...), more...) {
		if strings.ContainsFunc(text, unicode.IsControl) || !utf8.ValidString(text) {
			return fmt.Errorf("%q: a script has no place for control characters and broken UTF-8", text)
		}
	}
	return nil
}

var size = regexp.MustCompile(`^[1-9][0-9]{0,6}[MGT]$`)

// JobName returns a name as Kubernetes allows it (RFC 1123), made from any text: small letters, digits and hyphens, at most 40.
func JobName(text string) string {
	name := strings.Map(func(c rune) rune {
		switch {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			return c
		case 'A' <= c && c <= 'Z':
			return c - 'A' + 'a'
		}
		return '-'
	}, text)
	name = strings.Trim(name[:min(len(name), 40)], "-")
	if name == "" {
		return "run"
	}
	return name
}

// fill returns the text of a template with the values of data.
func fill(text string, data any) []byte {
	var b bytes.Buffer
	t := template.Must(template.New("").Funcs(template.FuncMap{"shell": shell}).Parse(text))
	if err := t.Execute(&b, data); err != nil {
		panic("submit: a template of this package does not fit its values")
	}
	return b.Bytes()
}

// shell returns a command as a shell reads it.
func shell(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = expr.Quote(w)
	}
	return strings.Join(out, " ")
}

// call runs a program and returns what it printed. The error has what it complained of.
func call(ctx context.Context, program string, args ...string) (string, error) {
	var out, complaint bytes.Buffer
	c := exec.CommandContext(ctx, program, args...)
	c.Stdout, c.Stderr = &out, &complaint
	err := c.Run()
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("there is no program %s on this machine", program)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", shell(c.Args), err, strings.Join(strings.Fields(complaint.String()), " "))
	}
	return strings.TrimSpace(out.String()), nil
}
