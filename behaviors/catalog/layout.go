package catalog

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/robotd/robotd/actions/animation"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/resources"
)

// Names in the folder of another robot.
const (
	foreignComponent = "behaviorComponent" // the folder above its behaviors
	foreignBoot      = "victor_behavior_config.json"
	foreignIntents   = "user_intent_map.json"
	foreignFeatures  = "features.json"
	foreignTree      = "userDefinedBehaviorTree"
)

// searchDepth is how deep in a folder the one above the behaviors is looked for.
const searchDepth = 6

// LoadForeign reads the files of another robot: those of a resource folder like ours, those of the engine's folders, or a folder of behaviors
// and nothing else. It notes what it takes for what.
func LoadForeign(tree fs.FS, l *Lenience) (src Sources) {
	g := foreign{tree: tree, l: l}
	g.find()
	docs, diags := resources.LoadDir(tree, g.behaviors)
	if g.behaviors == "." {
		docs = slices.DeleteFunc(docs, g.isOther)
	}
	src = Sources{Behaviors: docs, Lenient: l}
	g.tell(diags)
	if file := g.first(BootFile); file != "" {
		src.Boot = g.load(file)
	}
	src.Assumed = g.boot(src.Boot)
	src.Mood = g.mood()
	src.Animations = &animation.Files{} // those of another robot are made otherwise
	if g.behaviors == resources.BehaviorsDir {
		files, diags := animation.Load(tree)
		src.Animations = files
		g.tell(diags)
	}
	src.Reactions = g.mapped(behaviors.ReactionsFile, "names the reactions that people choose from")
	return src
}

// A foreign is a folder of another robot.
type foreign struct {
	tree      fs.FS
	l         *Lenience
	behaviors string   // folder of the behaviors
	places    []string // folders in which other files are looked for, in order
}

// find looks for the behaviors.
func (g *foreign) find() {
	if isDir(g.tree, resources.BehaviorsDir) {
		g.behaviors, g.places = resources.BehaviorsDir, []string{".", "config", "config/engine", foreignTree}
		return
	}
	component := ""
	_ = fs.WalkDir(g.tree, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil || !e.IsDir():
			return nil //nolint:nilerr // what cannot be read is not the folder
		case component != "" || strings.Count(name, "/") >= searchDepth || len(name) > 1 && strings.HasPrefix(e.Name(), "."):
			return fs.SkipDir
		case e.Name() == foreignComponent && isDir(g.tree, path.Join(name, resources.BehaviorsDir)):
			component = name
			return fs.SkipDir
		}
		return nil
	})
	if component == "" {
		g.behaviors, g.places = ".", []string{"."}
		g.l.note(NoteMapped, "layout", ".", resources.Pos{}, "a folder of behaviors and nothing else: every file of it that names a class")
		return
	}
	g.behaviors = path.Join(component, resources.BehaviorsDir)
	engine := path.Dir(component)
	g.places = []string{component, engine, path.Join(engine, foreignTree), path.Dir(engine), "."}
	g.l.note(NoteMapped, "layout", g.behaviors, resources.Pos{}, "the behaviors of the engine's folders")
}

func isDir(tree fs.FS, name string) bool {
	info, err := fs.Stat(tree, name)
	return err == nil && info.IsDir()
}

// isOther reports a file that is none of a behavior.
func (g *foreign) isOther(d *resources.Document) bool {
	if _, ok := d.Root().Optional("behaviorClass"); ok {
		return false
	}
	g.l.note(NoteSkipped, noBehavior, d.File(), resources.Pos{}, "the file names no class: it is no behavior")
	return true
}

// first is the first of the places that has a file; empty if none has.
func (g *foreign) first(name string) string {
	for _, dir := range g.places {
		if file := path.Join(dir, name); there(g.tree, file) {
			return file
		}
	}
	return ""
}

// tell notes what is wrong with a file.
func (g *foreign) tell(diags resources.Diagnostics) {
	for _, d := range diags {
		if d.Severity != resources.Info {
			g.l.told(d)
		}
	}
}

func (g *foreign) load(file string) *resources.Document {
	d, diags := resources.LoadFile(g.tree, file)
	g.tell(diags)
	if d != nil {
		d.SetLenient(true)
	}
	return d
}

// mapped loads a file of the other robot's, and notes what it is taken for.
func (g *foreign) mapped(name, as string) *resources.Document {
	file := g.first(name)
	if file == "" {
		return nil
	}
	g.l.note(NoteMapped, name, file, resources.Pos{}, as)
	return g.load(file)
}

// boot makes the boot configuration of the other robot's files; nil if there is one of ours.
func (g *foreign) boot(ours *resources.Document) *Boot {
	if ours != nil {
		return nil
	}
	var b Boot
	if d := g.mapped(foreignBoot, "names the base behaviors"); d != nil {
		root := d.Root()
		b.Base, b.Onboarding = root.StringOr("normalBaseBehavior", ""), root.StringOr("onboardingBehavior", "")
		b.Dev, b.PostOnboarding = root.StringOr("devBaseBehavior", ""), root.StringOr("postOnboardingBehavior", "")
	}
	if d := g.mapped(foreignIntents, "names the user intents"); d != nil {
		b.Intents = tagsOf(d.Root())
	}
	b.Features, b.Enabled = g.features()
	return &b
}

// tagsOf are the tags that a map of intents names.
func tagsOf(root *resources.Object) []string {
	tags := map[string]bool{}
	for _, e := range root.ObjectsOr("user_intent_map") {
		tags[e.StringOr("user_intent", "")] = true
	}
	tags[root.StringOr("unmatched_intent", "")] = true
	if root.Has("simple_voice_responses") {
		tags["simple_voice_response"] = true
	}
	delete(tags, "")
	return with(nil, tags)
}

// features reads which features are on. Their file holds a list.
func (g *foreign) features() (all, enabled []string) {
	file := g.first(foreignFeatures)
	if file == "" {
		return nil, nil
	}
	g.l.note(NoteMapped, foreignFeatures, file, resources.Pos{}, "says which features are on")
	text, err := fs.ReadFile(g.tree, file)
	if err != nil || len(text) > resources.MaxFileBytes {
		g.l.note(NoteSkipped, resources.CodeFileUnreadable, file, resources.Pos{}, "cannot be read")
		return nil, nil
	}
	d, diags := resources.Parse(file, slices.Concat([]byte(`{"features": `), text, []byte("\n}")))
	g.tell(diags)
	if d == nil {
		return nil, nil
	}
	for _, o := range d.Root().ObjectsOr("features") {
		name := o.StringOr("feature", "")
		if name == "" {
			continue
		}
		all = append(all, name)
		if o.BoolOr("enabled", false) {
			enabled = append(enabled, name)
		}
	}
	return with(all, nil), with(enabled, nil)
}

// mood reads the mood data, wherever they are.
func (g *foreign) mood() *MoodFiles {
	var m MoodFiles
	if file := g.first(MoodFile); file != "" {
		m.Config = g.load(file)
	}
	if dir := g.first(EmotionsDir); dir != "" && isDir(g.tree, dir) {
		docs, diags := resources.LoadDir(g.tree, dir)
		g.tell(diags)
		m.Events = docs
	}
	for _, name := range []string{MoodFile, EmotionsDir} {
		if at := g.first(name); at != "" && at != name {
			g.l.note(NoteMapped, name, at, resources.Pos{}, "mood data")
		}
	}
	return &m
}
