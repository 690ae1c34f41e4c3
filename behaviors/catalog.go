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

// maxBehaviors bounds a catalog, and so the delegates of one behavior (DESIGN §7).
const maxBehaviors = 4096

// An Entry is one behavior definition of a catalog.
type Entry struct {
	ID        string
	Class     *Class
	File      string
	Delegates []string // sorted
	Links     []string // sorted
	Intents   []string // tags that it responds to, sorted

	json string
}

// lists reports whether id is a delegate of the behavior, or linked to it.
func (e *Entry) lists(id string) bool {
	return slices.Contains(e.Delegates, id) || slices.Contains(e.Links, id)
}

// New makes a fresh incarnation. The definition was checked when the catalog was built.
func (e *Entry) New() *Instance {
	doc, diags := resources.Parse(e.File, []byte(e.json))
	if doc == nil {
		panic("behaviors: checked definition no longer parses: " + diags.String())
	}
	i, _ := newInstance(e.ID, e.Class, doc.Root())
	return i
}

// A Catalog is a complete, checked set of definitions: every reference in it resolves. It is immutable.
type Catalog struct {
	Entries []*Entry // by ID
	Boot    Boot
	// Answer makes the action that shows a response to the trigger word; nil if the classes came without clips.
	Answer func(r condition.Response) actions.Action
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

// NewCatalog builds a catalog from parsed files. All mistakes of all files are reported, sorted by place; the catalog is
// nil if any is an error.
//
// Without a boot configuration, whose absence its reader reports, intents and timers are not checked. A file that could not be
// read is given by its path in unread, so that whoever names its behavior is not blamed for it.
func NewCatalog(docs []*resources.Document, boot *resources.Document, classes *Registry, unread ...string) (*Catalog, resources.Diagnostics) {
	b := builder{classes: classes, cat: &Catalog{Answer: classes.answer}, files: map[string]string{}, folded: map[string]string{}, broken: map[string]bool{}, boot: boot != nil}
	for _, file := range unread {
		b.lost(file)
	}
	for _, d := range docs {
		b.add(d)
	}
	slices.SortFunc(b.cat.Entries, func(x, y *Entry) int { return cmp.Compare(x.ID, y.ID) })
	if boot != nil {
		b.cat.Boot = readBoot(boot, append(b.ids(), b.hidden...))
		b.diags = append(b.diags, boot.Diagnostics()...)
	}
	b.resolve(docs)
	b.diags.Sort()
	if b.diags.HasErrors() {
		return nil, b.diags
	}
	return b.cat, b.diags
}

type builder struct {
	classes *Registry
	cat     *Catalog
	files   map[string]string // ID → file
	folded  map[string]string // lower-case ID → ID
	diags   resources.Diagnostics
	deleg   []pending
	boot    bool
	broken  map[string]bool // lower-case IDs of files that define nothing because they are wrong
	hidden  []string        // the same as their files are named
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
	defer func() { b.diags = append(b.diags, d.Diagnostics()...) }()
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
	if len(b.cat.Entries) >= maxBehaviors {
		root.Errorf(root.ValuePos("behaviorID"), "limit", "more than %d behaviors", maxBehaviors)
		return
	}
	b.files[id], b.folded[strings.ToLower(id)] = d.File(), id
	inst, cfg := newInstance(id, class, root)
	root.Finish()
	e := &Entry{ID: id, Class: class, File: d.File(), json: d.JSON(), Delegates: slices.Sorted(slices.Values(cfg.delegates)), Links: slices.Sorted(slices.Values(cfg.links))}
	if inst.intent != nil {
		e.Intents = inst.intent.Tags()
	}
	b.cat.Entries = append(b.cat.Entries, e)
	b.deleg = append(b.deleg, pending{e, root.Pos()})
}

// readCommonOnly lets a file without a usable class still report its misspelled keys: the missing key is then explained by
// the key that stands there instead.
func (b *builder) readCommonOnly(root *resources.Object) {
	for _, key := range root.Keys() {
		if key == "behaviorClass" || key == "behaviorID" {
			continue
		}
		for _, want := range []string{"behaviorClass", "behaviorID"} {
			if near, ok := resources.Nearest(key, []string{want}); ok && !root.Has(want) {
				root.Errorf(root.KeyPos(key), "key-unknown", "unknown key %q; did you mean %q?", key, near)
			}
		}
	}
}

// resolve checks every reference and every declared delegate against what exists.
func (b *builder) resolve(docs []*resources.Document) {
	known := map[string][]string{
		RefBehavior: b.ids(),
	}
	if b.boot {
		known[RefIntent], known[RefTimer] = b.cat.Boot.Intents, b.cat.Boot.Timers
	}
	if b.classes.clips != nil {
		known[RefClip] = b.classes.clips
	}
	bad := map[string]bool{} // IDs already reported at their place
	for _, d := range docs {
		for _, ref := range d.References() {
			names, checked := known[ref.Kind]
			if ref.Kind == RefBehavior && b.files[ref.Name] == d.File() && b.cat.Find(ref.Name).lists(ref.Name) {
				bad[d.File()+"\x00"+ref.Name] = true
				b.reportSelf(d.File(), ref.Pos, ref.Name)
			}
			if !checked || ref.Name == "" || slices.Contains(names, ref.Name) || ref.Kind == RefBehavior && b.broken[strings.ToLower(ref.Name)] {
				continue
			}
			bad[d.File()+"\x00"+ref.Name] = true
			code := map[string]string{RefBehavior: "delegate-unresolved", RefIntent: "intent-unknown", RefTimer: "timer-unknown", RefClip: "clip-unknown"}[ref.Kind]
			b.report(d.File(), ref.Pos, code, fmt.Sprintf("there is no %s %q", ref.Kind, ref.Name), ref.Name, names)
		}
	}
	for _, p := range b.deleg {
		for _, id := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(p.entry.Delegates, p.entry.Links)))) {
			if bad[p.entry.File+"\x00"+id] {
				continue
			}
			if _, ok := b.files[id]; !ok && !b.broken[strings.ToLower(id)] {
				b.report(p.entry.File, p.pos, "delegate-unresolved",
					fmt.Sprintf("class %s of %s needs behavior %q, which no file defines", p.entry.Class.Name, p.entry.ID, id), id, b.ids())
			}
			if id == p.entry.ID {
				b.reportSelf(p.entry.File, p.pos, id)
			}
		}
	}
}

