package walk_test

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/walk"
	"github.com/robotd/robotd/hardware"
)

// A doer does what its file says in its hooks.
type doer struct {
	cfg   string
	ids   []string
	calls *[]string
	id    string
}

func (d *doer) WantsToBeActivated(c *behaviors.Control) bool {
	switch d.cfg {
	case "shy":
		c.Because("it is shy")
		return false
	case "hot":
		return c.World().Body.Hot
	case "held":
		return c.World().Body.Treads != hardware.OnTreads
	}
	return true
}

func (d *doer) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.WhenOffTreads, m.AlwaysDelegates = true, false
}

func (d *doer) OnActivated(c *behaviors.Control) {
	*d.calls = append(*d.calls, "+"+d.id)
	switch {
	case d.cfg == "panics":
		panic("boom")
	case d.cfg == "ends":
		c.CancelSelf()
	case len(d.ids) > 0 && c.Wants(d.ids[0]):
		c.DelegateTo(d.ids[0], nil)
	}
}

func (d *doer) OnDeactivated(*behaviors.Control) {
	*d.calls = append(*d.calls, "-"+d.id)
	if d.cfg == "panics late" {
		panic("late boom")
	}
}

// tree makes a catalog of lines "ID: delegates; what it does".
func tree(t *testing.T, lines ...string) (*catalog.Catalog, *[]string) {
	t.Helper()
	calls := &[]string{}
	files := ""
	for _, l := range lines {
		id, rest, _ := strings.Cut(l, ":")
		list, does, _ := strings.Cut(rest, ";")
		ids := strings.Fields(list)
		quoted := ""
		if len(ids) > 0 {
			quoted = `"` + strings.Join(ids, `", "`) + `"`
		}
		files += "-- " + id + ".json --\n" + `{"behaviorClass": "Doer", "behaviorID": "` + id + `", "does": "` + strings.TrimSpace(does) + `", "list": [` + quoted + "]}\n"
	}
	reg := behaviors.NewRegistry(behaviors.Class{Name: "Doer", New: func(cfg *behaviors.Config) behaviors.Behavior {
		return &doer{cfg: cfg.String("does"), ids: cfg.DelegateList("list"), calls: calls, id: cfg.ID()}
	}})
	cat, diags := behaviortest.Catalog(t, files, reg, catalog.Boot{Base: "Base", Fallback: "Base"})
	if cat == nil {
		t.Fatal(diags)
	}
	return cat, calls
}

