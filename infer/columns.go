package infer

import (
	"achilles/infer/voe"
	"achilles/sim/table"
)

// declared returns every table that an inferred part may have, without its rows, in the order in which people read them.
// parameters are those that each subject has. The name of a table is that of its file, or of the folder of its files.
func declared(parameters []string) []table.Table {
	return append([]table.Table{*table.Of(profilesAre, nil, profileColumns()), *table.Of(unitsAre, nil, unitColumns()), *table.Of(estimatesAre, nil, estimateColumns()), *table.Of(likelihoodIs, nil, likelihoodColumns()), predictionsAre, pathsAre, drawsAre(parameters), averagedAre(parameters), unitDrawsAre, samplerIs}, voe.Declared()...)
}

var predictionsAre = table.Table{
	Name: "predictions", Title: "Predictions of held-out responses, from a fit to the subject's other responses", FileOnly: true,
	Key: []string{"subject", "item", "trial", "repetition", "measure"},
	Columns: []table.Column{
		{Name: "subject", Kind: table.Text},
		{Name: "item", Kind: table.Text},
		{Name: "trial", Kind: table.Count},
		{Name: "repetition", Kind: table.Count, Weight: 1},
		{Name: "measure", Kind: table.Text, Weight: 1},
		{Name: "p", Head: "predicted", Digits: 3, Doc: "success probability; the expected value of a measure of numbers"},
	},
}

var pathsAre = table.Table{
	Name: "paths", Title: "Predicted paths of held-out episodes, and their distances from the actual ones", FileOnly: true,
	Key: []string{"subject", "item", "trial", "repetition"},
	Columns: []table.Column{
		{Name: "subject", Kind: table.Text},
		{Name: "item", Kind: table.Text},
		{Name: "trial", Kind: table.Count},
		{Name: "repetition", Kind: table.Count, Weight: 1},
		{Name: "success", Digits: 3, Doc: "predicted success probability"},
		{Name: "rmse", Head: "RMSE", Unit: "cells", Digits: 2, Doc: "of the predicted path: the medoid of the sampled paths"},
		{Name: "rmse_likely", Head: "most frequent", Unit: "cells", Digits: 2, Weight: 2, Doc: "RMSE of the most frequent of the sampled paths"},
		{Name: "rmse_fan", Head: "sampled", Unit: "cells", Digits: 2, Weight: 2, Doc: "mean RMSE of the sampled paths"},
		{Name: "rmse_direct", Head: "shortest", Unit: "cells", Digits: 2, Weight: 1, Doc: "RMSE of the shortest path to the reward under full information"},
		{Name: "rmse_still", Head: "staying put", Unit: "cells", Digits: 2, Weight: 1, Doc: "RMSE of a path that stays at the start"},
		{Name: "rmse_pooled", Head: "group profile", Unit: "cells", Digits: 2, Weight: 1, Doc: "as rmse, predicted from the draws of all subjects together"},
		{Name: "rmse_pooled_fan", Head: "group profile, sampled", Unit: "cells", Digits: 2, Weight: 3, Doc: "as rmse_fan, predicted from the draws of all subjects together"},
		{Name: "success_pooled", Head: "success, group profile", Digits: 3, Weight: 3, Doc: "as success, predicted from the draws of all subjects together"},
	},
}

var samplerIs = table.Table{
	Name: "sampler", Title: "How NUTS came to each draw", FileOnly: true, Key: []string{"subject", "chain", "draw"},
	Columns: []table.Column{
		{Name: "subject", Kind: table.Text, Doc: "everybody: all subjects were measured together"},
		{Name: "chain", Kind: table.Count},
		{Name: "draw", Kind: table.Count, Doc: "within the chain"},
		{Name: "lp", Head: "log density", Digits: 2, Doc: "of the posterior, in the coordinates of the sampler, without a constant"},
		{Name: "energy", Digits: 2, Doc: "of the draw with its momentum, likewise"},
		{Name: "tree_depth", Kind: table.Count, Doc: "doublings of the trajectory"},
		{Name: "step_size", Digits: 3, Doc: "of the chain"},
	},
}

// drawsAre returns the table of draws, which has a column for each parameter of subjects.
func drawsAre(parameters []string) table.Table {
	t := table.Table{Name: "draws", Title: "Posterior draws of the subjects' parameters", FileOnly: true, Key: []string{"subject", "chain", "draw"},
		Columns: []table.Column{{Name: "subject", Kind: table.Text}, {Name: "chain", Kind: table.Count}, {Name: "draw", Kind: table.Count, Doc: "within the chain"}}}
	for _, p := range parameters {
		t.Columns = append(t.Columns, table.Column{Name: p, Digits: 4})
	}
	return t
}

// averagedAre returns the table of the draws over a bank's rivals, with the same columns.
func averagedAre(parameters []string) table.Table {
	t := drawsAre(parameters)
	t.Name, t.Title = "averaged", "Posterior draws of the subjects' parameters, model-averaged over the candidate set"
	return t
}
