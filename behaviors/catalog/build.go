package catalog

import (
	"cmp"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/robotd/robotd/actions/animation"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/resources"
)

// Sources are the parsed files of a resource folder.
type Sources struct {
	Behaviors []*resources.Document
	// Boot is behavior_config.json. Without it, whose absence its reader reports, words of its vocabulary are not checked.
	Boot *resources.Document
	// Intents is user_intent_map.json; nil if there is none, or if IntentsUnread: then unknown intents are not reported.
	Intents       *resources.Document
	IntentsUnread bool
	// Reactions is the map of reactions; nil if there is none.
	Reactions *resources.Document
	// Mood are the mood data. Nil means that they were not looked for; names of emotion events are not checked then.
	Mood *MoodFiles
	// Animations are the animation files. Nil means that they were not looked for: the animations are the built-in ones, and names of
	// clips and triggers are not checked.
	Animations *animation.Files
	// Unread are paths of behavior files that could not be read. A reference to a behavior of theirs is not reported.
	// The catalog is nil if there are any: their reader reported why.
	Unread []string
	// Lint looks for what is possible and cannot have been meant, such as an entry of a list that never gets its turn.
	Lint bool
	// Empty are paths of behavior files that hold nothing and so define nothing.
	Empty []string
	// Lenient is for the files of another robot: it takes the place of every error. Nil is strict.
	Lenient *Lenience
	// Assumed is the boot configuration if there is no Boot that says it; only for Lenient.
	Assumed *Boot
}

// Build builds a catalog from parsed files. The mistakes of all files are reported, sorted by place; beyond
// [resources.MaxDiagnostics] they are counted. The catalog is nil if any is an error.
func Build(src Sources, classes *behaviors.Registry) (*Catalog, resources.Diagnostics) {
	if src.Lenient != nil {
		src = src.Lenient.prepare(src, classes)
	}
	n := len(src.Behaviors)
	reactions := readReactions(&src, classes)
	if reactions != nil {
		classes = classes.Reacting(reactions)
	}
	b := builder{
		lenient: src.Lenient,
		classes: classes, names: classes.Names(), cat: &Catalog{Answer: classes.Answer(), Reactions: reactions, Entries: make([]*Entry, 0, n)}, files: make(map[string]string, n),
		folded: make(map[string]string, n), broken: map[string]bool{}, boot: src.Boot != nil, linting: src.Lint, empty: map[string]string{}, unsure: map[string]bool{},
	}
	for _, file := range src.Empty {
		b.empty[strings.ToLower(strings.TrimSuffix(path.Base(file), ".json"))] = file
	}
	for _, file := range src.Unread {
		b.noteBroken(file)
	}
	for _, d := range src.Behaviors {
		b.add(d)
	}
	sortEntries(b.cat.Entries)
	docs := slices.Clone(src.Behaviors)
	if src.Boot != nil {
		b.cat.Boot = readBoot(src.Boot, append(b.ids(), b.hidden...))
		markUnsure(src.Boot.Root(), b.unsure)
		b.readIntents(src.Intents)
		b.unsure[behaviors.RefIntent] = b.unsure[behaviors.RefIntent] || src.IntentsUnread
		b.diags.Add(src.Boot.Diagnostics()...)
	}
	b.addAnalyzers()
	var lost bool
	b.cat.Mood, lost = readMood(src.Mood)
	if src.Mood != nil {
		docs = append(docs, b.moodDocs(src.Mood)...)
		b.hasMood, b.unsure[behaviors.RefEmotionEvent] = !src.Mood.Unread, lost
	}
	if src.Intents != nil && src.Boot != nil {
		docs = append(docs, src.Intents)
		b.diags.Add(src.Intents.Diagnostics()...)
	}
	if src.Reactions != nil {
		docs = append(docs, src.Reactions)
		b.diags.Add(src.Reactions.Diagnostics()...)
	}
	b.readAnimations(src.Animations)
	if src.Lenient != nil {
		b.accept(docs, src.Assumed)
	} else {
		b.resolve(docs)
		b.checkWaits()
	}
	b.checkAnonymous()
	if src.Lint {
		b.lint(src.Behaviors)
	}
	label(b.cat.Entries)
	b.cat.Sum = sumOf(b.cat.Entries, src.Boot, src.Reactions)
	if l := src.Lenient; l != nil {
		rest := l.TakeOver(b.diags.List())
		l.finish()
		return b.cat, rest
	}
	if len(src.Unread) > 0 || b.diags.HasErrors() {
		return nil, b.diags.List()
	}
	return b.cat, b.diags.List()
}

