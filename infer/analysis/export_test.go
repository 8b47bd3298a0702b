package analysis

// Usual names the models that are fitted where the configuration names none.
var Usual = usual

// Kendall is tau-b.
var Kendall = kendall
