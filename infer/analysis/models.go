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
	names := append(usual(), "item", "neighbours", "ease", "factor_analysis", "subject_skills")
	for _, k := range embedding.Kinds() {
		names = append(names, string(k)+"_published", string(k))
	}
	return append(names, "stack")
}

// RatesAbility reports whether the abilities that a model estimates are expected success rates. It is false for irt, and for
// models trained as published.
func RatesAbility(model string) bool {
	return slices.Contains(embedding.Kinds(), embedding.Kind(model)) && embedding.Kind(model) != embedding.IRT
}

// model returns the model of a table with a name from Models. ok is false if the model needs features or skills and there are
// none.
func (c *Settings) model(name string, t *table.Table) (_ predict.Predictor, ok bool) {
	p := &c.Prediction
	boost, pooled := c.boost("boost"), c.factor("factor_features", p.Features, t)
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
	case "ease":
		return predict.DefaultEASE(name), true
	case "factor_analysis":
		return predict.DefaultFactorAnalysis(name), true
	case "subject_skills":
		return predict.Profile{ID: predict.ID(name), Skills: p.Skills}, len(p.Skills) > 0
	case "stack":
		return c.stack(name, t), true
	case "tree":
		return predict.DefaultTree(name, p.Features), true
	case "tree_relevant":
		relevant := c.named(table.Relevant)
		return predict.DefaultTree(name, relevant), len(relevant) > 0
	case "logistic":
		return c.logistic(name), true
	case "boost":
		return boost, true
	case "factor_features":
		return pooled, len(p.Features) > 0
	case "blend":
		return predict.Blend{ID: predict.ID(name), Parts: []predict.Predictor{boost, pooled}}, len(p.Features) > 0
	case "rasch":
		f := c.factor(name, nil, t)
		f.Dimensions = 0
		if !p.Thorough { // one maximum
			f.Chains = 2
		}
		return f, true
	case "factor":
		return c.factor(name, p.ItemFeatures, t), true
	}
	kind, published := strings.CutSuffix(name, "_published")
	if !slices.Contains(embedding.Kinds(), embedding.Kind(kind)) {
		panic("analysis: unknown model " + name)
	}
	if published {
		released := embedding.Released(embedding.Kind(kind), p.Skills)
		released.Subsets = p.Subsets
		return p.searched(released), true
	}
	own := embedding.Converged(embedding.Kind(kind), p.Skills)
	own.Subsets = p.Subsets
	own.Loss = p.Loss
	return p.searched(own), true
}

// boost returns gradient boosting: unless it is to be thorough, with fewer ensembles and folds, and trees that count twice.
func (c *Settings) boost(name string) predict.Boost {
	b := predict.DefaultBoost(name, c.Prediction.Features)
	if !c.Prediction.Thorough {
		b.Bags, b.Folds, b.Rounds, b.Rate = 2, 2, b.Rounds/2, 2*b.Rate
	}
	return b
}

// logistic returns logistic regression: unless it is to be thorough, with fewer candidates and folds.
func (c *Settings) logistic(name string) predict.Logistic {
	o := predict.DefaultLogistic(name, c.Prediction.Features)
	if !c.Prediction.Thorough {
		o.Penalties, o.Folds = []float64{1}, 3
	}
	return o
}

// factor returns an item response model for a table: unless it is to be thorough, with shorter chains, and no more than a
// dimension for every third subject.
func (c *Settings) factor(name string, features []string, t *table.Table) predict.Factor {
	f := predict.DefaultFactor(name, features)
	if !c.Prediction.Thorough {
		f.Warmup, f.Draws = 40, 60
		f.Dimensions = min(f.Dimensions, max(1, len(t.Subjects)/3))
	}
	return f
}

// searched returns a model that chooses among the configured ways to train it.
func (p *Prediction) searched(m embedding.Predictor) embedding.Predictor {
	whole := func(xs []float64) (out []int) {
		for _, x := range xs {
			out = append(out, int(x))
		}
		return out
	}
	return m.Searched(whole(p.Dimensions), whole(p.Layers), p.Steps)
}

// neighbours predicts from subjects who respond alike.
func neighbours(name string) predict.Predictor {
	return predict.Neighbours{ID: predict.ID(name), Width: 0.05}
}

// stack returns the model stack for a table. Its parts are a regression on all other responses, MIRT, neighbours among subjects and among
// items of three widths, the rates of subjects and items, in a small table factor analysis, and, if skills are known, the subjects' success rates on items
// that need the same skills. If it is to be thorough, there are a second regression, two starts of MIRT, and twice as many folds and trees.
func (c *Settings) stack(name string, t *table.Table) predict.Predictor {
	const (
		small = 50_000 // responses
		many  = 2000   // of whom all pairs would be too many
	)
	mirt := embedding.Converged(embedding.MIRT, nil)
	mirt.Starts, mirt.Candidates = 1, []embedding.Candidate{{Dimensions: 20, Slope: 2}}
	ease := predict.DefaultEASE("ease")
	ease.Ridges = ease.Ridges[:1] // the trees find out how far to trust it
	parts := []predict.Predictor{ease, mirt, predict.Subject{}, predict.ItemMean{}}
	simple := len(parts) // all neighbours of few subjects are noise
	if c.Prediction.Thorough {
		mirt.Starts = 2
		firmer := predict.DefaultEASE("ease, firmer")
		firmer.Ridges = []float64{6} // between the second and the third of the candidates
		parts[1], parts = mirt, append(parts, firmer)
	}
	for _, width := range []float64{0.003, 0.01, 0.03} {
		if len(t.Subjects) <= many {
			parts = append(parts, predict.Neighbours{ID: predict.ID(fmt.Sprint("subjects ", width)), Width: width})
		}
		if len(t.Items) <= many {
			parts = append(parts, predict.Neighbours{ID: predict.ID(fmt.Sprint("items ", width)), Width: width, Items: true})
		}
	}
	if t.Rows() <= small {
		for _, k := range []int{3, 6} {
			parts = append(parts, predict.FactorAnalysis{ID: predict.ID(fmt.Sprint("factors", k)), Factors: []int{k}, Steps: 25, MaxRows: small})
		}
	}
	if s := c.Prediction.Skills; len(s) > 0 {
		parts = append(parts, predict.Profile{ID: "skills", Skills: s})
	}
	s := predict.DefaultStack(name, parts, c.Prediction.Loss == embedding.Absolute)
	s.Simple = simple
	if c.Prediction.Thorough {
		s.Folds, s.Boost.Rounds, s.Boost.Rate, s.Boost.MaxWork = 2*s.Folds, 2*s.Boost.Rounds, s.Boost.Rate/2, 2*s.Boost.MaxWork
	}
	return s
}

// predictors returns the configured models in the order of Models, then c.Predictors.
func (c *Settings) predictors(t *table.Table) (ps []predict.Predictor) {
	for _, name := range Models() {
		if !slices.Contains(c.Prediction.Models, name) {
			continue
		}
		if p, ok := c.model(name, t); ok {
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
			return nil, fmt.Errorf("%s: another model is called %s", l.File, l.Name)
		}
	}
	if slices.Contains(Models(), l.Name) {
		return nil, fmt.Errorf("%s: another model is called %s", l.File, l.Name)
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
