package behaviors

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

// maxBehaviors bounds a catalog, and so the delegates of one behavior.
const maxBehaviors = 4096

// An Entry is one behavior definition of a catalog.
type Entry struct {
	ID        string
	Class     *Class
	File      string
	Delegates []string // sorted
	Links     []string // sorted
	Intents   []string // tags that it responds to, sorted
	// Owner is the ID of the behavior that an anonymous one belongs to; empty for the others.
	Owner string
	// Label is short and unique: the ID, or for an anonymous behavior "@" and its name, counted from the second one on (B-4).
	Label string

	json    string   // of its own object
	private privates // names of its own anonymous behaviors
}

// lists reports whether id is a delegate of the behavior, or linked to it.
func (e *Entry) lists(id string) bool {
	if e == nil {
		return false
	}
	_, delegate := slices.BinarySearch(e.Delegates, id)
	_, link := slices.BinarySearch(e.Links, id)
	return delegate || link
}

// New makes a fresh incarnation. The definition was checked when the catalog was built.
func (e *Entry) New() *Instance {
	i, _ := newInstance(e, resources.Reread(e.File, e.json).Root())
	return i
}

// A Catalog is a complete, checked set of definitions: every reference in it resolves. It is immutable.
type Catalog struct {
	Entries []*Entry // by ID
	Boot    Boot
	// Answer makes the action that shows a response to the trigger word; nil if the classes came without clips.
	Answer func(r condition.Response) actions.Action
	Mood   Mood
}

// Find returns the definition with an ID, or nil.
func (c *Catalog) Find(id string) *Entry {
	if i, ok := slices.BinarySearchFunc(c.Entries, id, func(e *Entry, id string) int { return cmp.Compare(e.ID, id) }); ok {
		return c.Entries[i]
	}
	return nil
}

// IDs lists all behavior IDs, sorted.
func (c *Catalog) IDs() []string {
	ids := make([]string, len(c.Entries))
	for i, e := range c.Entries {
		ids[i] = e.ID
	}
	return ids
}

// Sources are the parsed files of a resource folder.
type Sources struct {
	Behaviors []*resources.Document
	// Boot is behavior_config.json. Without it, whose absence its reader reports, words of its vocabulary are not checked.
	Boot *resources.Document
	// Mood are the mood data. Nil means that nobody looked for them: names of emotion events are not checked then.
	Mood *MoodFiles
	// Unread are paths of behavior files that could not be read, so that whoever names their behaviors is not blamed for it.
	// The catalog is nil if there are any: their reader reported why.
	Unread []string
	// Empty are paths of behavior files that hold nothing and so define nothing.
	Empty []string
}

// NewCatalog is [BuildCatalog] without mood data.
func NewCatalog(docs []*resources.Document, boot *resources.Document, classes *Registry, unread ...string) (*Catalog, resources.Diagnostics) {
	return BuildCatalog(Sources{Behaviors: docs, Boot: boot, Unread: unread}, classes)
}

