package robotmain

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/resources"
)

// listKey is the key under which dispatchers list their behaviors.
const listKey = "behaviors"

// A parent is a behavior whose list a new one joins.
type parent struct {
	id, file string // in the tree, with slashes
	list     []string
}

// parentOf finds the parent that a new behavior names, and refuses one without a list of names.
func (p *program) parentOf(tree fs.FS, id string) (*parent, error) {
	docs, _ := resources.LoadBehaviors(tree)
	var ids []string
	for _, d := range docs {
		root := d.Root()
		name := root.StringOr("behaviorID", "")
		ids = append(ids, name)
		if name != id {
			continue
		}
		class := root.StringOr("behaviorClass", "")
		if err := p.listed(id, class); err != nil {
			return nil, err
		}
		if !root.Has(listKey) {
			return nil, usage("the file of the parent %q, %s, has no %q yet; write it by hand", id, d.File(), listKey)
		}
		return &parent{id: id, file: d.File(), list: root.Refs(listKey, behaviors.RefBehavior)}, nil
	}
	return nil, usage("%v", resources.UnknownOr("parent", id, ids, "want the ID of a behavior"))
}

// listed refuses a class whose files do not list behaviors by name.
func (p *program) listed(id, class string) error {
	c := p.classes.Find(class)
	if c == nil {
		return usage("the class %q of the parent %q is not known to this program, so that its list cannot be found; name the new behavior in its file by hand", class, id)
	}
	accepts, err := behaviors.Accepts(c)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(accepts.Keys, func(k resources.KeyInfo) bool {
		return k.Name == listKey && k.Kind == resources.KindList && k.Elem != nil
	})
	switch {
	case i < 0:
		return usage("the class %s of the parent %q has no list of behaviors; a dispatcher such as DispatcherStrictPriority has one", class, id)
	case accepts.Keys[i].Elem.Kind == resources.KindKeys:
		return usage("the class %s of the parent %q lists behaviors with more than their names (%s); add the new one by hand", class, id, required(accepts.Keys[i].Elem.Keys))
	case accepts.Keys[i].Elem.Ref != behaviors.RefBehavior:
		return usage("the class %s of the parent %q has no list of behavior IDs under %q", class, id, listKey)
	}
	return nil
}

// required lists the keys that must be there.
func required(keys []resources.KeyInfo) string {
	out := ""
	for _, k := range keys {
		if k.Required && out != "" {
			out += ", "
		}
		if k.Required {
			out += k.Name
		}
	}
	return out
}

// join adds an ID to the list of the parent: as the last one, or before the last one where check has more to say about the end, for instance behind a
// behavior that always wants control. The file of a layer takes the place of a built-in parent. It returns what to tell.
func (p *program) join(par *parent, i instance, tree fs.FS, ch *changes) (string, error) {
	name := filepath.Join(i.dir, filepath.FromSlash(par.file))
	if slices.Contains(par.list, i.id) {
		return fmt.Sprintf("%s names %s already", name, i.id), nil
	}
	src, err := fs.ReadFile(tree, par.file)
	if err != nil {
		return "", err
	}
	before, err := p.about(i.dir, name)
	if err != nil {
		return "", err
	}
	n := len(par.list)
	for _, at := range []int{n, n - 1, n} {
		if at < 0 {
			continue
		}
		text, err := resources.InsertName(src, listKey, i.id, at)
		if err != nil {
			return "", usage("%s: %v", name, err)
		}
		if err := ch.write(name, string(text), true); err != nil {
			return "", err
		}
		found, err := p.about(i.dir, name)
		if err != nil {
			return "", err
		}
		if len(found) <= len(before) {
			return par.told(name, i.id, at), nil
		}
	}
	return par.told(name, i.id, n), nil
}

func (par *parent) told(name, id string, at int) string {
	if at < len(par.list) {
		return fmt.Sprintf("%s: %s is in the list of %s, before %s", name, id, par.id, par.list[at])
	}
	return fmt.Sprintf("%s: %s is the last in the list of %s", name, id, par.id)
}
