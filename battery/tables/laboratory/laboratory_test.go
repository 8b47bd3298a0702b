package laboratory_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"slices"
	"strings"
	"testing"

	"achilles/battery/tables"
	"achilles/battery/tables/laboratory"
)

type handle struct{ *bytes.Reader }

func (handle) Close() error { return nil }

func fileOf(t *testing.T, name, text string) *tables.File {
	t.Helper()
	f, err := tables.NewFile(name, int64(len(text)), func() (tables.Handle, error) { return handle{bytes.NewReader([]byte(text))}, nil })
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// wide returns a text in UTF-16, little end first, with its mark.
func wide(s string) string {
	b := []byte{0xff, 0xfe}
	for _, r := range s {
		b = append(b, byte(r), byte(r>>8))
	}
	return string(b)
}

// source reads files by the first format that takes the first of them.
func source(t *testing.T, files ...*tables.File) (*tables.Source, error) {
	t.Helper()
	for _, f := range laboratory.Formats() {
		if f.Sniff(files[0]) {
			return f.Read(files, tables.Reading{})
		}
	}
	t.Fatalf("%s: no format", files[0].Name)
	return nil, nil
}

// written returns the rows of a source, below its columns, without those that are ignored.
func written(t *testing.T, s *tables.Source) string {
	t.Helper()
	kept := func(cells []string) string {
		var out []string
		for i, c := range cells {
			if !slices.Contains(s.Ignored, s.Header[i]) {
				out = append(out, c)
			}
		}
		return strings.Join(out, ",")
	}
	lines := []string{kept(s.Header)}
	for row, err := range s.Each {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, kept(row.Cells))
	}
	return strings.Join(lines, "\n")
}

// zipped returns a text compressed by gzip.
func zipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

// eprimeFrame returns a frame of a log of E-Prime.
func eprimeFrame(level int, values ...string) string {
	in := strings.Repeat("\t", level-1)
	return fmt.Sprintf("%sLevel: %d\r\n%s*** LogFrame Start ***\r\n%s%s\r\n%s*** LogFrame End ***\r\n", in, level, in, in, strings.Join(values, "\r\n"+in), in)
}

const psychopy = "practice.thisN,practice.thisIndex,trials.thisRepN,trials.thisN,trials.thisIndex,delay,practice_key.corr,key.keys,key.corr,key.rt,participant,date,expName,psychopyVersion,\n"

