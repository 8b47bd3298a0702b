package power

// Visible is visible, for tests.
const Visible = visible
