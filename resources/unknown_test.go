package resources

import (
	"strings"
	"testing"
)

func TestUnknownNameErrorListsNearestOrValidNames(t *testing.T) {
	many := strings.Fields("a b c d e f g h i j k l m n o p q r")
	for _, c := range []struct {
		name  string
		valid []string
		want  string
	}{
		{"starx", []string{"begin", "start"}, `there is no word "starx"; did you mean "start"?`},
		{"zzzz", []string{"begin", "start"}, `there is no word "zzzz"; valid: begin start`},
		{"zzzz", many, `there is no word "zzzz"; valid: a b c d e f g h i j k l m n o p and 2 more`},
		{"zzzz", nil, `there is no word "zzzz"`},
	} {
		if err := Unknown("word", c.name, c.valid); err.Error() != c.want {
			t.Errorf("%s of %v: %v; want %s", c.name, c.valid, err, c.want)
		}
	}
	if err := UnknownOr("word", "zzzz", many, "see elsewhere"); err.Error() != `there is no word "zzzz"; see elsewhere` {
		t.Error(err)
	}
}