func sortEntries(list []*Entry) {
	slices.SortFunc(list, func(x, y *Entry) int { return cmp.Compare(x.ID, y.ID) })
}

// readAnimations makes the library, and takes over what was found in its files.
func (b *builder) readAnimations(files *animation.Files) {
	b.cat.Animations = animation.Read(files)
	if files == nil {
		return
	}
	for _, d := range files.Documents() {
		b.diags.Add(d.Diagnostics()...)
	}
	b.hasClips = !files.Unread
}

// moodDocs lists the mood files, after taking over what was found in them.
func (b *builder) moodDocs(m *MoodFiles) []*resources.Document {
	docs := slices.Clone(m.Events)
	if m.Config != nil {
		docs = append(docs, m.Config)
	}
	for _, d := range docs {
		b.diags.Add(d.Diagnostics()...)
	}
	return docs
}

type builder struct {
	classes  *behaviors.Registry
	names    []string // of the classes
	cat      *Catalog
	files    map[string]string // ID → file
	folded   map[string]string // lower-case ID → ID
	diags    resources.Findings
	hinted   int // names that hints were looked for among
	deleg    []pending
	named    []anonymous // all that have a name
	waits    []codeWait  // intents that code waits for
	spans    []span      // whose references are which
	boot     bool
	unsure   map[string]bool // kinds of words of which some may not have been read
	hasMood  bool            // mood data were looked for
	hasClips bool            // animations were looked for
	linting  bool
	subjects []subject // of the lint
	byID     map[string]*subject
	code     map[string]knownModifiers // what class code alone says
	broken   map[string]bool           // lower-case IDs of files that define nothing because they are wrong
	hidden   []string                  // the same as their files are named
	empty    map[string]string         // lower-case names of files that hold nothing → file
	lenient  *Lenience                 // nil: strict
}

// pending is a delegate that code declared, to be resolved when all IDs are known.
type pending struct {
	entry *Entry
	pos   resources.Pos
}

func (b *builder) ids() []string { return b.cat.IDs() }

// noteBroken notes a file that would define a behavior if it were right. References to that behavior are not reported.
func (b *builder) noteBroken(file string) {
	name := strings.TrimSuffix(path.Base(file), ".json")
	b.broken[strings.ToLower(name)] = true
	b.hidden = append(b.hidden, name)
}

// isBroken reports whether the file of a behavior defines nothing because it is wrong.
func (b *builder) isBroken(id string) bool { return len(b.broken) > 0 && b.broken[strings.ToLower(id)] }

// add reads one definition: class and ID first, then everything else through the class.
func (b *builder) add(d *resources.Document) {
	root := d.Root()
	defer func() { b.diags.Add(d.Diagnostics()...) }()
	class := b.classNamed(root)
	id := root.String("behaviorID")
	if class == nil || id == "" {
		b.noteBroken(d.File())
		if v, there := root.Optional("behaviorID"); there && v.Raw() == `""` {
			root.Errorf(root.ValuePos("behaviorID"), "id-file-mismatch", "behaviorID is empty: name it like the file (B-3)")
		}
		b.readWithoutClass(root, class, id)
		return
	}
	base := strings.TrimSuffix(path.Base(d.File()), ".json")
	if !strings.EqualFold(base, id) {
		root.Errorf(root.ValuePos("behaviorID"), "id-file-mismatch", "behaviorID %q does not match the file name %q: rename one of them (B-3)", id, path.Base(d.File()))
		b.noteBroken(d.File()) // references mean one of the two names
	}
	if first, dup := b.files[id]; dup {
		root.Errorf(root.ValuePos("behaviorID"), "id-duplicate", "behaviorID %q is already defined in %s", id, first)
		return
	}
	if twin, dup := b.folded[strings.ToLower(id)]; dup {
		root.Errorf(root.ValuePos("behaviorID"), "id-duplicate", "behaviorID %q differs from %q of %s only in case", id, twin, b.files[twin])
		return
	}
	checkID(root, id)
	b.files[id], b.folded[strings.ToLower(id)] = d.File(), id
	b.define(&Entry{ID: id, Class: class, File: d.File(), json: d.JSON()}, root)
}

