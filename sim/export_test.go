package sim

// Opaque makes opaque ids without a session.
var Opaque = opaque
