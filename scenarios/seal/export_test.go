package seal

// DecodeEpisodes is exported for a test of its limit.
var DecodeEpisodes = decodeEpisodes
