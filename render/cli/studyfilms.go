package cli

import (
	"context"
	"fmt"
	"path/filepath"

	"achilles/render/picture"
	"achilles/render/study"
	"achilles/scenarios/generate"
	"achilles/scenarios/results"
	"achilles/scenarios/scenario"
	"achilles/sim/expr"
	"achilles/sim/record"
)

// studyEpisodes is the folder of a study's directory that has the episodes and, sealed, what is expected of them.
const studyEpisodes = "episodes"

// studyFilmMapping is how import reads what people answered of films.
const studyFilmMapping = `# How import reads the answers of this study: the last film of each video. Rows of the others have kind "trial".
name = "study"

[responses]
form = "long"
subject = "participant"
item = "item"
value = %q
family = "real"
position = "position"
where = 'kind == "item"'
`

// writeFilms makes the study of a scenario whose episodes people watch.
func (s *studying) writeFilms(ctx context.Context, a *app, sc *scenario.Scenario, root uint64, out string, site *study.Site) error {
	if site.Title == "Find the ball" {
		site.Title = "Films"
	}
	at := filepath.Join(out, studyEpisodes)
	m := &making{Out: at, quiet: true}
	m.Force = s.Force
	var watched []record.Watched
	err := results.Write(at, func(d *results.Dir) error {
		if _, err := m.generate(ctx, a, d, sc, root); err != nil {
			return err
		}
		var err error
		watched, err = generate.Watched(d)
		return err
	})
	if err != nil {
		return err
	}
	for i := range watched {
		if err := addFilms(site, &watched[i]); err != nil {
			return err
		}
	}
	d, _, err := makeSite(site, nil, out, s.Force)
	if err != nil {
		return err
	}
	defer d.Close()
	value := "rating"
	if site.Answer == "look" {
		value = "looking"
	}
	if err := d.WriteFile(studyMapping, fmt.Appendf(nil, studyFilmMapping, value)); err != nil {
		return err
	}
	a.say("%d videos of scenario %s, %s per participant; the site is in %s", len(site.Items), sc.Name, count(s.Items, len(site.Items)), d.Path(studySite))
	a.note("next: achilles study serve %s", expr.Quote(out))
	return nil
}

// addFilms adds the videos of an item to a site. A film that both have is one file.
func addFilms(site *study.Site, item *record.Watched) error {
	list := make([]study.Item, len(item.Videos))
	err := eachTrial(item, func(v int, s stimulus, t *record.SceneTrial) error {
		b, err := film(t)
		list[v].ID = item.Item + "-" + record.VideoName(v)
		list[v].Films = append(list[v].Films, study.Film{File: "films/" + item.Item + "/" + s.file, MS: 10 * picture.FrameTime * s.frames, GIF: b})
		return err
	})
	site.Items = append(site.Items, list...)
	return err
}
