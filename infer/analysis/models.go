package analysis

import (
	"slices"

	"achilles/infer/predict"
	"achilles/infer/table"
)

// Models names the models that can be asked for, from the simplest to those that know the items.
func Models() []string {
	return []string{"majority", "global", "subject", "tree", "tree_relevant", "logistic", "boost", "factor_features", "blend", "rasch", "factor"}
}

// model makes the model of a name; ok is false where it makes no sense for the features.
func (c *Config) model(name string) (predict.Predictor, bool) {
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

// lineup is all models in the order of Models, then the plugged-in ones.
func (c *Config) lineup() (ps []predict.Predictor) {
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
