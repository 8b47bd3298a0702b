package ctest

import "fmt"

// published has the 21 series of the test of 1997, in the order in which they are listed there. The
// publications give the five options of 20 series, and the complexity and the answer of five series (Hernández-Orallo 1997;
// Hernández-Orallo and Minaya-Collado 1998). The programs are the cheapest by Explain; none was published.
//
// The programs give the published complexities and answers, except for the last series: its cheapest program has k 15
// and goes on with f.
var published = []struct {
	series, options string
	k               int  // complexity in bits; 0: not published
	answer          byte // letter that comes next; 0: not published
	program         string
}{
	{"abcd", "cedxa", 7, 'e', "WRITE SUCC LOOPTOP"},
	{"yyxwwv", "wtvua", 9, 'u', "WRITE WRITE PRED WRITE PRED LOOPTOP"},
	{"adgj", "rpnlm", 9, 'm', "WRITE SUCC SUCC SUCC LOOPTOP"},
	{"aazcyex", "fhxga", 12, 'g', "A<-C WRITE A<-B WRITE SUCC SUCC B<-A LOOPTOP"},
	{"ababab", "baxcz", 0, 0, "WRITE SUCC WRITE PRED LOOPTOP"},
	{"acbdce", "ecadf", 0, 0, "WRITE SUCC SUCC WRITE PRED LOOPTOP"},
	{"aczbya", "yxabz", 0, 0, "A<-C WRITE SUCC SUCC WRITE LOOPTOP"},
	{"aazzyy", "vyxua", 0, 0, "WRITE WRITE PRED LOOPTOP"},
	{"aaabbbc", "yeabc", 0, 0, "WRITE WRITE WRITE SUCC LOOPTOP"},
	{"azbdcegf", "hegia", 0, 0, "WRITE PRED WRITE SUCC SUCC WRITE SUCC SUCC LOOPTOP"},
	{"aaaabbbbc", "cabdz", 0, 0, "WRITE WRITE WRITE WRITE SUCC LOOPTOP"},
	{"aacyawy", "yartu", 0, 0, "WRITE A<-C WRITE PRED C<-A SUCC SUCC SUCC LOOPTOP"},
	{"abdeg", "ahbec", 0, 0, "WRITE SUCC WRITE SUCC SUCC LOOPTOP"},
	{"aabbzabb", "yzabc", 0, 0, "A<-C WRITE A<-B WRITE SUCC WRITE WRITE LOOPTOP"},
	{"zayxxuw", "ayuwr", 0, 0, "PRED WRITE B<-A A<-C WRITE PRED PRED C<-A A<-B LOOPTOP"},
	{"zaxava", "ayvut", 0, 0, "A<-C PRED WRITE C<-A A<-B WRITE LOOPTOP"},
	{"abazaayza", "xazyb", 0, 0, "A<-C WRITE SUCC WRITE A<-B WRITE LOOPTOP"},
	{"aaazbby", "zbacx", 0, 0, "A<-C WRITE A<-B WRITE WRITE SUCC B<-A LOOPTOP"},
	{"aadazca", "abycx", 0, 0, "WRITE A<-C WRITE SUCC SUCC SUCC WRITE A<-B LOOPTOP"},
	{"azbzzyby", "", 0, 0, "WRITE PRED WRITE A<-B SUCC WRITE A<-C PRED WRITE LOOPTOP"},
	{"cabdbccecd", "cefad", 14, 'd', "C<-A SUCC SUCC WRITE A<-C WRITE SUCC WRITE LOOPTOP WRITE LOOPTOP"},
}

// Published returns the series of the test of 1997 with the whole alphabet as options. Complexity and answer are the
// published ones, or else those of the best explanation.
func Published() []Problem {
	list := make([]Problem, len(published))
	for i, p := range published {
		e, err := explanationBy(p.program, p.series)
		if err != nil {
			panic("ctest: published series " + p.series + ": " + err.Error())
		}
		s, _ := ParseSeries(p.series)
		list[i] = problem(s, p.series[0]-'a', e)
		if p.k > 0 {
			list[i].K = p.k
		}
		if p.answer > 0 {
			list[i].Answer = p.answer
		}
	}
	return list
}

// PublishedOptions returns the 20 series of the test of 1997 whose options were published, with these options.
func PublishedOptions() []Problem {
	var list []Problem
	for i, p := range Published() {
		if p.Options = published[i].options; p.Options != "" {
			list = append(list, p)
		}
	}
	return list
}

// explanationBy returns the explanation of a series by a program. It fails if the program does not write the series,
// one more letter and letter Measured.
func explanationBy(program, series string) (Explanation, error) {
	p, err := ParseProgram(program)
	if err != nil {
		return Explanation{}, err
	}
	s, err := ParseSeries(series)
	if err != nil {
		return Explanation{}, err
	}
	n := len(s)
	out := p.Run(max(n+1, Measured))
	if len(out.Letters) < max(n+1, Measured) || relative(out.Letters[:n]).Text(0) != s.Text(0) {
		return Explanation{}, fmt.Errorf("program %s does not explain it", p)
	}
	return Explanation{
		Program: p, Next: distance(out.Letters[0], out.Letters[n]),
		Cost: costOf(len(p), out.Steps[n-1]), Measured: costOf(len(p), out.Steps[Measured-1]),
	}, nil
}
