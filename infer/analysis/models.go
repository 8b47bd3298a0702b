package analysis

import (
	"fmt"
	"slices"

	"achilles/infer/layout"
	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/record"
)

// Models returns the names of the models of the package, from the simplest to those with effects of single items.
func Models() []string {
	return []string{"majority", "global", "subject", "tree", "tree_relevant", "logistic", "boost", "factor_features", "blend", "rasch", "factor"}
}

// model makes the model of a name out of Models; ok is false if the model needs features and there are none.
func (c *Config) model(name string) (_ predict.Predictor, ok bool) {
	p := &c.Prediction
	boost, pooled := predict.DefaultBoost("boost", p.Features), predict.DefaultFactor("factor_features", p.Features)
	pooled.Pooled = true
	switch name {
	case "majority":
		return predict.Majority{}, true
	case "global":
		return predict.Global{}, true
	case "subject":
		return predict.Subject{}, true
	case "tree":
		return predict.DefaultTree(name, p.Features), true
	case "tree_relevant":
		relevant := c.named(table.Relevant)
		return predict.DefaultTree(name, relevant), len(relevant) > 0
	case "logistic":
		return predict.DefaultLogistic(name, p.Features), true
	case "boost":
		return boost, true
	case "factor_features":
		return pooled, len(p.Features) > 0
	case "blend":
		return predict.Blend{ID: name, Parts: []predict.Predictor{boost, pooled}}, len(p.Features) > 0
	case "rasch":
		f := predict.DefaultFactor(name, nil)
		f.Dimensions = 0
		return f, true
	case "factor":
		return predict.DefaultFactor(name, p.ItemFeatures), true
	}
	panic("analysis: unknown model " + name)
}

// predictors returns the configured models in the order of Models, then c.Predictors.
func (c *Config) predictors() (ps []predict.Predictor) {
	for _, name := range Models() {
		if !slices.Contains(c.Prediction.Models, name) {
			continue
		}
		if p, ok := c.model(name); ok {
			ps = append(ps, p)
		}
	}
	return append(ps, c.Predictors...)
}

// LayoutPredictor makes a predictor from the text of a layout: it binds the layout to the items of the data and predicts
// the analysed measure. It fails if the layout is wrong, does not fit the data, or has the name of another model.
func (c *Config) LayoutPredictor(d *record.Dataset, file, text string) (predict.Predictor, error) {
	l, err := layout.Parse(file, text)
	if err != nil {
		return nil, err
	}
	for _, p := range c.Predictors {
		if p.Name() == l.Name {
			return nil, fmt.Errorf("%s: the name %s is taken by another model", file, l.Name)
		}
	}
	if slices.Contains(Models(), l.Name) {
		return nil, fmt.Errorf("%s: the name %s is that of another model", file, l.Name)
	}
	design, err := l.Bind(&d.Items, d.Manifest.Measures)
	if err != nil {
		return nil, err
	}
	measure := c.Measure
	if measure == "" {
		measure = successMeasure(d)
	}
	return predict.NewLayoutPredictor(design, d.Manifest.Measures, measure)
}