// classNamed finds the class that a file names; nil, with the reason reported, if there is none.
func (b *builder) classNamed(root *resources.Object) *behaviors.Class {
	if b.lenient != nil {
		id, _ := textOf(root, "behaviorID")
		return b.lenient.classOf(id, root.StringOr("behaviorClass", ""))
	}
	return b.class(root)
}

// define reads one instance, then those that belong to it.
func (b *builder) define(e *Entry, o *resources.Object) {
	if len(b.cat.Entries) >= maxBehaviors {
		o.Errorf(o.ValuePos(e.idKey()), "limit", "more than %d behaviors", maxBehaviors)
		return
	}
	private := b.listAnonymous(e, o)
	e.readDoing(o)
	d := o.Document()
	before := d.Errors()
	s := span{owner: e, from: d.ReferenceCount()}
	e.lenient = b.lenient != nil
	refs, first, wrong := e.references(o)
	if wrong != nil {
		o.Errorf(o.ValuePos("behaviorClass"), "class-panic", "the constructor of class %s panicked when it read %s: %v (%s)", e.Class.Name, e.ID, wrong.what, wrong.where)
		lost := []string{e.ID}
		for _, a := range private {
			lost = append(lost, a.id())
		}
		for _, id := range lost {
			b.broken[strings.ToLower(id)] = true
		}
		b.hidden = append(b.hidden, lost...)
		return
	}
	e.first.Store(first)
	o.Finish()
	s.to = d.ReferenceCount()
	b.spans = append(b.spans, s)
	at := o.Pos()
	e.Line = at.Line
	e.Delegates, e.Links, e.Intents = refs.Delegates, refs.Links, refs.Intents
	if b.lenient != nil {
		b.lenient.settle(e)
		b.lenient.describe(e)
	}
	e.order(d.ReferencesSince(s.from))
	if b.linting && d.Errors() == before {
		b.subjects = append(b.subjects, subject{e, o, refs.Instance})
	}
	b.checkSubscriptions(e, refs.Heard, at)
	if len(refs.Awaited) > 0 {
		b.waits = append(b.waits, codeWait{e, at, refs.Awaited})
	}
	b.cat.Entries = append(b.cat.Entries, e)
	if len(e.Delegates)+len(e.Links) > 0 {
		b.deleg = append(b.deleg, pending{e, at})
	}
	for _, a := range private {
		b.defineAnonymous(a)
	}
}

// references reads what the behavior refers to. Wrong is what its constructor, code of an author, panicked with; a lenient catalog, which has
// every behavior or none, panics with it.
func (e *Entry) references(o *resources.Object) (refs behaviors.References, first *behaviors.Instance, wrong *panicked) {
	e.prepare(o)
	defer o.Document().Translate(nil) // the file may hold other behaviors
	if !e.lenient {
		defer func() {
			if r := recover(); r != nil {
				wrong = &panicked{r, thrower()}
			}
		}()
	}
	refs, first = behaviors.ReadReferences(e.ID, e.Class, o)
	return refs, first, nil
}

// panicked is a panic, and where it was.
type panicked struct {
	what  any
	where string
}

// thrower is the file and line of the author's code that panicked, or called what did: the innermost place of the package that the constructor
// belongs to. It is called in a deferred function.
func thrower() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	var inner []runtime.Frame // from the panic outwards, up to the constructor
	panics := false
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case strings.HasPrefix(f.Function, "runtime."):
			panics = true
		case strings.HasSuffix(f.Function, "/behaviors.newInstance"):
			more = false
		case panics:
			inner = append(inner, f)
		}
	}
	if len(inner) == 0 {
		return "unknown place"
	}
	constructor := inner[len(inner)-1]
	for _, f := range inner {
		if packageOf(f.Function) == packageOf(constructor.Function) {
			constructor = f
			break
		}
	}
	return fmt.Sprintf("%s:%d", path.Base(constructor.File), constructor.Line)
}

// packageOf is the path of the package of a function.
func packageOf(function string) string {
	dir, name := path.Split(function)
	name, _, _ = strings.Cut(name, ".")
	return dir + name
}
