package barrier

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
	"pgregory.net/rapid"
)

// see lists the output of a call and what the engine holds after it, as text.
func (d *door) see(out *engine.Output) (seen []string) {
	d.hash.Add(out)
	note := func(what string, v any) { seen = append(seen, fmt.Sprintf("%s %+v", what, v)) }
	for _, e := range out.Events {
		note("event", e.String()+" "+e.Text)
	}
	for _, c := range out.Commands {
		note("command", fmt.Sprintf("%#v", c))
	}
	for _, c := range out.Done {
		note("done", fmt.Sprintf("%d %s %s", c.Tag, c.Owner, c.Result))
	}
	note("misuses", out.Misuses)
	note("warnings", out.Warnings)
	note("features", out.Features)
	note("look", out.Look)
	note("updated", out.Updated)
	note("violations", out.Violations)
	note("replies", out.Replies)
	e := d.eng
	for _, c := range e.Cells() {
		note(c.Node.ID, fmt.Sprintf("%v %d %v %q %q %q", c.Node.State(), c.Started(), c.Since().Sub(actorstest.Epoch), c.State(), c.Why(), e.Holdings(c)))
	}
	v := e.View()
	note("mood", v.Mood)
	note("intents", fmt.Sprintf("%+v %+v %d", v.Intent.Pending, v.Intent.Active, v.Intent.Unclaimed))
	note("trigger word", v.TriggerWord)
	note("timers", v.Timers)
	note("suggestions", v.Suggestions)
	note("services", fmt.Sprintf("%v %v %+v %q %v %v %v", v.Services.Look, v.Services.Cube, v.Services.Response, v.Services.Deaf,
		v.Services.PowerSave, v.Services.FaceLocked, v.Services.GetIn))
	note("watchers", e.Watchers())
	note("lights", e.CustomLights())
	note("responders", e.Responders())
	note("cube", e.CubeUsers())
	note("feature", e.Feature())
	for _, s := range e.StatNames() {
		note("stat "+s, e.Stat(s))
	}
	note("boot", e.Boot()+" "+e.Stage().String())
	note("tracks", e.Actions().Tracks().Holders())
	note("world", fmt.Sprintf("%+v", v.World.Body))
	note("hash", d.hash.Sum())
	return seen
}

// differ describes the first line in which two lists differ.
func differ(want, got []string) string {
	for i := range max(len(want), len(got)) {
		w, g := "(nothing)", "(nothing)"
		if i < len(want) {
			w = want[i]
		}
		if i < len(got) {
			g = got[i]
		}
		if w != g {
			return fmt.Sprintf("line %d\n a %s\n b %s\nin a\n%s", i+1, w, g, strings.Join(want, "\n"))
		}
	}
	return "nothing"
}

// sound fails if an invariant does not hold, or if a behavior that is not activated holds something.
func (d *door) sound(t rapid.TB) {
	for _, v := range d.eng.Stack().Violations() {
		t.Fatalf("violation: %s", v)
	}
	for _, c := range d.eng.Cells() {
		for _, h := range d.eng.Holdings(c) {
			early := h == "response" || strings.HasPrefix(h, "look ")
			switch s := c.Node.State(); {
			case s == stack.Activated, s == stack.InScope && early:
			default:
				t.Fatalf("%s is %s and holds %q", c.Node.ID, s, h)
			}
		}
	}
	for _, track := range d.eng.Actions().Tracks().Holders() {
		for _, who := range track.Holders {
			if id, _, of := strings.Cut(who, "/"); of && !d.eng.Cell(id).Node.Activated() {
				t.Fatalf("%s holds %s", who, track.Name)
			}
		}
	}
}

// someTraits makes most players of a calm play helpers and interrupts.
func someTraits(r *rand.Rand, calm bool) int {
	traits := r.Int() & r.Int()
	if calm {
		return traits&(traitScopeLook|traitActiveLook|traitFeature|traitPush|traitStat|traitEyes) | traitHandy | traitResumable*r.IntN(2)
	}
	for _, rare := range []int{traitBadInit, traitBadModify, traitManaged} {
		if r.IntN(4) > 0 {
			traits &^= rare
		}
	}
	if r.IntN(2) == 0 {
		traits |= traitHandy
	}
	if r.IntN(3) == 0 {
		traits |= traitResumable
	}
	if traits&traitFeature != 0 {
		traits &^= traitNoFeature
	}
	if traits&traitPush != 0 {
		traits &^= traitAlter
	}
	return traits
}

func someWorld(r *rand.Rand) (w hardware.Snapshot) {
	if r.IntN(3) > 0 {
		w.Vision = hardware.Reading[hardware.Detections]{Quality: hardware.OK, Value: hardware.Detections{CubeConnected: r.IntN(3) > 0}}
	}
	if r.IntN(10) == 0 {
		w.Motors = hardware.Reading[hardware.MotorState]{Quality: hardware.OK, Value: hardware.MotorState{CliffLatched: true}}
	}
	if r.IntN(10) == 0 {
		w.Charger = hardware.Reading[hardware.ChargerState]{Quality: hardware.OK, Value: hardware.ChargerState{OnContacts: true}}
	}
	return w
}

