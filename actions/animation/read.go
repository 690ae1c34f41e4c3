package animation

import (
	"cmp"
	"slices"

	"github.com/robotd/robotd/resources"
)

// Codes of the findings in animation files that have no more general one.
const (
	CodeDuplicate = "animation-duplicate" // a name is defined twice
	CodeInvalid   = "animation-invalid"   // a clip that cannot be played as it is written
	CodeCut       = "animation-cut"       // a keyframe is cut short by the next one or by the end: warning
	CodeClip      = "clip-unknown"        // a group names a clip that does not exist
	CodeGroup     = "group-unknown"       // a trigger names a group that does not exist
)

// Read makes the library of a tree's files. What is wrong is noted in the documents.
func Read(files *Files) *Library {
	r := reader{lib: empty()}
	if files == nil || len(files.BuiltIn) == 0 {
		if files == nil || len(files.Own) == 0 {
			return BuiltIn()
		}
		r.lib = BuiltIn().clone()
	}
	r.files(files.BuiltIn)
	r.files(files.Own)
	if !files.Unread {
		r.resolve()
	}
	return r.lib
}

// A reader reads the files of one library.
type reader struct {
	lib   *Library
	where map[string]string // what is defined in the files of this layer → its file
	names []name            // to be resolved
}

// A name in a file must be that of a clip or a group.
type name struct {
	in    *resources.Object
	key   string
	value string
	clip  bool
}

// files reads one layer. Within it a name has one definition.
func (r *reader) files(docs []*resources.Document) {
	r.where = map[string]string{}
	for _, d := range docs {
		r.file(d.Root())
		d.Finish()
	}
}

func (r *reader) file(root *resources.Object) {
	for _, o := range root.ObjectsOr("clips") {
		if c := readClip(o); r.add(o, "clip", c.Name) {
			r.lib.clips[c.Name] = c
		}
	}
	for _, o := range root.ObjectsOr("groups") {
		if g := r.group(o); r.add(o, "group", g.Name) {
			r.lib.groups[g.Name] = g
		}
	}
	for _, o := range root.ObjectsOr("triggers") {
		trigger, group := o.String("name"), o.String("group")
		r.names = append(r.names, name{o, "group", group, false})
		if r.add(o, "trigger", trigger) {
			r.lib.triggers[trigger] = group
		}
	}
}

// Describe reads a file of animations that nothing is made of; tools learn its keys by it.
func Describe(root *resources.Object) {
	r := reader{lib: empty(), where: map[string]string{}}
	r.file(root)
}

// add notes a definition; false if it has no name, or another one of this layer has the same.
func (r *reader) add(o *resources.Object, kind, of string) bool {
	if of == "" {
		if v, there := o.Optional("name"); there && v.Kind() == resources.KindString {
			o.KeyErrorf("name", CodeInvalid, "a %s needs a name", kind)
		}
		return false
	}
	if first, dup := r.where[kind+" "+of]; dup {
		o.KeyErrorf("name", CodeDuplicate, "%s %q is already defined in %s", kind, of, first)
		return false
	}
	r.where[kind+" "+of] = o.File()
	return true
}

const maxCooldownS = 24 * 3600

// group reads {"name": …, "clips": [{"clip": …, "weight": …}, …]}.
func (r *reader) group(o *resources.Object) *Group {
	g := &Group{Name: o.String("name"), File: o.File(), Line: o.Pos().Line}
	list := o.Objects("clips")
	for _, e := range list {
		g.Entries = append(g.Entries, r.entry(e))
	}
	if v, there := o.Optional("clips"); there && v.Kind() == resources.KindArray && len(list) == 0 {
		o.KeyErrorf("clips", CodeInvalid, "a group needs a clip")
	}
	return g
}

func (r *reader) entry(o *resources.Object) Entry {
	e := Entry{Clip: o.String("clip"), Weight: o.FloatRangeOr("weight", 1, 0.001, 1000)}
	r.names = append(r.names, name{o, "clip", e.Clip, true})
	o.FloatRangeOr("cooldown_s", 0, 0, maxCooldownS)
	e.Cooldown = o.SecondsOr("cooldown_s", 0)
	for _, word := range o.EnumsOr("moods", nil, Moods()) {
		e.Moods |= 1 << slices.Index(Moods(), word)
	}
	low, high := o.FloatRangeOr("headAngleMin_deg", headMinDeg, headMinDeg, headMaxDeg), o.FloatRangeOr("headAngleMax_deg", headMaxDeg, headMinDeg, headMaxDeg)
	switch {
	case low > high:
		o.KeyErrorf("headAngleMax_deg", CodeInvalid, "is less than headAngleMin_deg")
	case low > headMinDeg || high < headMaxDeg:
		e.Head = Span{rad(low), rad(high)}
	}
	return e
}

// maxHinted bounds the names that are compared for hints, as there may be thousands of mistakes among thousands of names.
const maxHinted = 1 << 18

// resolve reports names of clips and groups that are not there, in the order of the files.
func (r *reader) resolve() {
	clips, groups := r.lib.ClipNames(), r.lib.GroupNames()
	compared := 0
	for _, n := range r.names {
		kind, code, known := "clip", CodeClip, clips
		if !n.clip {
			kind, code, known = "group", CodeGroup, groups
		}
		if _, found := slices.BinarySearch(known, n.value); found || n.value == "" {
			continue
		}
		if compared += len(known); compared > maxHinted {
			known = nil
		}
		at := n.in.ValuePos(n.key)
		n.in.Report(resources.Diagnostic{
			Line: at.Line, Col: at.Col, Severity: resources.Error, Code: code,
			Message: "there is no " + kind + " " + quote(n.value), Hint: resources.DidYouMean(n.value, known),
		})
	}
}

// order sorts keyframes by time, and those of one instant by track.
func order(frames []Keyframe) {
	slices.SortStableFunc(frames, func(a, b Keyframe) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Do.track(), b.Do.track()))
	})
}
