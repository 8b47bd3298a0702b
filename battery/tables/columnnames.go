package tables

import (
	"slices"
	"strings"
	"unicode"
)

// Names of columns, in the plain form, the likeliest first, in English, and in the German, French, Spanish, Italian and Dutch of
// spreadsheets.
func scoreNames() []string {
	return []string{"score", "resp", "response", "correct", "iscorrect", "correctness", "success", "passed", "pass", "solved", "resolved", "accuracy", "acc", "accnorm", "exactmatch", "f1", "value", "result", "outcome", "grade", "mark", "ok", "right", "y", "successrate", "solverate", "passrate", "winrate", "points", "korrekt", "richtig", "punkte", "ergebnis", "treffer", "marks", "won", "reached", "réponse", "réussite", "reussite", "résultat", "resultat", "correcte", "acierto", "correcto", "resultado", "corretto", "risultato", "goed", "resultaat", "performance"}
}

func itemNames() []string {
	return []string{"item", "itemid", "itemname", "instanceid", "instance", "sampleid", "sample", "docid", "questionid", "question", "questionnum", "questionnumber", "itemnum", "itemnumber", "problemid", "problem", "exampleid", "example", "exercise", "puzzle", "maze", "promptid", "pairid", "taskid", "task", "taskname", "testid", "stimulus", "arena", "level", "aufgabe", "frage", "tâche", "tache", "essai", "tarea", "pregunta", "compito", "domanda", "taak", "vraag", "trialid", "trial"}
}

func groupNames() []string {
	return []string{"benchmark", "dataset", "datasetname", "task", "taskname", "suite", "subset", "subtask"}
}

func modelNames() []string {
	return []string{"model", "modelid", "modelname", "llm", "system", "agent", "agentid"}
}

func subjectNames() []string {
	return append(modelNames(), "subject", "subjectid", "idsubject", "idsub", "subid", "subjid", "subj", "subjectnr", "subjectnumber", "subjnum", "sub", "subno", "sid", "pid", "ppt", "partnum", "partid", "vpn", "vpnr", "vpnummer", "participant", "participantid", "person", "personid", "idperson", "persid", "student", "studentid", "idstud", "idstudent", "studid", "child", "childid", "idchild", "caseid", "idcase", "examinee", "examineeid", "testtaker", "kind", "who", "vp", "versuchsperson", "proband", "teilnehmer", "schüler", "schueler", "sujet", "enfant", "élève", "eleve", "sujeto", "niño", "alumno", "soggetto", "bambino", "proefpersoon", "leerling", "respondent", "respondentid", "responseid", "record", "recordid", "anonstudentid", "prolificid", "prolificpid", "patient", "patientid", "stidstd", "cntstuid", "user", "userid", "learner", "player", "animal", "animalid", "rat", "mouse", "bird", "monkey", "dog", "infant", "infantid", "baby", "babyid", "team", "worker", "workerid", "candidate", "modell", "modèle", "modelo", "modello", "id", "name", "solver")
}

func scaffoldNames() []string {
	return []string{"scaffold", "scaffolding", "harness", "agent", "solver", "config", "configuration", "condition", "setting", "temperature", "prompt", "prompttype", "fewshot"}
}

func trialsNames() []string {
	return []string{"ntrials", "trials", "numtrials", "trialcount", "ntrial", "attempts", "nattempts", "numattempts", "nruns", "nsamples", "nepisodes", "total", "ntotal", "outof", "of", "n"}
}

// successesNames are those of how many trials succeeded.
func successesNames() []string {
	return []string{"successes", "nsuccesses", "nsuccess", "numsuccesses", "ncorrect", "numcorrect", "correctcount", "npassed", "numpassed", "npass", "nsolved", "numsolved", "hits", "nhits", "c"}
}

func repetitionNames() []string {
	return []string{"epoch", "repetition", "rep", "repeat", "replicate", "run", "runid", "attempt", "attemptid", "trial", "trialnumber", "trialno", "trialid", "iteration", "wave", "session", "seed", "redcapeventname", "timepoint"}
}

// positionNames has names of columns that say in which order a subject took the items.
func positionNames() []string {
	return []string{"position", "order", "presentationorder", "presentationposition", "serialposition", "itemorder", "itemposition", "trialorder", "trialindex", "sequence", "reihenfolge", "ordre", "orden", "ordine", "volgorde"}
}

// timeNames are those of how long a response took, or a look lasted.
func timeNames() []string {
	return []string{"lookingtime", "lookingtimes", "looktime", "latency", "latencyms", "responselatency", "reactiontime", "responsetime", "rt", "rtms"}
}

