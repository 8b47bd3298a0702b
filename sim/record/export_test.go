package record

// The bounds of Parquet pages, for tests with small limits.
var (
	CheckPages = checkPages
	ZstdSize   = zstdSize
)
