package analysis

import (
	"fmt"
	"slices"
	"strings"

	"achilles/infer/embedding"
	"achilles/infer/layout"
	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/record"
)

// usual returns the names of the models that are fitted if the configuration names none, from the simplest to those
// with effects of single items.
func usual() []string {
	return []string{"majority", "global", "subject", "tree", "tree_relevant", "logistic", "boost", "factor_features", "blend", "rasch", "factor"}
}

// Models returns the names of all models: the usual ones, those that need skills or much time, and Camilla and its
// rivals, each trained as published and until convergence.
func Models() []string {
	names := append(usual(), "item", "neighbours", "factor_analysis", "subject_skills")
	for _, k := range embedding.Kinds() {
		names = append(names, string(k)+"_published", string(k))
	}
	return append(names, "stack")
}

// model returns the model with a name from Models. ok is false if the model needs features or skills and there are
// none.
func (c *Settings) model(name string) (_ predict.Predictor, ok bool) {
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
	case "item":
		return predict.ItemMean{}, true
	case "neighbours":
		return neighbours(name), true
	case "factor_analysis":
		return predict.DefaultFactorAnalysis(name), true
	case "subject_skills":
		return predict.Profile{ID: name, Skills: p.Skills}, len(p.Skills) > 0
	case "stack":
		return c.stack(name), true
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
	kind, published := strings.CutSuffix(name, "_published")
	if !slices.Contains(embedding.Kinds(), embedding.Kind(kind)) {
		panic("analysis: unknown model " + name)
	}
	if published {
		return embedding.Released(embedding.Kind(kind), p.Skills), true
	}
	own := embedding.Converged(embedding.Kind(kind), p.Skills)
	own.Loss = p.Loss
	return own, true
}

// neighbours predicts from subjects who respond alike.
func neighbours(name string) predict.Predictor {
	return predict.Neighbours{ID: name, Width: 0.05}
}

// stack returns the model stack. Its parts are two models of abilities, neighbours among subjects and neighbours among items,
// each with two widths, and, if skills are known, the subjects' success rates on items that need the same skills.
func (c *Settings) stack(name string) predict.Predictor {
	mirt, rasch := embedding.Converged(embedding.MIRT, nil), embedding.Converged(embedding.MF, nil)
	mirt.Starts = 4
	parts := []predict.Predictor{mirt, rasch}
	for _, width := range []float64{0.01, 0.05} {
		parts = append(parts, predict.Neighbours{ID: fmt.Sprint("subjects", width), Width: width}, predict.Neighbours{ID: fmt.Sprint("items", width), Width: width, Items: true})
	}
	if s := c.Prediction.Skills; len(s) > 0 {
		parts = append(parts, predict.Profile{ID: "skills", Skills: s})
	}
	return predict.Stack{ID: name, Parts: parts, Folds: 5, MaxRows: 200_000}
}

// predictors returns the configured models in the order of Models, then c.Predictors.
func (c *Settings) predictors() (ps []predict.Predictor) {
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

// LayoutPredictor returns a predictor of the analysed measure by a layout, and adds its text to Texts. It binds the layout to the
// items of the data. It fails if the layout does not fit the data, or has the name of another model.
func (c *Settings) LayoutPredictor(d *record.Dataset, l *layout.Layout) (predict.Predictor, error) {
	for _, p := range c.Predictors {
		if p.Name() == l.Name {
			return nil, fmt.Errorf("%s: the name %s is taken by another model", l.File, l.Name)
		}
	}
	if slices.Contains(Models(), l.Name) {
		return nil, fmt.Errorf("%s: the name %s is that of another model", l.File, l.Name)
	}
	design, err := l.Bind(&d.Items, d.Manifest.Measures)
	if err != nil {
		return nil, err
	}
	measure := c.Measure
	if measure == "" {
		measure = successMeasure(d)
	}
	c.Texts = append(c.Texts, newText("layout", l.Name, l.Text))
	return predict.NewLayoutPredictor(design, d.Manifest.Measures, measure)
}
