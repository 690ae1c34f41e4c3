package reference

import (
	"fmt"
	"strings"

	"github.com/robotd/robotd/resources"
)

// A Row is one key for people. Depth says how many objects and lists it stands in.
type Row struct {
	Depth           int
	Key, Type, Need string // Need is "required", or the default
	Doc             string
}

// Rows lists keys for people, each followed by those of the objects that it holds.
func Rows(keys []resources.KeyInfo) []Row { return rows(keys, 0) }

func rows(keys []resources.KeyInfo, depth int) (out []Row) {
	for i := 0; i < len(keys); i++ {
		k := keys[i]
		if k.Refused {
			continue
		}
		name := k.Name
		if name == resources.AnyKey {
			name = "any other key"
		}
		if alike := likeNext(keys[i:]); alike >= manyAlike {
			name = fmt.Sprintf("%s … %s (%d alike)", k.Name, keys[i+alike-1].Name, alike)
			i += alike - 1
		}
		out = append(out, Row{Depth: depth, Key: name, Type: typeOf(k), Need: need(k), Doc: k.Doc})
		out = append(out, rows(k.Keys, depth+1)...)
	}
	return out
}

// likeNext is the number of keys from the first one on that hold objects with the same keys as it.
func likeNext(keys []resources.KeyInfo) int {
	n := 1
	for n < len(keys) && len(keys[0].Keys) > 0 && fmt.Sprint(keys[n].Keys) == fmt.Sprint(keys[0].Keys) {
		n++
	}
	return n
}

// fewShown is the number of words up to which all are named.
const fewShown = 12

// typeOf words what a key takes.
func typeOf(k resources.KeyInfo) string {
	text := kindWord(k)
	for _, other := range k.Or {
		text += " or " + kindWord(other)
	}
	if k.Unit != "" {
		text += ", " + k.Unit
	}
	if limits := between(k); limits != "" {
		text += ", " + limits
	}
	if k.Only != nil {
		text += fmt.Sprintf(", only %v", k.Only)
	}
	return text
}

func kindWord(k resources.KeyInfo) string {
	switch k.Kind {
	case resources.KindFlag:
		return "true or false"
	case resources.KindWhole:
		return "whole number"
	case resources.KindReal, resources.KindDuration:
		return "number"
	case resources.KindWord:
		if len(k.Words) > fewShown {
			return fmt.Sprintf("one of %d words: %s …", len(k.Words), strings.Join(k.Words[:fewShown], ", "))
		}
		return "one of " + strings.Join(k.Words, ", ")
	case resources.KindRef:
		return "name of " + article(k.Ref)
	case resources.KindList:
		return "list of " + listOf(*k.Elem)
	case resources.KindKeys:
		return "object"
	case resources.KindCondition:
		return "condition"
	case resources.KindText:
		return "text"
	}
	return "anything"
}

// listOf words the elements of a list.
func listOf(e resources.KeyInfo) string {
	switch e.Kind {
	case resources.KindKeys:
		return "objects"
	case resources.KindCondition:
		return "conditions"
	case resources.KindText:
		return "texts"
	case resources.KindReal, resources.KindDuration:
		return "numbers"
	case resources.KindWhole:
		return "whole numbers"
	case resources.KindRef:
		return "names, each of " + article(e.Ref)
	}
	return "values, each " + kindWord(e)
}

func need(k resources.KeyInfo) string {
	switch {
	case k.Required:
		return "required"
	case k.Default != nil:
		return "default " + inline(k.Default)
	}
	return ""
}

// Pretty lays out an example as robotd fmt does.
func (r *Reference) Pretty(text string) string {
	out, _, err := resources.Format("example.json", []byte(text), r.Arrange())
	if err != nil || out == nil {
		return text + "\n"
	}
	return string(out)
}
