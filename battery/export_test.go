package battery

// Packed returns the text that is stored as packed.
func Packed(packed string) Text { return Text{packed} }
