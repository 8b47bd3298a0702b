package battery

// Packed returns the world that is stored as packed.
func Packed(packed string) World { return World{packed: packed} }