// BuildCatalog builds a catalog from parsed files. The mistakes of all files are reported, sorted by place; beyond
// [resources.MaxDiagnostics] they are counted. The catalog is nil if any is an error.
func BuildCatalog(src Sources, classes *Registry) (*Catalog, resources.Diagnostics) {
	b := builder{
		classes: classes, cat: &Catalog{Answer: classes.answer}, files: map[string]string{}, folded: map[string]string{}, broken: map[string]bool{},
		spans: map[string][]span{}, boot: src.Boot != nil, empty: map[string]string{},
	}
	for _, file := range src.Empty {
		b.empty[strings.ToLower(strings.TrimSuffix(path.Base(file), ".json"))] = file
	}
	for _, file := range src.Unread {
		b.lost(file)
	}
	for _, d := range src.Behaviors {
		b.add(d)
	}
	slices.SortFunc(b.cat.Entries, func(x, y *Entry) int { return cmp.Compare(x.ID, y.ID) })
	docs := slices.Clone(src.Behaviors)
	if src.Boot != nil {
		b.cat.Boot = readBoot(src.Boot, append(b.ids(), b.hidden...))
		b.diags.Add(src.Boot.Diagnostics()...)
	}
	b.cat.Mood = readMood(src.Mood)
	if src.Mood != nil {
		docs = append(docs, b.moodDocs(src.Mood)...)
		b.moody = !src.Mood.Unread
	}
	b.resolve(docs)
	b.checkAnonymous()
	b.checkWaits()
	label(b.cat.Entries)
	if len(src.Unread) > 0 || b.diags.HasErrors() {
		return nil, b.diags.List()
	}
	return b.cat, b.diags.List()
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
	classes *Registry
	cat     *Catalog
	files   map[string]string // ID → file
	folded  map[string]string // lower-case ID → ID
	diags   resources.Findings
	hinted  int // names that hints were looked for among
	deleg   []pending
	named   []anonymous       // all that have a name
	waits   []codeWait        // intents that code waits for
	spans   map[string][]span // by file: whose references are which
	boot    bool
	moody   bool              // mood data were looked for
	broken  map[string]bool   // lower-case IDs of files that define nothing because they are wrong
	hidden  []string          // the same as their files are named
	empty   map[string]string // lower-case names of files that hold nothing → file
}

// pending is a delegate that code declared, to be resolved when all IDs are known.
type pending struct {
	entry *Entry
	pos   resources.Pos
}

func (b *builder) ids() []string { return b.cat.IDs() }

// lost notes a file that would define a behavior if it were right.
func (b *builder) lost(file string) {
	name := strings.TrimSuffix(path.Base(file), ".json")
	b.broken[strings.ToLower(name)] = true
	b.hidden = append(b.hidden, name)
}

// add reads one definition: class and ID first, then everything else through the class.
func (b *builder) add(d *resources.Document) {
	root := d.Root()
	defer func() { b.diags.Add(d.Diagnostics()...) }()
	className := root.Enum("behaviorClass", b.classes.Names())
	id := root.String("behaviorID")
	class := b.classes.Find(className)
	if class == nil || id == "" {
		b.lost(d.File())
		if v, there := root.Optional("behaviorID"); there && v.Raw() == `""` {
			root.Errorf(root.ValuePos("behaviorID"), "id-file-mismatch", "behaviorID is empty: name it like the file (B-3)")
		}
		b.readCommonOnly(root)
		return
	}
	if strings.Contains(id, anonymousMark) {
		root.Errorf(root.ValuePos("behaviorID"), "id-invalid", "behaviorID %q: %q is for anonymous behaviors", id, anonymousMark)
	}
	base := strings.TrimSuffix(path.Base(d.File()), ".json")
	if !strings.EqualFold(base, id) {
		root.Errorf(root.ValuePos("behaviorID"), "id-file-mismatch", "behaviorID %q does not match the file name %q: rename one of them (B-3)", id, path.Base(d.File()))
	}
	if first, dup := b.files[id]; dup {
		root.Errorf(root.ValuePos("behaviorID"), "id-duplicate", "behaviorID %q is already defined in %s", id, first)
		return
	}
	if twin, dup := b.folded[strings.ToLower(id)]; dup {
		root.Errorf(root.ValuePos("behaviorID"), "id-duplicate", "behaviorID %q differs from %q of %s only in case", id, twin, b.files[twin])
		return
	}
	b.files[id], b.folded[strings.ToLower(id)] = d.File(), id
	b.define(&Entry{ID: id, Class: class, File: d.File(), json: d.JSON()}, root)
}