// someRoles are the other bases of the boot configuration.
func someRoles(r *rand.Rand, ids []string) map[string]string {
	roles := map[string]string{}
	for _, key := range []string{
		"onboardingBehavior", "postOnboardingBehavior", "devBaseBehavior", "factoryBehavior", "selfTestBehavior", "resetSafelyBehavior",
	} {
		if r.IntN(2) == 0 {
			roles[key] = ids[r.IntN(len(ids))]
		}
	}
	return roles
}

// catalogs are the sets of definitions of a play, in their order; the first is that of the start.
func (p *play) catalogs(t rapid.TB, d *door) (all []*catalog.Catalog) {
	class := func(name string, make func(player) behaviors.Behavior) behaviors.Class {
		return behaviors.Class{Name: name, New: func(cfg *behaviors.Config) behaviors.Behavior {
			i := slices.Index(p.ids, cfg.ID())
			next := cfg.RefsOr("next", behaviors.RefBehavior)
			cfg.MayDelegateTo(next...)
			cfg.Link(cfg.RefsOr("links", behaviors.RefBehavior)...)
			if p.traits[i]&traitAnonymous != 0 {
				cfg.MayDelegateTo(cfg.ID() + "@bit")
			}
			return make(player{play: p, door: d, me: i, eye: &eye{}, next: next, version: cfg.IntRangeOr("version", 0, 0, 100)})
		}}
	}
	reg := behaviors.NewRegistry(
		class("Player", func(b player) behaviors.Behavior { return &b }),
		class("Quiet", func(b player) behaviors.Behavior { return &quietPlayer{b} }),
		class("Handy", func(b player) behaviors.Behavior { return &handyPlayer{b} }),
		behaviors.Class{Name: "Bit", New: func(*behaviors.Config) behaviors.Behavior { return bit{} }},
	).WithAnswer(func(condition.Response) actions.Action { return &stint{left: 2, tracks: actions.Audio} })
	for _, v := range p.sets {
		all = append(all, p.catalog(t, reg, v))
	}
	return all
}

// catalog is one set of definitions.
func (p *play) catalog(t rapid.TB, reg *behaviors.Registry, v *set) *catalog.Catalog {
	named := func(of []int) string {
		var ids []string
		for _, k := range of {
			if !v.gone[k] {
				ids = append(ids, fmt.Sprintf("%q", p.ids[k]))
			}
		}
		return "[" + strings.Join(ids, ",") + "]"
	}
	var docs []*resources.Document
	for i, id := range p.ids {
		if v.gone[i] {
			continue
		}
		name, keys := "Player", `"resetTimers":["nap"]`
		switch {
		case p.traits[i]&traitIntent != 0:
			keys = `"respondToUserIntents":[{"type":"hello"}]`
		case p.quiet[i]:
			name, keys = "Quiet", `"resetTimers":["nap"],"postBehaviorSuggestion":"Sleep"`
		case i%2 == 0:
			keys = `"tracksToLockWhileActivated":["HEAD_TRACK"]`
		}
		if !p.quiet[i] && p.traits[i]&traitHandy != 0 {
			name = "Handy"
		}
		src := fmt.Appendf(nil, `{"behaviorClass":%q,"behaviorID":%q,"next":%s,"links":%s,"version":%d,%s%s}`, name, id, named(v.delegates[i]), named(v.links[i]), v.version[i], keys,
			traitKeys(p.traits[i]))
		doc, diags := resources.Parse(id+".json", src)
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		docs = append(docs, doc)
	}
	var roles []byte
	for _, key := range slices.Sorted(maps.Keys(p.roles)) {
		if id := p.roles[key]; !v.gone[slices.Index(p.ids, id)] {
			roles = fmt.Appendf(roles, `,%q:%q`, key, id)
		}
	}
	boot, _ := resources.Parse(catalog.BootFile, fmt.Appendf(nil,
		`{"normalBaseBehavior":%q,"fallbackBehavior":%q,"userIntents":["hello"],"timers":["nap"],"features":["Fun","Onboarding","ActiveIntentFeedback"],
		"enabledFeatures":["ActiveIntentFeedback"],"behaviorStats":["played"]%s}`, p.ids[v.base], p.ids[v.fallback], roles))
	mood, _ := resources.Parse(catalog.MoodFile, []byte(playMood))
	cat, diags := catalog.Build(catalog.Sources{Behaviors: docs, Boot: boot, Mood: &catalog.MoodFiles{Config: mood}}, reg)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return cat
}