// TestPrograms checks, by hand, what is read of the tables of each program.
func TestPrograms(t *testing.T) {
	for _, c := range []struct {
		name    string
		files   []*tables.File
		want    string
		subject string
		item    string
		again   string // column of repetitions
		note    string
	}{
		{"PsychoPy", []*tables.File{
			fileOf(t, "a.csv", psychopy+",,,,,,,,,,7,d,e,v,\n0,1,,,,0,1,,,,7,d,e,v,\n,,0,0,1,4,,left,0,0.5,7,d,e,v,\n,,0,1,0,2,,left,1,0.6,7,d,e,v,\n,,1,2,0,2,,left,1,0.6,7,d,e,v,\n"),
			fileOf(t, "b.csv", strings.Replace(psychopy, "practice.thisN,practice.thisIndex,", "", 1)+"0,0,0,2,1,left,1,0.5,8,d,e,v,\n"),
		}, "delay,practice_key.corr,key.corr,key.rt,participant,(item),position,presentation\n" +
			"0,1,,,7,practice 1,1,1\n4,,0,0.5,7,trials 1,2,1\n2,,1,0.6,7,trials 0,3,1\n2,,1,0.6,7,trials 0,4,2\n2,1,1,0.5,8,trials 0,1,1", "participant", "(item)", "presentation", "1 of 6 rows left out"},
		{"PsychoPy, blocks that repeat a table", []*tables.File{fileOf(t, "c.csv", "blocks.thisN,blocks.thisIndex,trials.thisN,trials.thisIndex,key.corr,participant,expName,psychopyVersion\n0,0,0,0,1,7,e,v\n0,0,1,1,0,7,e,v\n")},
			"key.corr,participant,(item),position\n1,7,trials 0,1\n0,7,trials 1,2", "participant", "(item)", "", "columns of PsychoPy itself"},
		{"E-Prime, UTF-16", []*tables.File{fileOf(t, "u.txt", wide("ExperimentName\tSubject\tTarget.ACC\tList\tList.Cycle\nf\t4\t1\t7\t1\n"))},
			"Subject,Target.ACC,(item),position\n4,1,7,1", "Subject", "(item)", "", "columns of E-Prime itself"},
		{"jsPsych", []*tables.File{fileOf(t, "j.csv", `"rt","stimulus","trial_type","trial_index","time_elapsed","subject_id","delay","correct"`+"\n"+
			`"9","<p>Welcome</p>","html","0","1","s1","",""`+"\n"+`"9","<p style='x'>5 + 3</p>","html","1","2","s1","2","true"`+"\n"+`"null","<img src=""img/a.png"">","image","2","3","s1","4","false"`+"\n")},
			"rt,subject_id,delay,correct,(item),position\n9,s1,2,true,5 + 3,1\nnull,s1,4,false,img/a.png,2", "subject_id", "(item)", "", "1 of 3 rows left out"},
		{"jsPsych, objects, subjects by file", []*tables.File{fileOf(t, "ann.json", `[{"trial_type":"html","trial_index":0,"time_elapsed":1,"stimulus":"hello"},{"trial_type":"image","trial_index":1,"time_elapsed":2,"stimulus":"a.png","correct":true}]`)},
			"correct,(file),(item),position\ntrue,ann,a.png,1", "(file)", "(item)", "", "1 of 2 rows left out"},
		{"jsPsych, participants one after the other", []*tables.File{fileOf(t, "j.txt", `[{"trial_type":"image","trial_index":0,"time_elapsed":1,"stimulus":"a","correct":true},{"trial_type":"image","trial_index":1,"time_elapsed":2,"stimulus":"b","correct":false}]`+"\n"+`[{"trial_type":"image","trial_index":0,"time_elapsed":1,"stimulus":"a","correct":false}]`+"\n")},
			"correct,(participant),(item),position\ntrue,j 1,a,1\nfalse,j 1,b,2\nfalse,j 2,a,1", "(participant)", "(item)", "", "a new one wherever trial_index starts again"},
		{"Gorilla", []*tables.File{fileOf(t, "g.csv", "Event Index,Local Date,Participant Private ID,Participant OS,Spreadsheet Row,Zone Type,Reaction Time,Response,Attempt,Correct,Incorrect,delay\n"+
			"1,d,70,x,2,fixation,250,,,,,2\n2,d,70,x,2,key,512,f,1,0,1,2\n3,d,70,x,2,key,900,j,2,1,0,2\n4,d,70,x,3,key,400,f,1,1,0,4\nEND OF FILE,,,,,,,,,,,\n")},
			"Participant Private ID,Reaction Time,Correct,delay,(item),position\n70,512,0,2,2,1\n70,400,1,4,3,2", "Participant Private ID", "(item)", "", "3 of 5 rows left out"},
		{"E-Prime", []*tables.File{fileOf(t, "e.txt", "ExperimentName\tSubject\tSession\tBlock\tBlockList\tBlockList.Cycle\tBlockList.Sample\tTrial\tcongruent\tTarget.ACC\tTarget.RT\tTrialList\tTrialList.Cycle\tTrialList.Sample\n"+
			"f\t4\t1\t1\t1\t1\t1\tNULL\tNULL\tNULL\tNULL\tNULL\tNULL\tNULL\nf\t4\t1\t1\t1\t1\t1\t1\tyes\t1\t512\t7\t1\t1\nf\t4\t1\t1\t1\t1\t1\t2\tno\t0\t700\t3\t1\t2\n")},
			"Subject,congruent,Target.ACC,(item),position\n4,yes,1,7,1\n4,no,0,3,2", "Subject", "(item)", "", "1 of 3 rows left out"},
		{"OpenSesame", []*tables.File{fileOf(t, "o.csv", "acc,correct,count_loop,cue,experiment_file,opensesame_version,response_time,subject_nr,title\n50,1,0,left,e.osexp,3.3,400,2,E\n50,undefined,1,right,e.osexp,3.3,400,2,E\n")},
			"correct,cue,subject_nr\n1,left,2", "subject_nr", "", "", "1 of 2 rows left out"},
		{"Inquisit", []*tables.File{fileOf(t, "i.iqdat", "date\ttime\tsubject\tgroup\tblockcode\ttrialcode\ttrialnum\tlatency\tcorrect\tstimulusitem1\n52021\t10:00\t7\t1\ttest\tcongruent\t1\t500\t1\tred\n52021\t10:00\t7\t1\ttest\tincongruent\t2\t600\t0\tblue\n")},
			"subject,group,blockcode,trialcode,correct,(item),position\n7,1,test,congruent,1,red,1\n7,1,test,incongruent,0,blue,2", "subject", "(item)", "", "columns of Inquisit itself"},
		{"Qualtrics", []*tables.File{fileOf(t, "q.csv", "StartDate,EndDate,Status,Progress,Finished,RecordedDate,ResponseId,Q1_1,Q1_2,Q2_4_TEXT\nStart Date,End Date,Response Type,Progress,Finished,Recorded Date,Response ID,\"How much,\nreally?\",Why?,Other\n"+
			`"{""ImportId"":""startDate""}","{""ImportId"":""endDate""}","{""ImportId"":""s""}","{""ImportId"":""p""}","{""ImportId"":""f""}","{""ImportId"":""r""}","{""ImportId"":""_recordId""}","{""ImportId"":""QID1_1""}","{""ImportId"":""QID1_2""}","{""ImportId"":""QID2""}"`+"\n"+
			"2026-01-01,2026-01-01,Survey Preview,100,True,2026-01-01,R_0,5,5,\n2026-01-01,2026-01-01,IP Address,100,True,2026-01-01,R_1,4,2,hm\n")},
			"ResponseId,Q1_1,Q1_2\nR_1,4,2", "ResponseId", "", "", "3 of 4 rows left out: questions, previews"},
		{"LimeSurvey", []*tables.File{fileOf(t, "l.csv", "\"id\",\"submitdate\",\"lastpage\",\"startlanguage\",\"seed\",\"G1[S1]\",\"G1[S2]\",\"interviewtime\",\"groupTime3\"\n\"3\",\"2026-01-01\",\"2\",\"en\",\"77\",\"1\",\"5\",\"60\",\"9\"\n")},
			"id,G1[S1],G1[S2]\n3,1,5", "id", "", "", "columns of LimeSurvey itself left out"},
		{"Gorilla, trials in another order for each, with sounds and buttons that go on", []*tables.File{fileOf(t, "g.csv", "Event Index,Participant Private ID,branch-ab12,Trial Number,Zone Type,Reaction Time,Response,Attempt,Correct,Incorrect,Spreadsheet Name,display,ANSWER,picture\n"+
			"1,70,A,BEGIN TASK,,,,,0,1,s,,,\n2,70,A,1,continue_button,9,,,0,1,s,intro,,\n3,70,A,1,content_audio,9,AUDIO STARTED,1,0,1,s,trial,dax,d.png\n4,70,A,1,response_button_text,9,dax,1,1,0,s,trial,dax,d.png\n"+
			"5,70,A,2,response_button_text,9,wug,1,0,1,s,trial,fep,d.png\n6,71,B,1,response_button_text,9,fep,1,1,0,s,trial,fep,d.png\n7,71,B,END TASK,,,,,0,1,s,,,\n")},
			"Participant Private ID,branch-ab12,Reaction Time,Correct,ANSWER,picture,(item),position\n70,A,9,1,dax,d.png,dax,1\n70,A,9,0,fep,d.png,fep,2\n71,B,9,1,fep,d.png,fep,1", "Participant Private ID", "(item)", "", "4 of 7 rows left out: events that are not scored answers"},
		{"E-Prime log", []*tables.File{fileOf(t, "log.txt", wide("*** Header Start ***\r\nLevelName: Session\r\nLevelName: Trial\r\nSubject: 7\r\nGroup: 1\r\n*** Header End ***\r\n"+
			eprimeFrame(3, "Warm: 2", "Warm.Cycle: 1", "Running: Warm", "cue: x:y", "T.ACC: 0", "T.RESP: a", "Empty.ACC: 0", "Empty.RESP: ")+eprimeFrame(2, "BlockList: 1", "BlockList.Cycle: 1", "Running: BlockList", "side: left")+
			eprimeFrame(3, "Real: 5", "Real.Cycle: 1", "Running: Real", "T.ACC: 1", "T.RESP: b", "Empty.ACC: 0", "Empty.RESP: ")+eprimeFrame(3, "Real: 6", "Real.Cycle: 1", "Running: Real", "Empty.ACC: 0")+eprimeFrame(2, "BlockList: 2", "BlockList.Cycle: 1", "Running: BlockList", "side: right", "probe: z")+
			eprimeFrame(1, "Subject: 7")))},
			"Subject,Group,side,cue,T.ACC,probe,(item),position\n7,1,left,x:y,0,,Warm 2,1\n7,1,right,,1,z,Real 5,2", "Subject", "(item)", "", "1 of 3 rows left out"},
		{"E-Prime, scored by its script", []*tables.File{fileOf(t, "e.txt", "ExperimentName\tSubject\tList\tList.Cycle\tCorrect\tSound.ACC\tSound.RESP\nf\t4\t7\t1\tTrue\t0\t\nf\t4\t8\t1\tFalse\t0\t\n")},
			"Subject,Correct,(item),position\n4,True,7,1\n4,False,8,2", "Subject", "(item)", "", "columns of E-Prime itself"},
		{"PsychoPy 2024, which writes scores of a loop twice", []*tables.File{fileOf(t, "p.csv", "thisN,key.corr,warm.thisIndex,trials.thisIndex,warm.key.corr,trials.key.corr,participant,expName,psychopyVersion\n0,1,3,,1,,7,e,v\n0,0,,4,,0,7,e,v\n")},
			"key.corr,participant,(item),position\n1,7,warm 3,1\n0,7,trials 4,2", "participant", "(item)", "", "columns of PsychoPy itself"},
		{"PsychoPy, two components", []*tables.File{fileOf(t, "p.csv", "a.corr,b.corr,trials.thisIndex,participant,expName,psychopyVersion\n1,,3,7,e,v\n,0,4,7,e,v\n")},
			"participant,(correct),(item),position\n7,1,trials 3,1\n7,0,trials 4,2", "participant", "(item)", "", "no row has two scores"},
		{"jsPsych, words in colours", []*tables.File{fileOf(t, "j.csv", "stimulus,trial_id,trial_type,trial_index,time_elapsed,condition,correct\n<b style='color:red'>RED</b>,stim,x,0,1,same,true\n<b style='color:blue'>RED</b>,stim,x,1,2,other,false\n"+strings.Repeat("word ", 30)+",check,x,2,3,,true\n")},
			"trial_id,condition,correct,(file),(item),position\nstim,same,true,j,RED same,1\nstim,other,false,j,RED other,2\ncheck,,true,j," + strings.Repeat("word ", 19) + "word…,3", "(file)", "(item)", "", ""},
		{"Experiment Factory, compressed", []*tables.File{fileOf(t, "go.csv.gz", zipped(",battery_name,correct,experiment_exp_id,stimulus,time_elapsed,trial_id,trial_type,worker_id\nx0,B,1.0,go,<div  id = stim2></div>,5,stim,single,s1\nx1,B,0.0,go,<img src='/i/a.png'></img><img src='/i/b.png'></img>,6,stim,single,s1\nx2,B,0.0,go,,7,,single,s1\n"))},
			"correct,trial_id,worker_id,(item),position\n1.0,stim,s1,stim2,1\n0.0,stim,s1,a.png b.png,2", "worker_id", "(item)", "", "1 of 3 rows left out: nothing says what was shown"},
		{"Qualtrics, in German", []*tables.File{fileOf(t, "q.csv", "StartDate,EndDate,Finished,RecordedDate,ResponseId,Q1\nAnfangsdatum,Enddatum,Beendet,Erfasst,Antwort-ID,Wie?\n{'ImportId': 'startDate'},{'ImportId': 'endDate'},a,b,c,d\n2026-01-01,2026-01-01,1,2026-01-01,R_1,4\n")},
			"ResponseId,Q1\nR_1,4", "ResponseId", "", "", "2 of 3 rows left out: questions, previews"},
		{"Qualtrics, old names", []*tables.File{fileOf(t, "q.csv", "V1,V2,V3,V4,V10,Q1\nResponseID,ResponseSet,StartDate,EndDate,Finished,Why?\nR_1,Default,2016-01-01,2016-01-01,1,5\n")},
			"ResponseID,Q1\nR_1,5", "ResponseID", "", "", "1 of 2 rows left out: questions, previews"},
		{"lab.js", []*tables.File{fileOf(t, "s.csv", "sender,sender_type,sender_id,timestamp,observation,response,correct,duration,ended_on,color,word,session_nr\nHello,html.Screen,0,t,o1,,,9,response,,,1\nFixation,canvas.Screen,1_0,t,o1,,false,5,timer,red,blue,1\nStroop,canvas.Screen,1_1,t,o1,red,true,7,response,red,blue,1\nStroop,canvas.Screen,1_1,t,o1,,false,7,timeout,red,red,1\n")},
			"observation,correct,duration,color,word,session_nr,(item),position\no1,true,7,red,blue,1,Stroop blue,1\no1,false,7,red,red,1,Stroop red,2", "observation", "(item)", "", "2 of 4 rows left out"},
		{"Google Forms", []*tables.File{fileOf(t, "f.csv", "Timestamp,Username,Total score,Name,Name [Score],Name [Feedback],\"2, 2?\",\"2, 2? [Score]\",\"2, 2? [Feedback]\",Why?,Why? [Score],Why? [Feedback]\nt,a@x,1.00 / 3,Ann,0.00 / 0,,4,1.00 / 1,,hm,0.50 / 2,\nt,b@x,0.00 / 3,Bo,-- / 0,,5,0.00 / 1,,,-- / 2,\nt,,0.00 / 3,Bo,-- / 0,,5,0.00 / 1,,,-- / 2,\n")},
			"student,question,score\na@x,2, 2?,1\na@x,Why?,0.25\nb@x,2, 2?,0\nb@x,Why?,", "student", "question", "", "1 row without a student's name left out"},
		{"Microsoft Forms", []*tables.File{fileOf(t, "f.csv", "ID,Start time,Email,Total points,Sum?,Points - Sum?,Feedback - Sum?\n1,t,anonymous,2,4,2,\n2,t,anonymous,1,5,1,\n3,t,anonymous,,,,\n")},
			"student,question,score,attempt\nanonymous,Sum?,1,1\nanonymous,Sum?,0.5,2\nanonymous,Sum?,,3", "student", "question", "attempt", "students with several attempts"},
		{"Moodle, in German", []*tables.File{fileOf(t, "m.csv", "Nachname;Vorname;E-Mail-Adresse;Status;Bewertung/10,00;\"F 1 /2,00\";\"F 2 /1,00\"\nDoe;Jo;j@u;Beendet;7,50;1,00;1,00\nRoe;Al;a@u;Beendet;2,50;0,00;-\nGesamtdurchschnitt;;;;5,00;0,50;1,00\n")},
			"student,question,score\nj@u,F 1,0.5\nj@u,F 2,1\na@u,F 1,0\na@u,F 2,-", "student", "question", "", ""},
		{"Moodle, without addresses", []*tables.File{fileOf(t, "m.csv", "Last name,First name,State,Grade/10.00,Q. 1 /5.00\nDoe,Jo,Finished,5.00,2.50\nDoe,Al,Finished,10.00,5.00\nOverall average,,,7.50,3.75\n")},
			"student,question,score\nDoe Jo,Q. 1,0.5\nDoe Al,Q. 1,1", "student", "question", "", "1 column of Moodle itself left out"},
		{"Canvas", []*tables.File{fileOf(t, "c.csv", "name,id,sis_id,section,section_id,section_sis_id,submitted,attempt,\"11: Why, then?\",1.0,12: How?,1.0,n correct,n incorrect,score\nAnn,5,u5,A,1,,t,1,yes,1.0,no,0.0,1,1,1.0\nBo,6,u6,B,1,,t,1,no,0.0,no,0.0,0,2,0.0\n")},
			"student,question,score,section\n5,11: Why, then?,1,A\n5,12: How?,0,A\n6,11: Why, then?,0,B\n6,12: How?,0,B", "student", "question", "", "1 column of Canvas quiz itself left out"},
		{"DataShop", []*tables.File{fileOf(t, "d.txt", "Row\tAnon Student Id\tProblem Name\tStep Name\tFirst Attempt\tIncorrects\tKC (Default)\n1\ts1\tP1\tx=2\tcorrect\t0\tadd\n2\ts1\tP1\ty=3\thint\t0\tsub\n3\ts2\tP1\tx=2\tincorrect\t2\tadd\n4\ts2\tP1\ty=3\t\t\tsub\n")},
			"Anon Student Id,First Attempt,KC (Default),(item),position\ns1,1,add,P1/x=2,1\ns1,0,sub,P1/y=3,2\ns2,0,add,P1/x=2,1", "Anon Student Id", "(item)", "", "1 of 4 rows left out"},
		{"DataShop, transactions", []*tables.File{fileOf(t, "d.txt", "Anon Student Id\tProblem Name\tStep Name\tAttempt At Step\tOutcome\ns1\tP1\tx=2\t1\tINCORRECT\ns1\tP1\tx=2\t2\tCORRECT\n")},
			"Anon Student Id,Outcome,(item),position\ns1,0,P1/x=2,1", "Anon Student Id", "(item)", "", "1 of 2 rows left out"},
		{"ASSISTments", []*tables.File{fileOf(t, "a.csv", "order_id,user_id,problem_id,original,correct,ms_first_response,skill_name\n100,7,51,1,1,900,Area\n99,7,52,1,0,800,Mean\n99,7,52,1,0,800,Median\n101,7,53,0,1,5,Mean\n102,7,51,1,0,700,Area\n")},
			"user_id,correct,ms_first_response,skill_name,(item),position,presentation\n7,0,800,Mean,52,1,1\n7,1,900,Area,51,2,1\n7,0,700,Area,51,3,2", "user_id", "(item)", "presentation", "counts once"},
	} {
		s, err := source(t, c.files...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := written(t, s); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
		if got := written(t, s); got != c.want {
			t.Errorf("%s: other rows when read again", c.name)
		}
		if strings.Join(s.Subject, ",") != c.subject || strings.Join(s.Item, ",") != c.item || strings.Join(s.Repetition, ",") != c.again || !strings.Contains(strings.Join(s.Notes, "\n"), c.note) {
			t.Errorf("%s: subject %v, item %v, repetition %v, notes %q", c.name, s.Subject, s.Item, s.Repetition, s.Notes)
		}
	}
}

// TestWorkbook checks that a sheet of a workbook is read as text is.
func TestWorkbook(t *testing.T) {
	f := fileOf(t, "g.xlsx", "PK")
	f.Grid = &tables.Grid{Kind: "Excel", Rows: [][]string{{"Event Index", "Participant Private ID", "Spreadsheet Row", "Correct"}, {"1", "70", "2", ""}, {"2", "70", "2", "1"}}}
	s, err := source(t, f)
	if err != nil {
		t.Fatal(err)
	}
	if got := written(t, s); got != "Participant Private ID,Correct,(item),position\n70,1,2,1" {
		t.Errorf("read\n%s", got)
	}
}

// TestNotScored checks that data without a scored response are refused, or left to who reads them.
func TestNotScored(t *testing.T) {
	_, err := source(t, fileOf(t, "j.csv", "trial_type,trial_index,time_elapsed,stimulus,correct\nhtml,0,1,hello,\n"))
	if err == nil || !strings.Contains(err.Error(), "j.csv: jsPsych data, in which no row has a response") {
		t.Errorf("no scored row: error %v", err)
	}
	s, err := source(t, fileOf(t, "j.csv", "trial_type,trial_index,time_elapsed,stimulus,correct\nhtml,0,1,,true\n"))
	if err != nil || s.Item != nil {
		t.Errorf("no stimulus: error %v, item %v", err, s.Item)
	}
	s, err = source(t, fileOf(t, "p.csv", strings.ReplaceAll(psychopy, ".corr", ".score")+",,,,,,,,,,7,d,e,v,\n"))
	if err != nil || len(s.Scores) > 0 {
		t.Errorf("PsychoPy without .corr: %v, scores %v", err, s.Scores)
	}
}

// TestOtherTables checks that tables of other programs are none of these.
func TestOtherTables(t *testing.T) {
	for _, text := range []string{"model,item,score\na,x,1\n", "participant,trial,correct\n1,1,1\n", "subject,trial_index,correct\n1,1,1\n", "StartDate,EndDate,score\n1,2,3\n"} {
		for _, f := range laboratory.Formats() {
			if f.Sniff(fileOf(t, "m.csv", text)) {
				t.Errorf("%q is taken for %s", text, f.Name)
			}
		}
	}
}

// FuzzPrograms checks that any text that has the marks of a program is read or refused.
func FuzzPrograms(f *testing.F) {
	f.Add("trial_type,trial_index,time_elapsed,stimulus,correct\nhtml,0,1,hello,true\n")
	f.Add(psychopy + ",,,,,,,,,,7,d,e,v,\n0,1,,,,0,1,,,,7,d,e,v,\n")
	f.Add("Event Index,Participant Private ID,Correct,Spreadsheet Row\n1,2,1,3\n")
	f.Add("ExperimentName\tSubject\tTarget.ACC\tL\tL.Cycle\nf\t1\t1\t2\t1\n")
	f.Add("subject_nr,correct,opensesame_version\n1,1,3\n")
	f.Add("subject\tblockcode\ttrialcode\tlatency\tcorrect\n1\ta\tb\t5\t1\n")
	f.Add("StartDate,EndDate,Finished,RecordedDate,ResponseId,Q1\nStart Date,,,,,q\n{\"ImportId\":1},,,,,\n1,2,3,4,R,5\n")
	f.Add("*** Header Start ***\nSubject: 1\n*** Header End ***\nLevel: 1\n*** LogFrame Start ***\nL: 1\nL.Cycle: 1\nT.ACC: 1\n*** LogFrame End ***\n")
	f.Add("V1,V2,V3,Q\nResponseSet,StartDate,EndDate,Finished\n,1,2,3\n")
	f.Add("id,submitdate,lastpage,startlanguage,Q\n1,2,3,en,4\n")
	f.Add("sender,sender_type,sender_id,ended_on,correct,word\na,b,1,response,true,red\n")
	f.Add("Username,Q,Q [Score],Q [Feedback]\na@b,x,1.00 / 2,\n")
	f.Add("ID,Q,Points - Q,Feedback - Q\n1,x,2,\n")
	f.Add("Last name,Email address,Grade/10.00,Q. 1 /2.00\nDoe,a@b,5.00,1.00\nOverall average,,5.00,1.00\n")
	f.Add("name,id,section_sis_id,1: A,1.0,2: B,1.0,n correct,n incorrect\nAnn,1,,x,1.0,y,0.0,1,1\n")
	f.Add("Anon Student Id\tProblem Name\tStep Name\tFirst Attempt\tKC (x)\ns\tp\tq\thint\tk\n")
	f.Add("order_id,user_id,problem_id,original,correct,ms_first_response\n1,2,3,1,1,9\n")
	f.Fuzz(func(t *testing.T, text string) {
		file := fileOf(t, "x.csv", text)
		for _, format := range laboratory.Formats() {
			if !format.Sniff(file) {
				continue
			}
			s, err := format.Read([]*tables.File{file}, tables.Reading{})
			if err != nil {
				continue
			}
			for row, err := range s.Each {
				if err == nil && len(row.Cells) != len(s.Header) {
					t.Fatalf("%s: %d cells, %d columns", format.Name, len(row.Cells), len(s.Header))
				}
			}
		}
	})
}

// TestOthersNames checks that a table which names its experiment as E-Prime does, but not its subjects, is none of E-Prime's.
func TestOthersNames(t *testing.T) {
	f := fileOf(t, "p.txt", "ExperimentName\tsubjID\ttrial\tchoice.ACC\tSubject_Block\nf\ta\t1\t1\ta_1\nf\tb\t1\t0\tb_1\n")
	for _, known := range laboratory.Formats() {
		if known.Sniff(f) {
			t.Errorf("read as %s", known.Name)
		}
	}
}