// define reads one instance, then those that belong to it.
func (b *builder) define(e *Entry, o *resources.Object) {
	if len(b.cat.Entries) >= maxBehaviors {
		o.Errorf(o.ValuePos(e.idKey()), "limit", "more than %d behaviors", maxBehaviors)
		return
	}
	private := b.listAnonymous(e, o)
	d := o.Document()
	s := span{owner: e, from: d.ReferenceCount()}
	inst, cfg := newInstance(e, o)
	o.Finish()
	s.to = d.ReferenceCount()
	b.spans[e.File] = append(b.spans[e.File], s)
	e.Delegates, e.Links = cfg.delegates.sorted(), cfg.links.sorted()
	if inst.intent != nil {
		e.Intents = inst.intent.Tags()
	}
	b.checkSubscriptions(e, inst, o.Pos())
	if tags := cfg.waitTags(); len(tags) > 0 {
		b.waits = append(b.waits, codeWait{e, o.Pos(), tags})
	}
	b.cat.Entries = append(b.cat.Entries, e)
	b.deleg = append(b.deleg, pending{e, o.Pos()})
	for _, a := range private {
		b.defineAnonymous(a)
	}
}

// checkSubscriptions reports names of the class that no event has.
func (b *builder) checkSubscriptions(e *Entry, inst *Instance, pos resources.Pos) {
	names := EventNames()
	for _, name := range inst.hears {
		if !slices.Contains(names, name) {
			b.report(e.File, pos, "event-unknown",
				fmt.Sprintf("class %s of %s subscribes to event %q, which does not exist", e.Class.Name, e.ID, name), name, names)
		}
	}
}

// readCommonOnly lets a file without a usable class still report its misspelled keys: the missing key is then explained by
// the key that stands there instead.
func (b *builder) readCommonOnly(root *resources.Object) {
	for _, key := range root.Keys() {
		if key == "behaviorClass" || key == "behaviorID" {
			continue
		}
		for _, want := range []string{"behaviorClass", "behaviorID"} {
			if hint := resources.DidYouMean(key, []string{want}); hint != "" && !root.Has(want) {
				root.Errorf(root.KeyPos(key), "key-unknown", "unknown key %q; %s", key, hint)
			}
		}
	}
}

// resolve checks every reference and every declared delegate against what exists.
func (b *builder) resolve(docs []*resources.Document) {
	known := map[string]wordSet{}
	if b.boot {
		boot := &b.cat.Boot
		known[RefIntent], known[RefTimer] = wordsOf(boot.Intents), wordsOf(boot.Timers)
		known[RefFeature], known[RefStat] = wordsOf(boot.Features), wordsOf(boot.Stats)
	}
	if b.moody {
		known[RefEmotionEvent] = wordsOf(b.cat.Mood.EventNames())
	}
	if b.classes.clips != nil {
		known[RefClip] = wordsOf(b.classes.clips)
	}
	bad := map[string]bool{} // IDs already reported at their place
	for _, d := range docs {
		for i, ref := range d.References() {
			if ref.Kind == RefBehavior {
				if b.resolveBehavior(d.File(), i, ref) {
					bad[d.File()+"\x00"+ref.Name] = true
				}
				continue
			}
			words, checked := known[ref.Kind]
			if !checked || ref.Name == "" || words.has[ref.Name] {
				continue
			}
			b.report(d.File(), ref.Pos, codeOf(ref.Kind), fmt.Sprintf("there is no %s %q", ref.Kind, ref.Name), ref.Name, words.list)
		}
	}
	for _, p := range b.deleg {
		for _, id := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(p.entry.Delegates, p.entry.Links)))) {
			if bad[p.entry.File+"\x00"+id] {
				continue
			}
			if _, ok := b.files[id]; !ok && !b.broken[strings.ToLower(id)] {
				b.report(p.entry.File, p.pos, "delegate-unresolved",
					fmt.Sprintf("class %s of %s needs behavior %q, which no file defines", p.entry.Class.Name, p.entry.ID, id), id, b.visible("", 0))
			}
			if id == p.entry.ID {
				b.reportSelf(p.entry.File, p.pos, id)
			}
		}
	}
}

// codeOf is the code of a reference to nothing.
func codeOf(kind string) string {
	return map[string]string{
		RefIntent: "intent-unknown", RefTimer: "timer-unknown", RefFeature: "feature-unknown", RefStat: "stat-unknown",
		RefEmotionEvent: "emotion-unknown", RefClip: "clip-unknown",
	}[kind]
}

