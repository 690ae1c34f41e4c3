package robotmain

import (
	"strings"
	"testing"
)

func TestLimitOfOpenFilesIsRefusedWarnedOfOrFine(t *testing.T) {
	for _, c := range []struct {
		limit         uint64
		warning, fail string
	}{
		{127, "", "the limit of open files is 127, and a live robot needs at least 128: raise it with ulimit -n"},
		{128, "the limit of open files is 128, and many connections need up to 256: raise it with ulimit -n", ""},
		{255, "the limit of open files is 255", ""},
		{256, "", ""},
		{^uint64(0), "", ""},
	} {
		warning, err := checkFiles(c.limit)
		if (err != nil) != (c.fail != "") || err != nil && !strings.Contains(err.Error(), c.fail) {
			t.Errorf("%d: error %v, want %q", c.limit, err, c.fail)
		}
		if (warning != "") != (c.warning != "") || !strings.Contains(warning, c.warning) {
			t.Errorf("%d: warning %q, want %q", c.limit, warning, c.warning)
		}
	}
}
