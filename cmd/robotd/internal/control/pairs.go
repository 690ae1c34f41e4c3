package control

import (
	"fmt"
	"strings"
)

// ParsePairs reads KEY=VALUE words.
func ParsePairs(words []string) (map[string]string, error) {
	pairs := make(map[string]string, len(words))
	for _, w := range words {
		key, value, ok := strings.Cut(w, "=")
		if _, twice := pairs[key]; !ok || key == "" || twice {
			return nil, fmt.Errorf("%q: want KEY=VALUE, each key once", w)
		}
		pairs[key] = value
	}
	return pairs, nil
}