func (b *builder) reportSelf(file string, pos resources.Pos, id string) {
	b.report(file, pos, "delegate-cycle", fmt.Sprintf("%s lists itself as a delegate (L-36)", id), "", nil)
}

func (b *builder) report(file string, pos resources.Pos, code, msg, word string, names []string) {
	d := resources.Diagnostic{File: file, Line: pos.Line, Col: pos.Col, Severity: resources.Error, Code: code, Message: msg}
	if near, ok := resources.Nearest(word, names); ok {
		d.Hint = fmt.Sprintf("did you mean %q?", near)
	}
	b.diags = append(b.diags, d)
}

// A Boot is the configuration that names the base behavior and the vocabulary of the tree (behavior_config.json).
type Boot struct {
	Base     string // activated at start
	Fallback string // base when Base failed too often
	// The bases of the other stages of a robot's life, and of its tests (L-31…L-33); empty where there is none.
	Onboarding, PostOnboarding, Dev, Factory, SelfTest string
	// ResetSafely becomes the base when behaviors hand control back and forth in a hurry (L-41); empty for none.
	ResetSafely string
	Intents     []string // tags of user intents, sorted
	Timers      []string // named timers, sorted
}

// BootFile is the name of the boot configuration in a resource folder.
const BootFile = "behavior_config.json"

func readBoot(d *resources.Document, ids []string) Boot {
	root := d.Root()
	b := Boot{
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
	root.Finish()
	return b
}

// Roots lists the behaviors that the configuration names as a base, without duplicates.
func (b *Boot) Roots() []string {
	var roots []string
	for _, id := range []string{b.Base, b.Fallback, b.Onboarding, b.PostOnboarding, b.Dev, b.Factory, b.SelfTest, b.ResetSafely} {
		if id != "" && !slices.Contains(roots, id) {
			roots = append(roots, id)
		}
	}
	return roots
}

var _ condition.Condition = (*condition.UserIntentPending)(nil)
