package analysis

import (
	"slices"
	"strconv"

	"achilles/infer/chargrid"
	"achilles/infer/predict"
	"achilles/sim/num"
)

// The format of analysis.json.
const (
	Format  = "achilles-analysis"
	version = 1
)

// A Document is the content of the files of an analysis: analysis.json, which users' own programs may read, and the
// tables beside it. Analysis.Document makes a Document from results, Read makes one from what was written. If a number is not
// defined, analysis.json does not have it.
type Document struct {
	Format       string                       `json:"format"`
	Version      int                          `json:"version"`
	Measure      string                       `json:"measure"`
	Subjects     int                          `json:"subjects"`
	Items        int                          `json:"items"`
	Responses    int                          `json:"responses"`
	SuccessRate  float64                      `json:"success_rate"`
	Settings     settings                     `json:"settings"`
	Features     []BinnedFeature              `json:"features"`
	Correlations map[string]correlationDoc    `json:"correlations"`
	Conformance  map[string]float64           `json:"conformance"`
	Robustness   map[string]robustnessDoc     `json:"robustness"`
	Correlation  *float64                     `json:"capability_success_correlation,omitempty"`
	Capability   *capabilityDoc               `json:"capability,omitempty"`
	Prediction   map[string]Losses            `json:"prediction"`
	Shift        map[string]shiftDoc          `json:"shift"`
	New          map[string]map[string]Losses `json:"new,omitempty"`       // by unit: subject, item or both
	Agreement    map[string]agreementDoc      `json:"agreement,omitempty"` // by model
	Warnings     []Caveat                     `json:"warnings"`
	Partial      bool                         `json:"partial,omitempty"` // whether the analysis was interrupted; Warnings say what is missing

	Tables Tables `json:"-"`
}

// settings are what the numbers depend on, but for the data.
type settings struct {
	Seed         string  `json:"seed"` // decimal digits as text, because JSON numbers are not exact above 2^53
	Level        float64 `json:"level"`
	Replicates   int     `json:"replicates"`
	Permutations int     `json:"permutations"`
	Threshold    float64 `json:"competence_threshold"`
	Confidence   float64 `json:"competence_confidence"`
	Texts        []Text  `json:"texts,omitempty"` // of configuration, layouts and splits
}

// A BinnedFeature is a feature of the items with the labels of its bins.
type BinnedFeature struct {
	Name    string   `json:"name"`
	Role    string   `json:"role"`
	Kind    string   `json:"kind"` // number or text
	Expr    string   `json:"expr,omitempty"`
	Binning string   `json:"binning"`
	Bins    []string `json:"bins"`
}

// An interval is [low, high]; nil if an end is not finite.
type interval *[2]float64

type correlationDoc struct {
	Responses          float64  `json:"responses"`
	Values             int      `json:"values"`
	Spearman           *float64 `json:"spearman,omitempty"`
	SpearmanFisher     interval `json:"spearman_fisher,omitempty"`
	SpearmanCluster    interval `json:"spearman_cluster,omitempty"`
	Pearson            *float64 `json:"pearson,omitempty"`
	PearsonFisher      interval `json:"pearson_fisher,omitempty"`
	PearsonCluster     interval `json:"pearson_cluster,omitempty"`
	ConformanceCluster interval `json:"conformance_cluster,omitempty"`
	Intercept          *float64 `json:"intercept,omitempty"`
	Slope              *float64 `json:"slope,omitempty"`
	SlopeCluster       interval `json:"slope_cluster,omitempty"`
	Eta                *float64 `json:"eta,omitempty"`
	Shape              string   `json:"shape,omitempty"`
	Turn               *float64 `json:"turn,omitempty"`
	Reason             string   `json:"reason,omitempty"`
}

type robustnessDoc struct {
	Robustness *float64 `json:"robustness,omitempty"`
	Spread     *float64 `json:"spread,omitempty"`
	Expected   *float64 `json:"spread_by_chance,omitempty"`
	P          *float64 `json:"p,omitempty"`
	Cells      int      `json:"cells"`
	Reason     string   `json:"reason,omitempty"`
}

type capabilityDoc struct {
	Space     string   `json:"space"`
	Cells     int      `json:"cells"`
	UsedCells int      `json:"used_cells"`
	Pearson   *float64 `json:"pearson,omitempty"`
	Fisher    interval `json:"pearson_fisher,omitempty"`
	Spearman  *float64 `json:"spearman,omitempty"`
}

// Losses are the mean losses of one model over the splits. A loss that is not defined is nil.
type Losses struct {
	Splits   int      `json:"splits"`
	Error    *float64 `json:"error,omitempty"`
	ErrorInt interval `json:"error_interval,omitempty"`
	ErrorSD  *float64 `json:"error_sd,omitempty"`
	MAE      *float64 `json:"mae,omitempty"`
	MAEInt   interval `json:"mae_interval,omitempty"`
	MSE      *float64 `json:"mse,omitempty"`
	MSEInt   interval `json:"mse_interval,omitempty"`
	Brier    *float64 `json:"brier,omitempty"` // the MSE of a binary measure
	BrierInt interval `json:"brier_interval,omitempty"`
	LogLoss  *float64 `json:"log_loss,omitempty"`
	Bias     *float64 `json:"bias,omitempty"`
}

type agreementDoc struct {
	Spearman    *float64 `json:"spearman,omitempty"`
	Kendall     *float64 `json:"kendall,omitempty"`
	Stability   *float64 `json:"stability,omitempty"`
	StabilitySD *float64 `json:"stability_sd,omitempty"`
	Negative    *float64 `json:"negative_slopes,omitempty"`
}

