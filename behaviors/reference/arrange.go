package reference

import (
	"strings"

	"github.com/robotd/robotd/resources"
)

// Arrange returns the order of keys in files: in a behavior class and name first, then what every class has; what its own class reads
// follows as its author ordered it. In a condition the type is first.
func (r *Reference) Arrange() resources.Arrange {
	first := []string{"$schema", "behaviorClass", "behaviorID", "behaviorName", "doing"}
	for _, k := range r.Common {
		first = append(first, k.Name)
	}
	return func(path string, texts map[string]string) []string {
		_, behavior := texts["behaviorClass"]
		_, condition := texts["conditionType"]
		switch {
		case behavior && (path == "" || strings.HasSuffix(path, "anonymousBehaviors[]")):
			return first
		case condition:
			return []string{"conditionType"}
		case path == "":
			return []string{"$schema"}
		}
		return nil
	}
}
