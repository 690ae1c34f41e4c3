package reference

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotd/robotd/resources"
)

// Scaffold writes the file of a new behavior: what its class needs, and in comments what it may be given beside that. file is its place in the
// resource folder; link says that the folder has schemas. ok is false if no valid values could be found for what the class needs.
func (r *Reference) Scaffold(class, id, file string, names Names, link bool) (text string, ok bool) {
	c := r.Class(class)
	if c == nil {
		return "", false
	}
	example, ok := r.Example(class, id, names)
	doc, _ := resources.Parse(file, []byte(example))
	if doc == nil {
		return "", false
	}
	given := doc.Root()
	names = fixedNames().with(names)
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\n{\n", c.Doc)
	if link {
		fmt.Fprintf(&b, "%q: %q,\n", "$schema", Link(file))
	}
	fmt.Fprintf(&b, "%q: %q,\n", "behaviorClass", class)
	var needed []string
	for _, key := range given.Keys() {
		if key != "behaviorClass" && key != "behaviorID" {
			needed = append(needed, key)
		}
	}
	name := fmt.Sprintf("%q: %q", "behaviorID", id)
	if len(needed) > 0 {
		b.WriteString(name + ",\n")
	}
	optional(&b, c.Keys, needed, names)
	if len(needed) == 0 {
		b.WriteString(name + "\n")
	}
	for i, key := range needed {
		b.WriteString(sentenceLine(c.Keys, key))
		v, _ := given.Optional(key)
		fmt.Fprintf(&b, "%q: %s", key, v.Raw())
		if i < len(needed)-1 {
			b.WriteString(",")
		}
		b.WriteString("\n")
	}
	b.WriteString("}\n")
	return r.Pretty(b.String()), ok
}

// optional writes keys that may be left out as comments, each with the value that it then has.
func optional(b *strings.Builder, keys []resources.KeyInfo, needed []string, names Names) {
	begun := false
	for _, k := range keys {
		if k.Refused || k.Only != nil || k.Kind == resources.KindAnything || k.Name == resources.AnyKey || slices.Contains(needed, k.Name) {
			continue
		}
		if !begun {
			b.WriteString("// May be left out; without // in front a line counts.\n")
			begun = true
		}
		value := k.Default
		if value == nil {
			value = names.value(k)
		}
		fmt.Fprintf(b, "// %q: %s,", k.Name, inline(value))
		if text := sentence(k); text != "" {
			b.WriteString(" // " + text)
		}
		b.WriteString("\n")
	}
}

func sentenceLine(keys []resources.KeyInfo, name string) string {
	for _, k := range keys {
		if text := sentence(k); k.Name == name && text != "" {
			return "// " + text + "\n"
		}
	}
	return ""
}
