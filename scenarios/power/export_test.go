package power

// Visible bounds a weakness.
const Visible = visible
