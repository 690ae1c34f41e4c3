package robotmain

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A recording that cannot be decided to its end is no success, with the files of the robot neither.
func TestReplayOfDamagedRecordingFails(t *testing.T) {
	dir := t.TempDir()
	rec, files := filepath.Join(dir, "rec"), filepath.Join(dir, "files")
	run := func(args ...string) (code int, stdout, stderr string) {
		var out, err bytes.Buffer
		code = execute(t.Context(), Options{}, args, &out, &err)
		return code, out.String(), err.String()
	}
	for _, args := range [][]string{{"run", "--headless", "--for", "20s", "--seed", "5", "--record", rec}, {"init", files}} {
		if code, _, stderr := run(args...); code != exitOK {
			t.Fatalf("%v ends with %d: %s", args, code, stderr)
		}
	}
	if code, stdout, stderr := run("replay", rec, "--resources", files); code != exitOK || stderr != "" || !strings.HasSuffix(stdout, "as it was recorded\n") {
		t.Fatalf("whole: ends with %d: %s%s", code, stdout, stderr)
	}
	all, err := filepath.Glob(filepath.Join(rec, "*.mcap"))
	if err != nil || len(all) != 1 {
		t.Fatalf("%v, %v", all, err)
	}
	text, err := os.ReadFile(all[0])
	if err != nil {
		t.Fatal(err)
	}
	magic := []byte("\x28\xb5\x2f\xfd") // each chunk begins with it
	chunks := bytes.Split(text, magic)
	text[len(bytes.Join(chunks[:len(chunks)/2], magic))+40] ^= 0xff
	if err := os.WriteFile(all[0], text, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		stdout string
	}{
		{[]string{"replay", rec}, "they agree with the recording, up to there\n"},
		{[]string{"replay", rec, "--resources", files}, "these behaviors decide every tick as it was recorded, up to there\n"},
		{[]string{"replay", rec, "--resources", files, "--json"}, "it is still good for why and view\"}\n"},
	} {
		code, stdout, stderr := run(c.args...)
		if code != exitFailure || !strings.HasSuffix(stdout, c.stdout) || strings.Count(stderr, "from there on it cannot be decided again") != 1 {
			t.Errorf("%v ends with %d: %s%s", c.args[2:], code, stdout, stderr)
		}
	}
}
