package reference

import (
	"path"
	"strings"

	"github.com/robotd/robotd/actions/animation"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/resources"
)

// robotsDir is the folder of robots, whose reader and schema are those of hardware/profile.
const robotsDir = "robots"

// SchemaOf is the file name of the schema of a file of a resource folder.
func SchemaOf(file string) string {
	switch dir := path.Dir(file); {
	case dir == ".":
		return strings.TrimSuffix(file, ".json") + ".schema.json"
	case dir == animation.Dir || strings.HasPrefix(dir, animation.Dir+"/"):
		return "animation.schema.json"
	case dir == catalog.EmotionsDir || strings.HasPrefix(dir, catalog.EmotionsDir+"/"):
		return "emotion_events.schema.json"
	case dir == robotsDir:
		return "robot.schema.json"
	}
	return BehaviorSchema
}

// Link is what "$schema" of a file of a resource folder says: the way from it to its schema.
func Link(file string) string {
	return strings.Repeat("../", strings.Count(path.Clean(file), "/")) + path.Join(resources.SchemaDir, SchemaOf(file))
}
