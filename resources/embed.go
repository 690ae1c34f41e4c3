package resources

import (
	"embed"
	"io/fs"
)

// embedded is fixed at build time and never written.
//
//go:embed behavior_config.json mood_config.json all:emotionevents all:behaviors all:robots all:web
var embedded embed.FS

// Embedded is the tree built into the binary: behavior_config.json, mood_config.json, emotionevents/,
// behaviors/, robots/ and web/.
func Embedded() fs.FS { return embedded }
