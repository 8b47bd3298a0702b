package analysis_test

import (
	"context"
	"testing"

	"achilles/infer/analysis"
)

// BenchmarkOlympics runs the published analysis of 68 × 99 responses with one aggregate, with one tree, and with the
// usual models, each on ten splits and the configured shifts.
func BenchmarkOlympics(b *testing.B) {
	d, _ := olympics(b)
	for _, c := range []struct {
		name   string
		models []string
	}{{"descriptive", []string{"subject"}}, {"tree", []string{"tree"}}, {"all", nil}} {
		b.Run(c.name, func(b *testing.B) {
			cfg := published(b)
			cfg.Jobs, cfg.Prediction.Models = 1, c.models
			b.ReportAllocs()
			for b.Loop() {
				if _, err := analysis.Run(context.Background(), d, cfg); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkLarge analyses the responses of 1000 subjects to 10,000 items: with the default settings (whole), with one simple
// model (descriptive), and with each model, without the bootstrap, on one split and one shift of 200,000 responses. Run it
// with -benchtime 1x.
func BenchmarkLarge(b *testing.B) {
	if testing.Short() {
		b.Skip("ten million responses")
	}
	d := simulated(1000, 10_000)
	for _, model := range append([]string{"whole", "descriptive"}, analysis.Models()...) {
		b.Run(model, func(b *testing.B) {
			cfg := analysis.Default()
			cfg.Prediction.MaxRows = 200_000
			cfg.Prediction.Splits, cfg.Prediction.Models = 1, []string{model}
			switch model {
			case "whole":
				cfg.Prediction = analysis.Default().Prediction
			case "descriptive":
				cfg.Prediction.Models = []string{"majority"}
			default:
				cfg.Replicates, cfg.Permutations = 0, 0
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := analysis.Run(context.Background(), d, cfg); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
