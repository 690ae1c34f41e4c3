package replay_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/cmd/robotd/internal/replay"
)

// filesOf are the files of a recording, in order.
func filesOf(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "*.mcap"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// A file that begins in mid-life is decided again with the files before it; without them the error says from where and what it is good for.
func TestFileFromMidLifeNeedsTheFilesBeforeIt(t *testing.T) {
	s := shippedLife(t, time.Minute)
	s.part = 64 << 10
	dir := s.write(t)
	all := filesOf(t, dir)
	if len(all) < 3 {
		t.Fatalf("%d files", len(all))
	}
	whole, part := verified(t, dir), verified(t, all[1])
	if whole.Unreadable != nil || whole.Ticks != 1000 || part.Unreadable != nil || part.Ticks == 0 || part.Ticks >= 1000 {
		t.Errorf("all files %+v, the first two %+v", whole, part)
	}
	if err := os.Remove(all[0]); err != nil {
		t.Fatal(err)
	}
	v := verified(t, all[1])
	if v.Ticks != 0 || !errors.Is(v.Unreadable, tape.ErrGap) {
		t.Fatalf("%+v", v)
	}
	for _, want := range []string{"begins in mid-life, with tick ", "no tick of it can be decided again", "part of life " + s.life.ID, "still good for why and view"} {
		if !strings.Contains(v.Unreadable.Error(), want) {
			t.Errorf("%v; lacks %q", v.Unreadable, want)
		}
	}
}

// A gap ends what can be decided again, and is told with its tick; what came before it is verified.
func TestGapEndsWhatCanBeDecidedAgain(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(tick uint64, b []byte) []byte
		is    error
		says  string
	}{
		"missing": {func(tick uint64, b []byte) []byte {
			if tick == 500 {
				return nil
			}
			return b
		}, tape.ErrGap, "after tick 499: a gap in the recording"},
		"said": {func(tick uint64, b []byte) []byte {
			if tick >= 500 {
				return tape.AppendGap(nil, "the recorder was too slow")
			}
			return b
		}, tape.ErrGap, "after tick 499: a gap in the recording: the recorder was too slow"},
		"changed": {func(tick uint64, b []byte) []byte {
			if tick == 500 {
				return b[:len(b)-1]
			}
			return b
		}, tape.ErrDamaged, "after tick 499: damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			s := shippedLife(t, 40*time.Second)
			s.spoil = c.spoil
			v := verified(t, s.write(t))
			if v.Ticks != 499 || v.Parted != nil || !errors.Is(v.Unreadable, c.is) || !strings.Contains(v.Unreadable.Error(), c.says) ||
				!strings.Contains(v.Unreadable.Error(), "from there on it cannot be decided again; it is still good for why and view") {
				t.Errorf("%d ticks, %v", v.Ticks, v.Unreadable)
			}
		})
	}
}

// A chunk that a bad disk changed is a gap; the ticks before it are verified.
func TestDamagedFileIsVerifiedUpToTheDamage(t *testing.T) {
	dir := shippedLife(t, time.Minute).write(t)
	file := filesOf(t, dir)[0]
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	whole := slices.Clone(text)
	for i := range 8 << 10 {
		text[len(text)*7/10+i] ^= 0xff
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if v := verified(t, file); v.Ticks == 0 || v.Ticks >= 1000 || v.Parted != nil || !errors.Is(v.Unreadable, tape.ErrGap) {
		t.Errorf("%d ticks, %v, %v", v.Ticks, v.Parted, v.Unreadable)
	}
	for _, keep := range []int{6, 7, 8} { // as a killed process leaves it
		if err := os.WriteFile(file, whole[:len(whole)*keep/10], 0o600); err != nil {
			t.Fatal(err)
		}
		if v := verified(t, file); v.Parted != nil || v.Unreadable != nil {
			t.Errorf("cut off after %d tenths: %+v", keep, v)
		}
	}
}

// Resources that are not those of the recording are refused.
func TestRecordingWithOtherResourcesIsRefused(t *testing.T) {
	s := shippedLife(t, 6*time.Second)
	s.life.ResourcesHash = strings.Repeat("0", 64)
	if _, err := replay.Tree(opened(t, s.write(t))); err == nil || !strings.Contains(err.Error(), "are damaged: their hash is ") {
		t.Error(err)
	}
}

// What differs between the programs is said first.
func TestWarningsNameWhatDiffers(t *testing.T) {
	here := replay.Here("v2")
	was := here
	if w := replay.Warnings(was, here); w != nil {
		t.Errorf("the same program: %q", w)
	}
	was.Arch, was.Version = "arm64/v8.0", "v1"
	w := replay.Warnings(was, here)
	if len(w) != 2 || !strings.HasPrefix(w[0], "recorded on arm64/v8.0, this is "+here.Arch+": ") || !strings.HasPrefix(w[1], "recorded by robotd v1, this is v2: ") {
		t.Errorf("%q", w)
	}
}
