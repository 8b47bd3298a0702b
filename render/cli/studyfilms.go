package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"achilles/render/picture"
	"achilles/render/study"
	"achilles/scenarios/generate"
	"achilles/scenarios/results"
	"achilles/scenarios/scenario"
	"achilles/sim/expr"
	"achilles/sim/record"
	"achilles/sim/rng"
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
	r := rng.Stream(root, "study", "videos")
	chosen := chooseVideos(watched, s.Videos, &r)
	progress := a.progress("films of episodes")
	for i := range watched {
		if err := ctx.Err(); err != nil {
			return err
		}
		progress(i, len(watched))
		if err := addFilms(site, &watched[i], chosen); err != nil {
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

// chooseVideos returns the names of n videos drawn from those of all items; of all if n is 0.
func chooseVideos(watched []record.Watched, n int, r *rng.Rand) map[string]bool {
	var names []string
	for _, item := range watched {
		for v := range item.Videos {
			names = append(names, videoID(&item, v))
		}
	}
	chosen := map[string]bool{}
	for _, k := range r.Perm(len(names)) {
		if chosen[names[k]] = true; len(chosen) == n {
			break
		}
	}
	return chosen
}

func videoID(item *record.Watched, v int) string { return item.Item + "-" + record.VideoName(v) }

// addFilms adds the chosen videos of an item to a site. A film that both have is one file.
func addFilms(site *study.Site, item *record.Watched, chosen map[string]bool) error {
	list := make([]study.Item, len(item.Videos))
	for v := range list {
		list[v].ID = videoID(item, v)
	}
	list = slices.DeleteFunc(list, func(x study.Item) bool { return !chosen[x.ID] })
	if len(list) == 0 {
		return nil
	}
	err := eachTrial(item, func(v int, s stimulus, t *record.SceneTrial) error {
		k := slices.IndexFunc(list, func(x study.Item) bool { return x.ID == videoID(item, v) })
		if k < 0 {
			return nil
		}
		b, err := film(t)
		list[k].Films = append(list[k].Films, study.Film{File: "films/" + item.Item + "/" + s.file, MS: 10 * picture.FrameTime * s.frames, GIF: b})
		return err
	})
	site.Items = append(site.Items, list...)
	return err
}
