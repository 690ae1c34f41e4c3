package profile_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/resources"
)

func TestEncodersCountOneTwoOrFourEdges(t *testing.T) {
	src, err := fs.ReadFile(resources.Embedded(), "robots/sim.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ edges, want string }{
		{`"edges": 3`, "sim.json:43:"},
		{`"edges": 3`, "parts.drive.encoders.edges: is 4 (all edges of both lines), 2 (those of A) or 1 (the rising ones of A), not 3; 2 or 4 is nearest"},
		{`"edges": 5`, "5 is above the limit 4"},
		{`"maxEdgesPerSecond": 0`, "0 is below the limit 10"},
		{`"maxEdgesPerSecond": 500`, ""},
	} {
		text := strings.Replace(string(src), `"edges": 1`, c.edges, 1)
		p, diags := profile.Parse("robots/sim.json", []byte(text), nil)
		if c.want == "" && (p == nil || p.Drive.Encoders.MaxEdgesPerSecond != 500) || c.want != "" && (len(diags) != 1 || !strings.Contains(diags[0].String(), c.want)) {
			t.Errorf("%s: %v, want one finding with %q", c.edges, diags, c.want)
		}
	}
}
