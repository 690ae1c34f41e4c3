package reference_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/robotd/robotd/actions/animation"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/behaviors/reference"
	"github.com/robotd/robotd/resources"
)

// shippedNames are those of the built-in tree.
func shippedNames(t *testing.T) reference.Names {
	t.Helper()
	docs, diags := resources.LoadBehaviors(resources.Embedded())
	boot, found := resources.LoadFile(resources.Embedded(), catalog.BootFile)
	mood, more := catalog.LoadMood(resources.Embedded())
	if diags.HasErrors() || found.HasErrors() || more.HasErrors() {
		t.Fatal(diags, found, more)
	}
	return reference.NamesIn(docs, boot, mood, animation.BuiltIn())
}

// checked builds the built-in tree with one more file and returns what is wrong with that. What its class has fixed in code is there too.
func checked(t *testing.T, text string, c reference.Class) resources.Diagnostics {
	t.Helper()
	config, err := fs.ReadFile(resources.Embedded(), catalog.BootFile)
	if err != nil {
		t.Fatal(err)
	}
	tree := fstest.MapFS{}
	for _, tag := range c.Intents {
		config = bytes.Replace(config, []byte(`"userIntents": [`), fmt.Appendf(nil, `"userIntents": [%q, `, tag), 1)
	}
	for _, name := range c.Timers {
		config = bytes.Replace(config, []byte(`"timers": [`), fmt.Appendf(nil, `"timers": [%q, `, name), 1)
	}
	tree[catalog.BootFile] = &fstest.MapFile{Data: config}
	for _, id := range c.Fixed {
		if !strings.HasPrefix(id, "@") && id != "Wait" {
			tree["behaviors/"+id+".json"] = &fstest.MapFile{Data: fmt.Appendf(nil, `{"behaviorClass": "Wait", "behaviorID": %q}`, id)}
		}
	}
	const file = "behaviors/" + reference.ExampleID + ".json"
	docs, _ := resources.LoadBehaviors(resources.Embedded())
	fixed, _ := resources.LoadBehaviors(tree)
	docs = slices.DeleteFunc(docs, func(d *resources.Document) bool { return tree[path.Join("behaviors", path.Base(d.File()))] != nil })
	docs = append(docs, fixed...)
	more, diags := resources.LoadFile(fstest.MapFS{file: {Data: []byte(text)}}, file)
	if more == nil {
		return diags
	}
	src := catalog.Sources{Behaviors: append(docs, more)}
	src.Boot, _ = resources.LoadFile(tree, catalog.BootFile)
	src.Mood, _ = catalog.LoadMood(resources.Embedded())
	_, found := catalog.Build(src, library.Registry())
	for _, d := range found {
		if d.File == file {
			diags = append(diags, d)
		}
	}
	return diags
}

func TestEveryExamplePassesCheck(t *testing.T) {
	r := reference.Of(library.Registry())
	names := shippedNames(t)
	for _, c := range r.Classes {
		text, ok := r.Example(c.Name, reference.ExampleID, names)
		if !ok {
			t.Errorf("no example of %s is accepted: %s", c.Name, text)
			continue
		}
		if diags := checked(t, text, c); diags.HasErrors() || diags.Count(resources.Warning) > 0 {
			t.Errorf("%s\n%v", text, diags)
		}
	}
	for _, c := range r.Conditions {
		text, ok := r.ConditionExample(c.Name, names)
		if !ok {
			t.Errorf("no example of the condition %s is accepted: %s", c.Name, text)
			continue
		}
		file := fmt.Sprintf(`{"behaviorClass": "Wait", "behaviorID": %q, "wantsToBeActivatedCondition": %s}`, reference.ExampleID, text)
		if diags := checked(t, file, reference.Class{}); diags.HasErrors() {
			t.Errorf("%s\n%v", text, diags)
		}
	}
}

func TestExampleOfAnUnknownClassIsNone(t *testing.T) {
	r := reference.Of(library.Registry())
	if text, ok := r.Example("NoSuchClass", "X", nil); ok || text != "" {
		t.Errorf("%q", text)
	}
	if text, ok := r.ConditionExample("NoSuchType", nil); ok || text != "" {
		t.Errorf("%q", text)
	}
}

func TestEveryConditionTypeHasASentence(t *testing.T) {
	for _, c := range reference.Of(library.Registry()).Conditions {
		if c.Doc == "" {
			t.Errorf("the condition %s has no sentence in docs.go", c.Name)
		}
	}
}
