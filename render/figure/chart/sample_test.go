package chart_test

import (
	"fmt"
	"math"

	"achilles/render/figure/chart"
	"achilles/sim/rng"
)

// samples returns one figure of every kind, of made-up numbers. The figures have every sign that their kind can have.
func samples() map[string]chart.Figure {
	r := rng.Stream(1, "figure", "samples")
	ptr := func(x float64) *float64 { return &x }
	var rows []chart.Estimate
	for i := range 6 {
		m := 2 + 6*r.Float64()
		e := chart.Estimate{Label: fmt.Sprintf("subject-%d", i+1), Mean: m, Q5: m - 1.6, Q25: m - 0.7, Q75: m + 0.7, Q95: min(m+1.6, 10), Doubtful: i == 3}
		if i != 2 {
			e.Truth = ptr(m + r.Norm())
		}
		if i%2 == 0 {
			e.Published = ptr(m - 0.3)
		}
		rows = append(rows, e)
	}
	var groups [2]chart.Group
	var abilities, difficulties []float64
	for k := range groups {
		groups[k].Name = []string{"red", "round"}[k]
		for range 20 {
			x := rng.Stream(uint64(len(abilities)), "figure", "scatter")
			v := chart.Point{X: x.Norm(), Y: 1 + x.Float64(), Low: math.NaN(), High: math.NaN()}
			if k == 1 {
				v.Low, v.High = v.Y-0.2, v.Y+0.3
			}
			groups[k].Points = append(groups[k].Points, v)
			abilities, difficulties = append(abilities, v.X), append(difficulties, 2*v.Y-3)
		}
	}
	out := map[string]chart.Figure{"scatter": chart.Scatter("difficulty", "discrimination", groups[:]), "wright": chart.Wright(abilities, difficulties), "forest": chart.Forest("op (places)", 0, 10, rows), "forests": chart.Forests([]chart.ForestPanel{{Name: "op", Max: 10, Rows: rows}, {Name: "memory", Max: 12, Rows: rows[:5]}})}

	var cells [][]chart.Cell
	for i := range 5 {
		var row []chart.Cell
		for j := range 4 {
			v := float64(4*i+j) / 19
			row = append(row, chart.Cell{Share: &v, Text: fmt.Sprintf("%.2f", v), Small: "±0.04"})
		}
		row[i%4] = chart.Cell{Text: "–"}
		cells = append(cells, row)
	}
	out["heat"] = chart.Heat([]string{"burnt", "coin", "a very long name of a subject indeed", "perfect", "x"}, []string{"op", "memory", "visual", "flatNav"}, cells, "posterior mean, share of the maximum")

	one := 0.5
	out["tilted"] = chart.Heat([]string{"preference"}, []string{"achilles", "previous_location", "closest_euclid"}, [][]chart.Cell{{{Share: &one, Text: "50"}, {Share: &one, Text: "50"}, {Text: "–"}}}, "relative accuracy")

	var normal [2]chart.Sample
	for k := range normal {
		normal[k].Name = []string{"ours", "theirs"}[k]
		d := rng.Stream(uint64(k), "figure", "distribution")
		for range 40 - 25*k {
			normal[k].Values = append(normal[k].Values, float64(k)+d.Norm())
		}
	}
	out["distributions"] = chart.Distributions([]chart.Distribution{{Measure: "length of the way", Samples: normal[:]}, {Measure: "constant", Samples: []chart.Sample{{Name: "ours", Values: []float64{31, 31}}, {Name: "theirs"}}}, {Measure: "never measured", Samples: []chart.Sample{{Name: "ours"}}}})

	var panels []chart.RecoveryPanel
	for _, name := range []string{"op", "memory", "visual", "lava"} {
		p := chart.RecoveryPanel{Name: name, RMSE: 0.081}
		for range 12 {
			truth := max(0, min(1, 1.4*r.Float64()-0.2))
			m := truth + 0.08*r.Norm()
			p.Truth = append(p.Truth, truth)
			p.Post = append(p.Post, chart.Estimate{Mean: m, Q5: m - 0.1, Q25: m - 0.04, Q75: m + 0.04, Q95: m + 0.1})
		}
		panels = append(panels, p)
	}
	out["recovery"] = chart.Recovery(panels)

	var bins []chart.ReliabilityBin
	for k := range 10 {
		f := (float64(k) + 0.5) / 10
		bins = append(bins, chart.ReliabilityBin{Forecast: f, Rate: f * f, Low: max(f*f-0.08, 0), High: f*f + 0.08, BandLow: max(f-0.1, 0), BandHigh: min(f+0.1, 1), N: 10 + (k-5)*(k-5)*20})
	}
	out["reliability"] = chart.Reliability(bins)
	out["reliabilities"] = chart.Reliabilities([]chart.ReliabilityPanel{{Name: "burnt", Bins: bins}, {Name: "coin", Bins: bins[4:6]}})

	var scores []chart.BrierPoint
	for k := range 12 {
		rate := float64(k) / 11
		scores = append(scores, chart.BrierPoint{Label: fmt.Sprint(k), Rate: rate, Ours: rate * (1 - rate) * 0.5, Low: rate * (1 - rate) * 0.4, High: rate*(1-rate)*0.6 + 0.01, Aggregate: ptr(rate * (1 - rate) * 1.02)})
	}
	out["brier"] = chart.Brier(scores)
	out["models"] = chart.Models("MSE", []chart.ModelLoss{{Label: "global", Value: 0.248, Low: 0.24, High: 0.256}, {Label: "subject", Value: 0.174, Low: math.NaN(), High: math.NaN()}, {Label: "aaio", Value: 0.168, Low: 0.15, High: 0.186, Ours: true}})

	var params []chart.ParameterDraws
	for _, name := range []string{"op", "noise"} {
		q := chart.ParameterDraws{Name: name}
		for c := range 4 {
			var draws []float64
			for range 200 {
				draws = append(draws, r.Norm()+float64(c/3))
			}
			q.Draws = append(q.Draws, draws)
		}
		params = append(params, q)
	}
	out["trace"], out["ranks"] = chart.Traces(params), chart.Ranks(params)

	grid := chart.Grid{Of: "INAOE1", Down: "size", Across: "distance", Rows: []string{"(-3.5, -2]", "(-2, -0.5]"}, Columns: []string{"(-2.5, -1.5]", "(-1.5, -0.5]", "(-0.5, 0.5]"},
		Cells: [][][]chart.GridCell{{{{}, {N: 3, Mean: 1, Mark: "?"}, {N: 12, Mean: 0.75, Mark: "+"}}, {{N: 40, Mean: 0.1, Mark: "−"}, {}, {N: 6, Mean: 0.5, Mark: "?"}}}}}
	layered := grid
	layered.Of, layered.Layers, layered.Cells = "daydayup", []string{"ypos (-1.5, -0.5]", "ypos (0.5, 1.5]"}, append(grid.Cells, grid.Cells...)
	out["grids"] = chart.Grids([]chart.Grid{grid, layered, {Of: "all", Across: "size", Rows: []string{""}, Columns: []string{"1", "2"}, Cells: [][][]chart.GridCell{{{{N: 2, Mean: 0.5}, {N: 9, Mean: 0}}}}}})

	curve := chart.Curve{Feature: "size", Intercept: 0.6, Slope: -0.12}
	for k := range 9 {
		x := float64(k)/2 - 2
		curve.Values = append(curve.Values, chart.Point{X: x, Y: 0.6 - 0.12*x + 0.05*r.Norm(), Weight: float64(20 * (k + 1))})
	}
	curve.Bins = []chart.Point{{X: -1, Y: 0.7, Low: 0.66, High: 0.74}, {X: 1, Y: 0.5, Low: 0.46, High: 0.54}}
	side := chart.Curve{Feature: "side", Labels: []string{"left", "right"}, Values: []chart.Point{{X: 0, Y: 0.5, Weight: 9}, {X: 1, Y: 0.6, Weight: 4}}, Intercept: math.NaN(), Slope: math.NaN()}
	lights := chart.Curve{Feature: "lights", Labels: []string{"alternating", "off-initially", "on"}, Values: []chart.Point{{X: 0, Y: 0.4, Low: 0.3, High: 0.5, Weight: 9}, {X: 1, Y: 0.6, Weight: 4}, {X: 2, Y: 0.7, Weight: 4}}, Intercept: math.NaN(), Slope: math.NaN()}
	out["curves"] = chart.Curves([]chart.Curve{curve, side, lights})
	out["size"] = chart.Lines("items", "RMSE", []chart.Series{{Name: "op", Points: []chart.Point{{X: 100, Y: 0.3, Low: 0.25, High: 0.35}, {X: 500, Y: 0.2, Low: 0.17, High: 0.23}}}, {Name: "visual", Points: []chart.Point{{X: 100, Y: 0.1, Low: 0.05, High: 0.15}, {X: 500, Y: 0.04, Low: 0.03, High: 0.05}}}}, 0, 0.4)

	fall := chart.Panel{Title: "five answers", Series: []chart.Series{{Name: "alone"}, {Name: "three", Marks: []chart.Point{{X: 7, Y: 0.7, Low: 0.5, High: 0.9}, {X: 12, Y: 0.4, Low: 0.2, High: 0.6}}}}}
	for d := range 40 {
		fall.Series[0].Points = append(fall.Series[0].Points, chart.Point{X: float64(d), Y: math.Exp(-float64(d) / 12)})
		fall.Series[1].Points = append(fall.Series[1].Points, chart.Point{X: float64(d), Y: math.Exp(-float64(d*d) / 300)})
	}
	out["panels"] = chart.LinePanels("difficulty", "chance", []chart.Panel{fall, {Title: "alone", Series: fall.Series[:1]}}, 2, 0, 1)

	power := chart.Series{Name: "power of 1.5"}
	for k := range 5 {
		x := 3 * math.Pow(10, float64(k))
		power.Points = append(power.Points, chart.Point{X: x, Y: 0.002 * math.Pow(x, 1.5)})
	}
	flat := chart.Series{Name: "flat", Points: []chart.Point{{X: 10, Y: 60}, {X: 1000, Y: 60}}}
	out["log"] = chart.LogPanels("size", "cost", []chart.Panel{{Title: "both", Series: []chart.Series{power, flat}}, {Title: "one", Series: []chart.Series{{}, flat}}}, 2)

	out["compare"] = chart.Compare("RMSE, cells", []string{"predicted", "population", "shortest way", "staying put"}, []chart.Comparison{{Label: "cups", Values: []float64{1, 1.5, 2, 4}, Low: 0.8, High: 1.2}, {Label: "grid", Values: []float64{0.5, 0.6, 1.1, 3}}})
	w := chart.SurprisePair{Title: "item 1, multi-agent"}
	for k := range 60 {
		w.Expected = append(w.Expected, 0.5*math.Sin(float64(k)/9))
		w.Unexpected = append(w.Unexpected, math.Max(0, float64(k)-30)/10+0.3*math.Sin(float64(k)/9))
	}
	out["surprises"] = chart.Surprises([]chart.SurprisePair{w})
	out["shares"] = chart.StackedBars("probability", []string{"capable", "achilles-heel", "fraudster"}, []chart.StackedBar{{Label: "burnt", Parts: []float64{0.02, 0.95, 0.03}, True: 1}, {Label: "coin", Parts: []float64{0.5, 0.3, 0.2}, True: -1}})
	out["words"] = chart.Words([]string{"agent-1", "agent-2"}, []chart.WordBlock{
		{Title: "Type", Columns: []string{"design", "authors", "ours"}, Words: [][]chart.Said{
			{{Text: "Reference"}, {Text: "Reference"}, {Text: "capable", Judged: true, Agrees: true}},
			{{Text: "Achilles Heel"}, {Text: "Low OP + Achilles Heel and much more that is cut off"}, {Text: "nonspecific", Judged: true}}}},
		{Title: "Object permanence", Columns: []string{"design", "ours"}, Words: [][]chart.Said{{{Text: "Yes"}, {Text: "1.00", Judged: true, Agrees: true}}, {{Text: "Maybe"}, {}}}}})
	out["confusion"] = chart.Confusion([]string{"capable", "fraudster"}, []string{"capable", "fraudster", "cannot tell"}, [][]int{{8, 1, 1}, {0, 0, 3}})
	wide := chart.ParameterDraws{Name: "memory"}
	for _, chain := range params[0].Draws {
		var draws []float64
		for _, v := range chain {
			draws = append(draws, 2*v+r.Norm())
		}
		wide.Draws = append(wide.Draws, draws)
	}
	out["pairs"] = chart.Pairs(append(params, wide), [][]int{{3, 60}, {199}})

	cups := chart.Feature{Name: "paradigm", Labels: []string{"cups", "grid"}}
	size := chart.ReplicatedPanel{Feature: chart.Feature{Name: "size"}}
	for k := range 6 {
		p := 0.9 - 0.12*float64(k)
		size.Rates = append(size.Rates, chart.ReplicatedRate{X: float64(k), Observed: p + 0.05*r.Norm(), Mean: p, Low: p - 0.06, High: p + 0.06})
	}
	out["replicated"] = chart.Replicated([]chart.ReplicatedPanel{size, {Feature: cups, Rates: []chart.ReplicatedRate{{X: 0, Observed: 0.6, Mean: 0.58, Low: 0.5, High: 0.66}, {X: 1, Observed: 0.2, Mean: 0.4, Low: 0.3, High: 0.5}}}})
	out["items"] = chart.ItemMap([]chart.ItemPanel{{Feature: chart.Feature{Name: "size"}, Observed: []chart.ItemGroup{{X: 1, Rate: 0.9, Items: 9}, {X: 2, Rate: 0.5, Items: 3}}, Predicted: []chart.ItemGroup{{X: 1, Rate: 0.85, Items: 8}, {X: 2, Rate: 0.6, Items: 4}}},
		{Feature: cups, Observed: []chart.ItemGroup{{X: 0, Rate: 0.3, Items: 2}}, Predicted: []chart.ItemGroup{{X: 0, Rate: 0.35, Items: 2}, {X: 1, Rate: 0.5, Items: 1}}}})
	var calibrated []chart.CalibrationPanel
	lower, upper := make([]float64, 19), make([]float64, 19)
	for _, name := range []string{"op", "memory", "log likelihood"} {
		q := chart.CalibrationPanel{Name: name, Lines: []chart.RankLine{{Name: "as fitted"}, {Name: "slopes × 1.2"}}}
		for i := range lower {
			u := float64(i+1) / 20
			half := math.Sqrt(u * (1 - u) / 10)
			lower[i], upper[i] = u-half, u+half
			q.Lines[0].Below = append(q.Lines[0].Below, u+0.4*half*math.Sin(20*u))
			q.Lines[1].Below = append(q.Lines[1].Below, u*u)
		}
		calibrated = append(calibrated, q)
	}
	out["calibration"] = chart.Calibration(calibrated, lower, upper)
	return out
}