// resolveBehavior reports reference i of a file if there is no such behavior, if it is somebody else's own, or if it is the
// one that names it.
func (b *builder) resolveBehavior(file string, i int, ref resources.Reference) (reported bool) {
	switch {
	case ref.Name == "" || b.broken[strings.ToLower(ref.Name)]:
		return false
	case ref.Written == "" && strings.Contains(ref.Name, anonymousMark):
		b.report(file, ref.Pos, "delegate-unresolved", fmt.Sprintf("%q is private to its owner", ref.Name), "", nil)
		return true
	case b.files[ref.Name] == file && b.cat.Find(ref.Name).lists(ref.Name):
		b.reportSelf(file, ref.Pos, ref.Name)
		return true
	case b.files[ref.Name] == "":
		b.report(file, ref.Pos, "delegate-unresolved", fmt.Sprintf("there is no behavior %q", ref.Name), ref.Name, b.visible(file, i))
		return true
	}
	return false
}

func (b *builder) reportSelf(file string, pos resources.Pos, id string) {
	b.report(file, pos, "delegate-cycle", fmt.Sprintf("%s lists itself as a delegate (L-36)", id), "", nil)
}

func (b *builder) report(file string, pos resources.Pos, code, msg, word string, names []string) {
	d := resources.Diagnostic{File: file, Line: pos.Line, Col: pos.Col, Severity: resources.Error, Code: code, Message: msg}
	if file := b.empty[strings.ToLower(word)]; file != "" && code == "delegate-unresolved" {
		d.Hint = file + " is empty"
	} else if word != "" && b.hints() {
		b.hinted += len(names)
		d.Hint = resources.DidYouMean(word, names)
	}
	b.diags.Add(d)
}

// A Boot is the configuration that names the base behavior and the vocabulary of the tree (behavior_config.json).
type Boot struct {
	Base     string // activated at start
	Fallback string // base when Base failed too often
	// The bases of the other stages of a robot's life, and of its tests (L-31…L-33); empty where there is none.
	Onboarding, PostOnboarding, Dev, Factory, SelfTest string
	// ResetSafely becomes the base when behaviors hand control back and forth in a hurry (L-41); empty for none.
	ResetSafely string
	// EmergencyStop is the base from an emergency stop until the operator resumes; empty: Fallback is.
	EmergencyStop string
	Intents       []string // tags of user intents, sorted
	Timers        []string // named timers, sorted
	Vocabulary
}

// BootFile is the name of the boot configuration in a resource folder.
const BootFile = "behavior_config.json"

func readBoot(d *resources.Document, ids []string) Boot {
	root := d.Root()
	b := Boot{
		Vocabulary: readVocabulary(root),

		Base:     root.Enum("normalBaseBehavior", ids),
		Fallback: root.Enum("fallbackBehavior", ids),
		Intents:  slices.Sorted(slices.Values(root.Strings("userIntents"))),
		Timers:   slices.Sorted(slices.Values(root.StringsOr("timers", nil))),
	}
	role := func(key string) string {
		if !root.Has(key) {
			return ""
		}
		return root.Enum(key, ids)
	}
	b.Onboarding, b.PostOnboarding = role("onboardingBehavior"), role("postOnboardingBehavior")
	b.Dev, b.Factory = role("devBaseBehavior"), role("factoryBehavior")
	b.SelfTest, b.ResetSafely = role("selfTestBehavior"), role("resetSafelyBehavior")
	b.EmergencyStop = role("emergencyStopBehavior")
	root.Finish()
	return b
}

// Roots lists the behaviors that the configuration names as a base, without duplicates.
func (b *Boot) Roots() []string {
	var roots []string
	for _, id := range []string{b.Base, b.Fallback, b.Onboarding, b.PostOnboarding, b.Dev, b.Factory, b.SelfTest, b.ResetSafely, b.EmergencyStop} {
		if id != "" && !slices.Contains(roots, id) {
			roots = append(roots, id)
		}
	}
	return roots
}

var _ condition.Condition = (*condition.UserIntentPending)(nil)
