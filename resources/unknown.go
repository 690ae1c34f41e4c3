package resources

import (
	"fmt"
	"strings"
)

// DidYouMean is the hint `did you mean "X"?` with the candidate nearest to word, or "" if none is near.
func DidYouMean(word string, candidates []string) string {
	near, ok := Nearest(word, candidates)
	if !ok {
		return ""
	}
	return "did you mean " + quote(near) + "?"
}

// Unknown is the error for a name that no thing of its kind has. It names the nearest valid name, or else the valid ones.
func Unknown(kind, name string, valid []string) error {
	return UnknownOr(kind, name, valid, listed(valid))
}

// UnknownOr is [Unknown] with another hint where no valid name is near; an empty one is left out.
func UnknownOr(kind, name string, valid []string, otherwise string) error {
	hint := DidYouMean(name, valid)
	if hint == "" {
		hint = otherwise
	}
	if hint != "" {
		hint = "; " + hint
	}
	return fmt.Errorf("there is no %s %s%s", kind, quote(name), hint)
}

// maxListed is how many valid names an error lists: as many as a reader takes in.
const maxListed = 16

// listed is the hint that lists the first valid names; "" if there are none.
func listed(valid []string) string {
	switch n := len(valid); {
	case n == 0:
		return ""
	case n > maxListed:
		return fmt.Sprintf("valid: %s and %d more", strings.Join(valid[:maxListed], " "), n-maxListed)
	}
	return "valid: " + strings.Join(valid, " ")
}
