package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/record"
	"achilles/sim/store"
)

func exportCardCommand(a *app) *cobra.Command {
	var q cardSettings
	var force bool
	c := &cobra.Command{
		Use:   "card DIR",
		Short: "Describe DIR/public for others: a Croissant file and a data card",
		Long: `Export card writes DIR/croissant.json (Croissant 1.0, which catalogues and data loaders read) and DIR/DATACARD.md beside
DIR/public, whose bytes stay as they are. All that they say comes from DIR/public; what it does not say, such as a licence, is yours
to state. Whatever makes DIR/public writes both; this command adds what you state, and keeps what was stated before.
Publish both with DIR/public, never DIR/sealed.`,
		Example: `  achilles export card results/quickstart --licence https://creativecommons.org/licenses/by/4.0/ --creator "Example Lab"`,
		Args:    cobra.ExactArgs(1),
	}
	f := c.Flags()
	f.StringVar(&q.Name, "name", "", "name of the data set (default: that of DIR)")
	f.StringVar(&q.Licence, "licence", "", "address of the licence of the data")
	f.StringVar(&q.Creator, "creator", "", "who made the data")
	f.BoolVar(&q.Person, "person", false, "the creator is a person, not an organisation")
	f.StringVar(&q.URL, "url", "", "address of the data set's page")
	f.StringVar(&q.Date, "date", "", "date of publication, YYYY-MM-DD")
	f.StringVar(&q.Version, "release", "", "version of the data set, such as 1.0.0")
	f.StringVar(&q.Cite, "cite", "", "how to cite the data set, as BibTeX")
	f.BoolVar(&force, "force", false, "overwrite files that were edited or are of other data")
	c.RunE = a.do(func(_ context.Context, args []string) error {
		if err := q.check(); err != nil {
			return err
		}
		n, err := exportCard(args[0], &q, force)
		if err != nil {
			return err
		}
		a.say("%s and %s in %s describe %d files", results.CroissantFile, results.CardFile, args[0], n)
		if missing := q.missing(); len(missing) > 0 {
			a.note("Croissant also asks for %s", strings.Join(missing, ", "))
		}
		return nil
	})
	return c
}

var (
	cardRelease = regexp.MustCompile(`^\d+\.\d+\.\d+$`)
)

// check returns an error for a setting that Croissant does not take.
func (q *cardSettings) check() error {
	if err := record.CheckName(q.Name); q.Name != "" && err != nil {
		return usagef("--name %q: %v", q.Name, err)
	}
	if _, err := time.Parse(time.DateOnly, q.Date); q.Date != "" && err != nil {
		return usagef("--date %q: want a date as YYYY-MM-DD", q.Date)
	}
	if q.Version != "" && !cardRelease.MatchString(q.Version) {
		return usagef("--release %q: want a version such as 1.0.0", q.Version)
	}
	for _, x := range []struct{ flag, value string }{{"licence", q.Licence}, {"url", q.URL}} {
		u, err := url.Parse(x.value)
		if x.value != "" && (err != nil || u.Scheme == "" || u.Host == "") {
			return usagef("--%s %q: want an address such as https://example.org/data", x.flag, x.value)
		}
	}
	return nil
}

// missing returns the flags of what Croissant 1.0 requires and nobody stated.
func (q *cardSettings) missing() (flags []string) {
	for _, x := range []struct{ flag, value string }{{"--licence", q.Licence}, {"--creator", q.Creator}, {"--url", q.URL}, {"--date", q.Date}} {
		if x.value == "" {
			flags = append(flags, x.flag)
		}
	}
	return flags
}

// exportCard writes the two files beside the public part of dir, and returns how many files they describe. What is stated there already stays, except
// what q states.
func exportCard(dir string, q *cardSettings, force bool) (int, error) {
	d, err := openChecked(dir)
	if err != nil {
		return 0, err
	}
	defer d.Close()
	data, digests, err := public(d)
	if err != nil {
		return 0, err
	}
	was := readCards(d)
	for _, err := range was.faults(data, digests[seal.PublicPart]) {
		if was.there() && !errors.Is(err, errMissing) && !force {
			return 0, fmt.Errorf("%s: %w; it %w", dir, err, store.ErrExists)
		}
	}
	*q = q.over(was.stated)
	if q.Name == "" {
		q.Name = folderName(dir)
	}
	return len(data.Manifest.All()), writeCards(d, *q, data, digests[seal.PublicPart])
}