func walked(t *testing.T, cat *catalog.Catalog, o walk.Options) *walk.Result {
	t.Helper()
	r, err := walk.Tree(cat, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func branches(t *testing.T, r *walk.Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteBranches(&b); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(strings.TrimSpace(b.String()), "\n", "; ")
}

// Each stack is visited once for each path that leads to it, whatever the behaviors delegate by themselves.
// Rules: DT-T01, DT-T03.
func TestWalkVisitsEveryPath(t *testing.T) {
	cat, calls := tree(t, "Base: A B", "A: C D", "B: C", "C:", "D:")
	r := walked(t, cat, walk.Options{})
	if got, want := branches(t, r), "Base; Base A; Base A C; Base A D; Base B; Base B C"; got != want {
		t.Errorf("stacks %s\nwant   %s", got, want)
	}
	if len(r.Failures)+len(r.Unwilling) > 0 || r.Visited != 6 || !slices.Equal(r.Longest, []string{"Base", "A", "C"}) {
		t.Errorf("%+v", r)
	}
	on := 0
	for _, c := range *calls {
		on += map[byte]int{'+': 1, '-': -1}[c[0]]
	}
	if on != 1 {
		t.Errorf("%d behaviors are left activated beside the base: %v", on-1, *calls)
	}
	if again := walked(t, cat, walk.Options{}); !reflect.DeepEqual(r, again) {
		t.Error("a second walk differs")
	}
}

// Rules: DT-T04.
func TestWalkTellsWhatStaysUnwillingAndPushesItAllTheSame(t *testing.T) {
	cat, _ := tree(t, "Base: Held Hot Shy", "Shy: Below; shy", "Below:", "Held:; held", "Hot:; hot")
	r := walked(t, cat, walk.Options{})
	if !r.Reaches("Below") || len(r.Unwilling) != 2 {
		t.Fatalf("%+v", r)
	}
	if f := r.Unwilling[1].String(); f != "Shy (Doer) below Base: in none of 17 situations; standing on the table: it is shy" {
		t.Error(f)
	}
	warm := walk.Situation{Name: "warm", Edit: func(s *hardware.Snapshot) { s.Battery.Value.TempC = 80 }}
	for _, name := range []string{"Hot", "Doer"} {
		r = walked(t, cat, walk.Options{Fixtures: map[string]walk.Situation{name: warm}})
		if len(r.Unwilling) != 1 || r.Unwilling[0].ID != "Shy" {
			t.Errorf("with a fixture of %s: %+v", name, r.Unwilling)
		}
	}
}

// What fails is told once, with its path, and the walk goes on.
func TestWalkGoesOnAfterFailures(t *testing.T) {
	cat, _ := tree(t, "Base: Bad End Last Late", "Bad: Below; panics", "Below:", "Late: Below; panics late", "End: Below; ends", "Last: End Loop", "Loop: Last")
	r := walked(t, cat, walk.Options{})
	var got []string
	for i := range r.Failures {
		got = append(got, r.Failures[i].String())
	}
	want := []string{"Bad (Doer) below Base: ", "Loop (Doer) below Base > Last: ", "Late (Doer) below Base: "}
	if len(got) != len(want) {
		t.Fatalf("failures %q, want %d", got, len(want))
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("failure %q, want %q", got[i], want[i])
		}
	}
	if !strings.Contains(got[0], "boom") || !strings.Contains(got[1], "cycle") || !strings.Contains(got[2], "late boom") {
		t.Errorf("failures %q do not say what failed", got)
	}
	if len(r.Unwilling) != 1 || r.Unwilling[0].ID != "End" || !r.Reaches("Below") {
		t.Errorf("%+v", r)
	}
}

func TestWalkIsCutAtItsLimit(t *testing.T) {
	cat, _ := tree(t, "Base: A B", "A: C D", "B: C", "C:", "D:")
	if r := walked(t, cat, walk.Options{MaxStacks: 3}); !r.Cut || r.Visited != 3 {
		t.Errorf("%+v", r)
	}
}

func TestWalkFromUnknownBaseIsAnError(t *testing.T) {
	cat, _ := tree(t, "Base:")
	if _, err := walk.Tree(cat, walk.Options{Base: "Bass"}); err == nil || !strings.Contains(err.Error(), `"Bass"`) {
		t.Errorf("%v", err)
	}
}

// Rules: DT-T02.
func TestTransitionsNameEachDelegate(t *testing.T) {
	reg := behaviors.NewRegistry(behaviors.Class{Name: "Lister", New: func(cfg *behaviors.Config) behaviors.Behavior {
		return struct{ ids []string }{cfg.DelegateList("list")}
	}})
	cat, diags := behaviortest.Catalog(t, `
-- Base.json --
{"behaviorClass": "Lister", "behaviorID": "Base", "list": ["Own", "Other"], "anonymousBehaviors": [{"behaviorClass": "Lister", "behaviorName": "Own", "list": []}]}
-- Other.json --
{"behaviorClass": "Lister", "behaviorID": "Other", "list": ["Own"], "anonymousBehaviors": [{"behaviorClass": "Lister", "behaviorName": "Own", "list": []}]}
`, reg, catalog.Boot{Base: "Base", Fallback: "Base"})
	if cat == nil {
		t.Fatal(diags)
	}
	var b bytes.Buffer
	if err := walk.WriteTransitions(&b, cat); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), "Base @Own\nBase Other\nOther @Own\n"; got != want {
		t.Errorf("transitions\n%swant\n%s", got, want)
	}
}

func TestBelowFindsTheStack(t *testing.T) {
	cat, _ := tree(t, "Base: A B", "A: C D", "B: C", "C:", "D:")
	r := walked(t, cat, walk.Options{})
	if s := r.Below("D", "Base"); !slices.Equal(s, []string{"Base", "A", "D"}) {
		t.Errorf("D below Base: %v", s)
	}
	if s := r.Below("D", "B"); s != nil {
		t.Errorf("D below B: %v", s)
	}
}
