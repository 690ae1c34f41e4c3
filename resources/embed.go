package resources

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// embedded is fixed at build time and never written.
//
//go:embed behavior_config.json mood_config.json all:emotionevents all:animations all:behaviors all:robots all:schema all:web
var embedded embed.FS

// Embedded is the tree built into the binary: behavior_config.json, mood_config.json, animations/, emotionevents/,
// behaviors/, robots/, schema/ and web/.
func Embedded() fs.FS { return embedded }

// SchemaDir holds a JSON Schema for each kind of file, for editors.
const SchemaDir = "schema"

// folders are those of a resource tree that hold what a robot lives with.
var folders = []string{BehaviorsDir, "animations", "emotionevents", "robots"}

// others are the folders of a resource tree that hold nothing a robot lives with: the page, and what belongs to the source tree.
var others = []string{"web", SchemaDir, "dashboards", "rules", "examples", "testdata"}

// OfRobot reports whether a file of a resource tree is data that a robot lives with: JSON, but not that of the page.
func OfRobot(name string) bool {
	top, _, _ := strings.Cut(name, "/")
	return path.Ext(name) == ".json" && !slices.Contains(others, top)
}