// isNumbering reports whether a column's name says that its numbers only tell blocks, pages or trials apart, and so are no demand.
func isNumbering(name string) bool {
	name = plain(name)
	return slices.Contains(slices.Concat(repetitionNames(), positionNames()), name) ||
		slices.Contains([]string{"block", "blockid", "blockno", "blocknr", "blocknum", "blocknumber", "trialnum", "trialnr", "trialcount", "trialn", "phase", "page", "section", "part", "form", "booklet", "set", "index", "id", "itemno", "itemnr", "itemnumber", "row"}, name)
}

// isOutcome reports whether a column beside annotations or responses says how subjects did, or where rows came from, and so is no demand:
// totals, rates of success, reasons to leave items out.
func isOutcome(column string) bool {
	name := plain(column)
	for _, word := range []string{"solve", "success", "passrate", "accuracy", "winrate", "meanscore", "excluded", "total", "epoch"} {
		if strings.HasPrefix(name, word) {
			return true
		}
	}
	if words := wordsOf(column); len(words) > 1 && slices.Contains([]string{"total", "sum", "sumscore", "complete"}, words[len(words)-1]) {
		return true
	}
	return slices.Contains([]string{"summe", "gesamt", "gesamtpunkte", "somme", "suma", "somma", "nconfigs", "ntrials", "keep", "source", "metadata", "sum", "sumscore", "rawscore", "score", "mean", "average", "percent", "percentage"}, name)
}

// leaf returns the last part of a column's path, such as acc of metric.acc.
func leaf(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// isCode reports whether a cell is a number that people use for no value, however it is written: 9 or 9.0.
func isCode(cell string) bool {
	x, ok := number(cell)
	return ok && slices.Contains([]float64{9, 99, 999, 9999, 8, 88, -1, -9, -99, -999, 77, 777}, x)
}

// ofSubjects reports whether a name, without a unit in brackets, is one of what is known of people or of models beforehand.
func ofSubjects(name string) bool {
	if strings.HasPrefix(name, "cov_") {
		return true
	}
	if i := strings.IndexAny(name, "(["); i > 0 {
		name = name[:i]
	}
	if words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) }); len(words) > 1 && (words[0] == "age" || slices.Contains(append(agesOf(), "age", "gender", "sex", "education", "income"), words[len(words)-1])) {
		return true // age_in_years, age at test, CDI-agedays, sib1_age, parentA_education
	}
	return slices.Contains(append(agesOf(), "age", "months", "species", "weight", "rearing", "alter", "âge", "edad", "età", "leeftijd", "sex", "gender", "female", "male", "girl", "boy", "geschlecht", "geschl", "migra", "migration", "ses", "hisei", "urban", "rural", "idschool", "schoolid", "classid", "idclass", "idgroup", "groupid", "groups", "gruppen", "teacherid", "idteacher", "idpatt", "sexe", "sexo", "sesso", "geslacht", "group", "gruppe", "condition", "cohort", "treatment", "treat", "trt", "treated", "arm", "intervention", "control", "experimental", "race", "ethnicity", "ethnic", "black", "white", "hispanic", "hisp", "asian", "minority", "married", "smoker", "bilingual", "monolingual", "native", "ell", "esl", "lep", "iep", "sped", "frl", "freelunch", "disability", "firstgen", "handedness", "consent", "dropout", "school", "class", "classroom", "country", "grade", "education", "site",
		"params", "paramsb", "nparams", "numparams", "parameters", "nparameters", "modelsize", "sizeb", "activeparams", "contextlength", "contextwindow", "contextsize", "maxcontext", "year", "releaseyear", "releasedate", "release", "trainingtokens", "pretrainingtokens", "flops", "trainingflops", "price", "inputprice", "outputprice", "pricepermtoken", "layers", "license", "organization", "vram"), plain(name))
}

// agesOf has the names of an age in a unit.
func agesOf() []string {
	return []string{"agemonths", "agemonth", "agemos", "agemo", "ageyears", "ageyear", "ageyr", "ageyrs", "agedays", "ageday", "ageweeks", "agerange", "agegroup", "agecat"}
}

// isRate reports whether a column's name is that of a proportion of successes, not of their number.
func isRate(name string) bool {
	for _, word := range []string{"success", "score", "acc", "rate", "prop", "mean", "share", "fraction", "percent"} {
		if name = plain(name); strings.HasPrefix(name, word) && name != "successes" || strings.HasSuffix(name, "rate") {
			return true
		}
	}
	return false
}

// ofPlace reports whether a name is that of where something is, or of one of a series of measurements, and so no response.
func ofPlace(name string) bool {
	return slices.Contains([]string{"row", "col", "column", "lat", "latitude", "lon", "long", "longitude", "week", "hour", "minute", "time", "t", "obs", "observation", "rank", "zip", "zipcode", "quarter", "decade"}, plain(name))
}

// isComment reports whether a column is called as those with remarks are, which say nothing that can be compared.
func isComment(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '_' || r == ' ' || r == '.' })
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains([]string{"comment", "comments", "note", "notes", "remark", "remarks", "kommentar", "bemerkung", "bemerkungen"}, w)
	})
}
