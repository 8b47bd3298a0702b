package power

// Visible gives the tests the constant visible.
const Visible = visible
