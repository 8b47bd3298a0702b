package infer

import (
	"achilles/infer/misfit"
	"achilles/infer/posterior"
	"achilles/infer/table"
)

// A Profile is the posterior of one parameter of one subject, from all its responses. A diagnostic that cannot be computed,
// as for constant draws, is nil.
type Profile struct {
	Subject   string   `parquet:"subject,plain"`
	Parameter string   `parquet:"parameter,plain"`
	Group     string   `parquet:"group,plain"` // capability, bias or robustness
	Mean      float64  `parquet:"mean"`
	SD        float64  `parquet:"sd"`
	MCSE      *float64 `parquet:"mcse,optional"` // Monte-Carlo standard error of the mean
	Q5        float64  `parquet:"q5"`
	Q25       float64  `parquet:"q25"`
	Q50       float64  `parquet:"q50"`
	Q75       float64  `parquet:"q75"`
	Q95       float64  `parquet:"q95"`
	ESSBulk   *float64 `parquet:"ess_bulk,optional"`
	ESSTail   *float64 `parquet:"ess_tail,optional"`
	RHat      *float64 `parquet:"rhat,optional"`

	// The evidence of the subject's fit, the same for all its parameters.
	LogEvidence   *float64 `parquet:"log_evidence,optional"`    // log marginal likelihood of the subject's responses under the layout
	LogEvidenceSE *float64 `parquet:"log_evidence_se,optional"` // standard error of LogEvidence
}

// A Prediction is the success probability of a held-out response, from a fit on the subject's other responses.
type Prediction struct {
	Subject    string  `parquet:"subject,plain"`
	Item       string  `parquet:"item,plain"`
	Trial      int32   `parquet:"trial"`
	Repetition int32   `parquet:"repetition"`
	Measure    string  `parquet:"measure,plain"`
	P          float64 `parquet:"p"`
}

// A Fit says how the posterior of one subject was computed.
type Fit struct {
	Subject     string              `json:"subject"`
	Rows        string              `json:"rows"`               // AllRows (the fit gives the profile) or FitRows (the predictions)
	Engine      string              `json:"engine"`             // engine that made the draws
	Replaced    []string            `json:"replaced,omitempty"` // why the chains of NUTS were replaced
	Chains      int                 `json:"chains"`
	Draws       int                 `json:"draws"` // number of draws of each chain
	Divergences int                 `json:"divergences"`
	Divergent   [][]int             `json:"divergent,omitempty"` // chain → indices of its divergent draws; absent: none
	WorstRHat   *float64            `json:"worst_rhat,omitempty"`
	MinESSBulk  *float64            `json:"min_ess_bulk,omitempty"`
	MinESSTail  *float64            `json:"min_ess_tail,omitempty"`
	LogEvidence *float64            `json:"log_evidence,omitempty"`
	EvidenceSE  *float64            `json:"log_evidence_se,omitempty"`
	Modes       []float64           `json:"modes,omitempty"` // weights of the posterior's modes, if there are more than one
	Gradients   int                 `json:"gradients"`       // number of evaluations of the log density with its gradient
	Likelihoods int                 `json:"likelihoods"`     // number of evaluations of the likelihood alone
	Warnings    []posterior.Warning `json:"warnings,omitempty"`

	// Misfit and LOO are nil unless the fit is to all responses (AllRows) and has draws. A fit of all subjects together has a
	// Misfit unless it has too many responses, and LOO unless it has too many responses or is an approximation.
	Misfit *misfit.Result `json:"misfit,omitempty"`
	LOO    *LeaveOneOut   `json:"loo,omitempty"`

	Maximum *posterior.Maximum `json:"maximum,omitempty"` // of engine mml; otherwise nil

	Widening *Widening `json:"widening,omitempty"` // nil: the posterior is as the layout has it
}

// Diagnostics has all fits of a run, sorted by subject and rows, and over all fits the sum of divergences, the worst R-hat
// and the smallest effective sample sizes.
type Diagnostics struct {
	Layout      string   `json:"layout"`
	Divergences int      `json:"divergences"`
	WorstRHat   *float64 `json:"worst_rhat,omitempty"`
	MinESSBulk  *float64 `json:"min_ess_bulk,omitempty"`
	Replaced    int      `json:"replaced"` // number of fits in which the tempered engine replaced the chains of NUTS
	Fits        []Fit    `json:"fits"`

	Alike []misfit.Pair `json:"alike,omitempty"` // pairs of subjects whose responses agree beyond chance, the least probable first

	Findings []table.Finding `json:"findings,omitempty"` // what the responses cannot tell, before any fit

	Identifiability *Identifiability `json:"identifiability,omitempty"` // of the subjects' parameters; nil without a profile
}

