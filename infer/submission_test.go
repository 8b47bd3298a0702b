package infer_test

import (
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"achilles/infer"
	"achilles/infer/infertest"
)

// A folder is an infer.Out in memory.
type folder struct{ fstest.MapFS }

func (f folder) Put(name string, data []byte) error {
	f.MapFS[name] = &fstest.MapFile{Data: data}
	return nil
}
func (f folder) Get(name string) ([]byte, error)            { return nil, nil }
func (f folder) Create(name string) (io.WriteCloser, error) { return infertest.Create(name, f.Put) }

// TestSubmission submits posteriors in three forms, predictions and a classification, and compares what Open reads of them with values
// by hand.
func TestSubmission(t *testing.T) {
	public, _, _ := unseenCase(t, logisticLayout)
	s := &infer.Submission{Name: "rival"}
	draws := "subject,parameter,chain,draw,value\n"
	for i := range 101 {
		draws += fmt.Sprintf("a,memory,0,%d,%d\n", i, i)
	}
	for i, text := range []string{
		"\ufeffsubject,mean,sd,parameter\nb,2,0.5,skill\na,1,1,skill\n",
		"subject,parameter,mean,sd,q5,q25,q50,q75,q95,group\nb,pull,3,1,1,2,3,4,5,bias\n",
		draws,
		"subject,item,p\nb,y,0.25\na,x,1\n",
		"subject,family,weight,has_op,weakness\nb,achilles-heel,0.75,yes,lava + memory\na,capable,,,\n",
	} {
		if err := s.Read(fmt.Sprintf("%d.csv", i), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	out := folder{fstest.MapFS{}}
	if _, err := infer.Submit(public, s, nil, out); err != nil {
		t.Fatal(err)
	}
	res, err := infer.Open(out.MapFS)
	if err != nil {
		t.Fatal(err)
	}
	if !res.Settings.Submitted || res.Settings.Layout.Name != "rival" || len(res.Settings.Layout.SHA256) != 64 {
		t.Errorf("settings %+v", res.Settings)
	}
	want := []infer.Profile{
		{Subject: "a", Parameter: "skill", Group: "capability", Mean: 1, SD: 1, Q5: 1 - 1.6448536269514722, Q25: 1 - 0.6744897501960817, Q50: 1, Q75: 1.6744897501960817, Q95: 2.6448536269514722},
		{Subject: "a", Parameter: "memory", Group: "capability", Mean: 50, SD: math.Sqrt(858.5), Q5: 5, Q25: 25, Q50: 50, Q75: 75, Q95: 95}, // the variance of 0 to 100
		{Subject: "b", Parameter: "skill", Group: "capability", Mean: 2, SD: 0.5, Q5: 2 - 0.8224268134757361, Q25: 2 - 0.33724487509804085, Q50: 2, Q75: 2.33724487509804085, Q95: 2.8224268134757361},
		{Subject: "b", Parameter: "pull", Group: "bias", Mean: 3, SD: 1, Q5: 1, Q25: 2, Q50: 3, Q75: 4, Q95: 5},
	}
	if len(res.Profiles) != len(want) {
		t.Fatalf("%+v", res.Profiles)
	}
	for i, w := range want {
		g := res.Profiles[i]
		for _, x := range [][2]float64{{g.Mean, w.Mean}, {g.SD, w.SD}, {g.Q5, w.Q5}, {g.Q25, w.Q25}, {g.Q50, w.Q50}, {g.Q75, w.Q75}, {g.Q95, w.Q95}} {
			if math.Abs(x[0]-x[1]) > 1e-9 {
				t.Errorf("profile %d: %+v, want %+v", i, g, w)
				break
			}
		}
		if g.Subject != w.Subject || g.Parameter != w.Parameter || g.Group != w.Group {
			t.Errorf("profile %d: %+v, want %+v", i, g, w)
		}
	}
	var p []infer.Prediction
	for list, err := range res.Predictions {
		if err != nil {
			t.Fatal(err)
		}
		p = append(p, list...)
	}
	if len(p) != 2 || p[0] != (infer.Prediction{Subject: "a", Item: "x", Measure: "success", P: 1}) || p[1] != (infer.Prediction{Subject: "b", Item: "y", Measure: "success", P: 0.25}) {
		t.Errorf("predictions %+v", p)
	}
	v := res.Verdicts.Subjects
	if len(v) != 2 || v[0].Family != "capable" || v[0].Weight != 1 || v[0].HasOP != 0.5 || v[1].Family != "achilles-heel" || v[1].Weight != 0.75 || v[1].HasOP != 1 || len(v[1].Weaknesses) != 2 || v[1].Weaknesses[1].Name != "memory" {
		t.Errorf("classifications %+v", v)
	}
}

// TestSubmissionRefuses lists faults of submissions, with the place of each.
func TestSubmissionRefuses(t *testing.T) {
	public, _, _ := unseenCase(t, logisticLayout)
	for _, c := range [][2]string{
		{"", "x.csv: EOF"},
		{"subject,parameter,mean,sd\n", "x.csv: the table has no rows"},
		{"parameter,mean,sd\nop,1,1\n", "x.csv:1: columns parameter, mean, sd are not those of a submission"},
		{"subject,parameter,mean,sd,sd\na,op,1,1,1\n", "x.csv:1: column sd appears twice"},
		{"subject,parameter,mean,sd,rhat\na,op,1,1,1\n", "x.csv:1: column rhat is not known beside the others"},
		{"subject,parameter,mean,sd\na,op,x,1\n", `x.csv:2: column mean is "x", not a finite number`},
		{"subject,parameter,mean,sd\na,op,1,1\nb,op,Inf,1\n", `x.csv:3: column mean is "Inf", not a finite number`},
		{"subject,parameter,mean,sd\na,op,1,-1\n", "x.csv:2: column sd is -1, below 0"},
		{"subject,parameter,mean,sd,q5\na,op,1,1,9\n", "x.csv:2: column q25 is"},
		{"subject,parameter,mean,sd\na,op,1\n", "x.csv: record on line 2: wrong number of fields"},
		{"subject,parameter,mean,sd\na,op,1,1\na,op,1,1\n", "x.csv:3: column parameter is of subject a, of which another row has op"},
		{"subject,parameter,mean,sd\nz,op,1,1\n", `x.csv:2: column subject is "z", whom the public data do not have; a is one`},
		{"subject,parameter,draw,value\na,op,1,1\n", "rival: subject a has 1 draws of op; at least 100 are needed"},
		{"subject,item,p\na,x,1.5\n", "x.csv:2: column p is 1.5, not a probability"},
		{"subject,item,p,trial\na,x,1,-1\n", `x.csv:2: column trial is "-1", not a whole number from 0`},
		{"subject,family\na,cheat\n", `x.csv:2: column family is "cheat"; there are capable,`},
		{"subject,family,has_op\na,capable,2\n", "x.csv:2: column has_op is 2, not a probability"},
		{"subject,family\na,capable\na,capable\n", "x.csv:3: column family is of subject a, of which another row has a family"},
		{"subject,family,has_op\na,capable,maybe\n", `x.csv:2: column has_op is "maybe": want a probability, yes or no`},
		{"subject,item,p\na,x,1\na,v,1\n", `x.csv:3: column item is "v", which the public data do not have; `},
	} {
		s := &infer.Submission{Name: "rival"}
		err := s.Read("x.csv", []byte(c[0]))
		if err == nil {
			_, err = infer.Submit(public, s, nil, folder{fstest.MapFS{}})
		}
		if err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%q: %v, want %s", c[0], err, c[1])
		}
	}
	if _, err := infer.Submit(public, &infer.Submission{Name: "rival"}, nil, folder{fstest.MapFS{}}); err == nil || !strings.Contains(err.Error(), "nothing is submitted") {
		t.Errorf("nothing: %v", err)
	}
}
