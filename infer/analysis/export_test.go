package analysis

// Usual returns the names of the models that are fitted if the configuration names none.
var Usual = usual

// Kendall returns Kendall's tau-b.
var Kendall = kendall