type shiftDoc struct {
	Train  int               `json:"train"`
	Test   int               `json:"test"`
	Models map[string]Losses `json:"models"`
}

// Sets returns the names of the sets of subjects that have pooled results: "all", then the groups.
func (d *Document) Sets() (names []string) {
	for i := range d.Tables.Curves {
		if n := d.Tables.Curves[i].Set; !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	if names == nil {
		return []string{"all"}
	}
	return names
}

// Models returns the names of the models that were graded, in the order of the tables.
func (d *Document) Models() (names []string) {
	for _, rows := range [][]GradeRow{d.Tables.Prediction, d.Tables.Shift} {
		for i := range rows {
			if n := rows[i].Model; !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	return names
}

// Shifts returns the names of the shifts, in the order of the table.
func (d *Document) Shifts() (names []string) {
	for i := range d.Tables.Shift {
		if n := d.Tables.Shift[i].Shift; !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

func span(low, high float64) interval {
	if num.Finite(low) == nil || num.Finite(high) == nil {
		return nil
	}
	return &[2]float64{low, high}
}

func spanOf(i chargrid.Interval) interval { return span(i.Low, i.High) }

// Document returns the content of the files of the analysis.
func (a *Analysis) Document() *Document {
	c := &a.Settings
	d := &Document{Format: Format, Version: version, Measure: a.Measure, Subjects: len(a.Subjects), Items: a.Items, Responses: a.Responses, SuccessRate: a.SuccessRate,
		Settings:     settings{strconv.FormatUint(c.Seed, 10), c.Level, a.Replicates, c.Permutations, c.Competence.Threshold, c.Competence.Confidence, c.texts()},
		Features:     []BinnedFeature{},
		Correlations: map[string]correlationDoc{}, Conformance: map[string]float64{}, Robustness: map[string]robustnessDoc{},
		Prediction: a.models(a.Prediction), Shift: map[string]shiftDoc{}, Warnings: append([]Caveat{}, a.Warnings...), Partial: a.Partial}
	for i, f := range a.Features {
		kind := "number"
		if f.Nominal() {
			kind = "text"
		}
		d.Features = append(d.Features, BinnedFeature{f.Name, string(f.Role), kind, c.Features[i].Expr, a.Axes[i].Rule, append([]string{}, a.Axes[i].Labels...)})
	}
	for _, r := range a.Sets[0].Correlations {
		d.Correlations[r.Feature] = correlationDoc{r.Responses, r.Levels, num.Finite(r.Spearman.Value), spanOf(r.Spearman.Fisher), spanOf(r.Spearman.Cluster),
			num.Finite(r.Pearson.Value), spanOf(r.Pearson.Fisher), spanOf(r.Pearson.Cluster), spanOf(r.Conformance.Cluster),
			num.Finite(r.Line.Intercept.Value), num.Finite(r.Line.Slope.Value), spanOf(r.Line.Slope.Cluster), num.Finite(r.Eta), string(r.Shape), num.Finite(r.Turn), r.Reason}
		if v := num.Finite(r.Conformance.Value); v != nil {
			d.Conformance[r.Feature] = *v
		}
	}
	for _, r := range a.Sets[0].Robustness {
		d.Robustness[r.Feature] = robustnessDoc{num.Finite(r.Value), num.Finite(r.Spread), num.Finite(r.Expected), num.Finite(r.P), r.Cells, r.Reason}
	}
	if k := a.Capability; k != nil {
		d.Correlation = num.Finite(k.Pearson)
		d.Capability = &capabilityDoc{k.Space, a.Spaces[0].Space.Cells, k.UsedCells, num.Finite(k.Pearson), spanOf(k.Interval), num.Finite(k.Spearman)}
	}
	for _, s := range a.Shifts {
		d.Shift[s.Name] = shiftDoc{s.Train, s.Test, a.models(s.Models)}
	}
	for _, n := range a.New {
		if d.New == nil {
			d.New = map[string]map[string]Losses{}
		}
		d.New[string(n.Unit)] = a.models(n.Models)
	}
	for i := range a.Traits {
		if d.Agreement == nil {
			d.Agreement = map[string]agreementDoc{}
		}
		r := &a.Traits[i]
		d.Agreement[r.Model] = agreementDoc{num.Finite(r.Spearman), num.Finite(r.Kendall), num.Finite(r.Stability), num.Finite(r.StabilitySD), num.Finite(r.Negative)}
	}
	d.Tables = a.tables()
	return d
}

func (a *Analysis) models(results []ModelResult) map[string]Losses {
	out := map[string]Losses{}
	for _, r := range results {
		get := func(m predict.Metric) (*float64, interval) {
			s := r.Summary[m]
			return num.Finite(s.Mean), span(max(s.Low, 0), min(s.High, 1)) // responses and predictions are within [0, 1]
		}
		d := Losses{Splits: len(r.Splits)}
		d.Error, d.ErrorInt = get(predict.Error)
		d.MAE, d.MAEInt = get(predict.MAE)
		d.MSE, d.MSEInt = get(predict.MSE)
		d.LogLoss, _ = get(predict.LogLoss)
		d.Bias, _ = get(predict.Bias)
		if len(r.Splits) > 1 {
			d.ErrorSD = num.Finite(r.Summary[predict.Error].SD)
		}
		if a.Binary {
			d.Brier, d.BrierInt = d.MSE, d.MSEInt
		}
		out[r.Model] = d
	}
	return out
}
