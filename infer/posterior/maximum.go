package posterior

// A Maximum is what maximum marginal likelihood estimates: parameters of items and shared ones, where those of subjects are integrated out.
type Maximum struct {
	Estimates  []Estimate `json:"estimates"` // in the layout's order, then by unit
	LogLik     float64    `json:"log_lik"`
	AIC        float64    `json:"aic"`
	BIC        float64    `json:"bic"`
	Parameters int        `json:"parameters"` // that were estimated, those of which the prior counts among them
	Subjects   int        `json:"subjects"`   // with a response
	Patterns   int        `json:"patterns"`   // different ones
	Nodes      int        `json:"nodes"`      // of the integral, in all
	Fit        *FitOfAll  `json:"fit,omitempty"`
	NoFit      string     `json:"no_fit,omitempty"` // why there is no Fit
}

// A FitOfAll tests the means of responses and of their products (M2, Maydeu-Olivares and Joe 2006; of ordered categories Cai and Hansen's 2013).
type FitOfAll struct {
	M2       float64 `json:"m2"`
	DF       int     `json:"df"`
	P        float64 `json:"p"`
	RMSEA    float64 `json:"rmsea"`
	Low      float64 `json:"rmsea_low"` // ends of its 90 % interval
	High     float64 `json:"rmsea_high"`
	Subjects float64 `json:"subjects"` // without a missing response, of whom alone it is
	Items    int     `json:"items"`
}

// An Estimate is that of one value.
type Estimate struct {
	At     int      `json:"at"` // index among all values
	Value  float64  `json:"value"`
	SE     *float64 `json:"se,omitempty"`     // nil: none, as the curvature has no inverse
	Bounds string   `json:"bounds,omitempty"` // why the prior counted, where the likelihood alone has no maximum; "": it did not count
}
