package actions

import (
	"reflect"
	"testing"
)

// Rules: TRK-1, TRK-2, TRK-5, TRK-6, TRK-7.
func TestTrackTableCountsLocksAndNamesHolders(t *testing.T) {
	var l TrackTable
	if l.Locked(0) || l.AnyLocked(All) {
		t.Errorf("TRK-7: an empty set is not locked")
	}
	l.Lock("b", Head|Body)
	l.Lock("a", Head)
	l.Lock("b", Head) // TRK-5: counted
	if who, ok := l.TryLock("c", Lift|Head); ok || who != "HEAD held by a, b, b" {
		t.Errorf("TRK-2: %q %v", who, ok)
	}
	if l.AnyLocked(Lift) {
		t.Errorf("TRK-2: a partial lock")
	}
	if freed := l.UnlockTracks("b", Head); freed != 0 {
		t.Errorf("TRK-5: freed %v too early", freed)
	}
	if freed := l.Unlock("b"); freed != Body || l.Mask() != Head {
		t.Errorf("TRK-6: freed %v, mask %v", freed, l.Mask())
	}
	if freed := l.Unlock("nobody"); freed != 0 {
		t.Errorf("TRK-5: freed %v", freed)
	}
	if !l.Holds("a") || l.Holds("b") {
		t.Errorf("TRK-12: holders")
	}
	want := TrackHolders{Track: Head, Name: "HEAD", Holders: []string{"a"}}
	if got := l.Holders(); len(got) != 7 || !reflect.DeepEqual(got[0], want) || got[1].Holders != nil {
		t.Errorf("holders %+v", got)
	}
	l.UnlockAll()
	if l.Mask() != 0 {
		t.Errorf("TRK-7: mask %v", l.Mask())
	}
	if _, ok := l.TryLock("x", All); !ok || !l.Locked(All) {
		t.Errorf("all tracks: mask %v", l.Mask())
	}
}

func TestTracksParseWhatTheyPrint(t *testing.T) {
	for _, c := range []struct {
		t    Tracks
		want string
	}{{0, "none"}, {Head | Audio, "HEAD+AUDIO"}, {All, "HEAD+LIFT+BODY+FACE+EVENT+BACKPACK+AUDIO"}} {
		if c.t.String() != c.want {
			t.Errorf("%#x is %q", uint8(c.t), c.t.String())
		}
		if back, ok := ParseTracks(c.want); !ok || back != c.t&named {
			t.Errorf("%q reads %v", c.want, back)
		}
	}
	if _, ok := ParseTracks("TAIL"); ok {
		t.Errorf("TAIL is no track")
	}
}

// RES-1, and every code has a name of its own.
// Rules: RES-1.
func TestResultNamesAndCategoriesRoundTrip(t *testing.T) {
	seen := map[string]bool{}
	for cat, names := range resultNames {
		for i, n := range names {
			r := Result(cat)<<categoryShift + Result(i)
			if back, ok := ParseResult(n); !ok || back != r || r.String() != n || seen[n] {
				t.Errorf("%s reads %v", n, back)
			}
			seen[n] = true
			if r.IsFailure() != (cat >= 3) || r.Category() != Category(cat) {
				t.Errorf("%s: failure %v, category %v", n, r.IsFailure(), r.Category())
			}
		}
	}
	for r, want := range map[Result]string{
		Success: "SUCCESS", NotStarted: "NOT_STARTED", FailedSettingCalibration: "FAILED_SETTING_CALIBRATION",
		UnexpectedPitchAngle: "UNEXPECTED_PITCH_ANGLE", NotOnChargerRetry: "NOT_ON_CHARGER_RETRY", 9 << 24: "RESULT_0x09000000",
	} {
		if r.String() != want {
			t.Errorf("%d is %s, want %s", r, r, want)
		}
	}
	if TypeWaitForLambda.String() != "WAIT_FOR_LAMBDA" || TypeSetLights.String() != "SET_LIGHTS" || TypeAny.String() != "ANY" {
		t.Errorf("type names are shifted")
	}
}

// Engine tags wrap to the first of their range and skip what is in use.
// Rules: TAG-1, TAG-3, TAG-4, TAG-6.
func TestTagPoolSkipsTagsInUseAndWraps(t *testing.T) {
	p := newTagPool()
	if !p.claim(FirstEngineTag+1) || p.claim(FirstEngineTag+1) || p.claim(InvalidTag) {
		t.Errorf("TAG-4: claims")
	}
	a, _ := p.Take()
	b, _ := p.Take()
	if a != FirstEngineTag || b != FirstEngineTag+2 {
		t.Errorf("TAG-3: took %d and %d", a, b)
	}
	p.next = lastEngineTag
	c, _ := p.Take()
	p.Free(a)
	d, _ := p.Take()
	if c != lastEngineTag || d != FirstEngineTag {
		t.Errorf("TAG-1: took %d and %d", c, d)
	}
	for {
		if _, err := p.Take(); err != nil {
			break
		}
	}
	if len(p.used) != maxRunnersWithChildren {
		t.Errorf("%d tags in use", len(p.used))
	}
	if Tag(0).External() || !FirstAppTag.External() || FirstEngineTag.External() {
		t.Errorf("TAG-6: external ranges")
	}
}
