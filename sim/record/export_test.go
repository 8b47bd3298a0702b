package record

// The bounds of Parquet pages, for tests with small limits.
var (
	CheckPages       = checkPages
	CheckPageIndexes = checkPageIndexes
	CheckStructure   = checkStructure
	CheckValues      = checkValues
	ZstdSize         = zstdSize
)