// A LeaveOneOut says how well each response of a subject is predicted from the subject's other responses, by Pareto
// smoothed importance sampling (Vehtari, Gelman and Gabry 2017; Vehtari et al. 2024).
type LeaveOneOut struct {
	ELPD   *float64 `json:"elpd,omitempty"`    // expected log predictive density: the sum over responses
	SE     *float64 `json:"se,omitempty"`      // standard error of ELPD if the responses are a sample
	P      *float64 `json:"p,omitempty"`       // effective number of parameters
	BadK   int      `json:"bad_k"`             // number of responses with a Pareto shape above the limit; if many, distrust ELPD
	WorstK *float64 `json:"worst_k,omitempty"` // largest Pareto shape
}

// A Sampled says how NUTS came to a draw of a fit to all responses. The density and the energy are those in the coordinates in which it moved, and
// without a constant.
type Sampled struct {
	Subject string  `parquet:"subject,plain" json:"-"` // Everybody: all were measured together
	Chain   int32   `parquet:"chain" json:"c"`
	Draw    int32   `parquet:"draw" json:"d"`
	LP      float64 `parquet:"lp" json:"l"`         // log density of the posterior
	Energy  float64 `parquet:"energy" json:"e"`     // −LP + ½|momentum|²
	Depth   int32   `parquet:"tree_depth" json:"n"` // number of doublings of the trajectory
	Step    float64 `parquet:"step_size" json:"s"`
}

// A Unit is the posterior of one parameter of an item, of a group of items, or of everybody, from all responses.
type Unit struct {
	Parameter string   `parquet:"parameter,plain"`
	Kind      string   `parquet:"kind,plain"`    // item, shared, or the column whose values are the groups
	Unit      string   `parquet:"unit,plain"`    // ID of the item or value of the column; "" if shared
	Mean      *float64 `parquet:"mean,optional"` // nil, as SD and MCSE, if the tails of the draws are too heavy for a mean
	SD        *float64 `parquet:"sd,optional"`
	MCSE      *float64 `parquet:"mcse,optional"` // Monte-Carlo standard error of the mean
	Q5        float64  `parquet:"q5"`
	Q25       float64  `parquet:"q25"`
	Q50       float64  `parquet:"q50"`
	Q75       float64  `parquet:"q75"`
	Q95       float64  `parquet:"q95"`
	ESSBulk   *float64 `parquet:"ess_bulk,optional"`
	ESSTail   *float64 `parquet:"ess_tail,optional"`
	RHat      *float64 `parquet:"rhat,optional"`
}

// Name returns the name of the parameter of the unit, as in difficulty[q1]; that of a shared one has no brackets.
func (u *Unit) Name() string {
	if u.Unit == "" {
		return u.Parameter
	}
	return u.Parameter + "[" + u.Unit + "]"
}

// Shown returns what stands for the unit where one number does: the mean, or the median where there is none.
func (u *Unit) Shown() float64 {
	if u.Mean == nil {
		return u.Q50
	}
	return *u.Mean
}

// A PathPrediction compares the path of a subject on a held-out item with paths predicted from the subject's profile,
// which was fitted to the responses that are not held out. Distances to the actual path are root mean squares over
// ticks, in cells (trajectory.Scene.RMSE).
type PathPrediction struct {
	Subject       string  `parquet:"subject,plain"`
	Item          string  `parquet:"item,plain"`
	Trial         int32   `parquet:"trial"`
	Repetition    int32   `parquet:"repetition"`
	Success       float64 `parquet:"success"`         // predicted probability of success
	RMSE          float64 `parquet:"rmse"`            // distance of the predicted path: the medoid of the sampled paths
	Likely        float64 `parquet:"rmse_likely"`     // distance of the most frequent of the sampled paths
	Fan           float64 `parquet:"rmse_fan"`        // mean distance of the sampled paths
	Direct        float64 `parquet:"rmse_direct"`     // distance of the shortest path to the reward under full information
	Still         float64 `parquet:"rmse_still"`      // distance of a path that stays at the start
	Pooled        float64 `parquet:"rmse_pooled"`     // as RMSE, but predicted from the pooled profiles of all subjects
	PooledFan     float64 `parquet:"rmse_pooled_fan"` // as Fan, but predicted from the pooled profiles
	PooledSuccess float64 `parquet:"success_pooled"`  // as Success, but predicted from the pooled profiles
}

// The two kinds of fit of a subject.
const (
	AllRows = "all" // fit to all responses; it gives the profile
	FitRows = "fit" // fit to the responses that are not held out; it gives predictions of the held-out ones
)
