package robotmain

import (
	"bytes"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors"
)

func TestInvalidClassIsReportedWithItsPlace(t *testing.T) {
	build := func(*behaviors.Config) behaviors.Behavior { return nil }
	for want, classes := range map[string][]behaviors.Class{
		`Classes[0] has no Name`:                             {{New: build}},
		`class "Mine" has no New`:                            {{Name: "Mine"}},
		`the name "Wait" is taken by a built-in class`:       {{Name: "Wait", New: build}},
		`Classes[1]: the name "Mine" is taken by Classes[0]`: {{Name: "Mine", New: build}, {Name: "Mine", New: build}},
	} {
		var stdout, stderr bytes.Buffer
		code := execute(t.Context(), Options{Classes: classes}, []string{"version"}, &stdout, &stderr)
		if code != exitFailure || !strings.Contains(stderr.String(), want) || stdout.Len() > 0 {
			t.Errorf("ends with %d: %q; want %q", code, stderr.String(), want)
		}
	}
}

func TestVersionIsDevUnlessTheProgramNamesOne(t *testing.T) {
	for version, want := range map[string]string{"": "robotd dev ", "v2": "robotd v2 "} {
		var stdout, stderr bytes.Buffer
		if code := execute(t.Context(), Options{Version: version}, []string{"version"}, &stdout, &stderr); code != exitOK || !strings.HasPrefix(stdout.String(), want) {
			t.Errorf("%q: ends with %d: %q", version, code, stdout.String())
		}
	}
}
