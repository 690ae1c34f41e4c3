package resources

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// InsertName puts a name into the list of a key of the object that a file holds, before its element i; beyond the last one it becomes the last. All
// else stays as it is: comments, layout, line ends.
func InsertName(src []byte, key, name string, i int) ([]byte, error) {
	mark, text := "", src
	if rest, ok := bytes.CutPrefix(src, []byte(byteOrderMark)); ok {
		mark, text = byteOrderMark, rest
	}
	tree, err := hujson.Parse(text)
	if err != nil {
		return nil, err
	}
	list, err := arrayOf(&tree, key)
	if err != nil {
		return nil, err
	}
	insert(list, hujson.Value{Value: hujson.String(name)}, min(i, len(list.Elements)))
	return append([]byte(mark), tree.Pack()...), nil
}

func arrayOf(tree *hujson.Value, key string) (*hujson.Array, error) {
	root, ok := tree.Value.(*hujson.Object)
	if !ok {
		return nil, fmt.Errorf("the file holds no object")
	}
	for i := range root.Members {
		m := &root.Members[i]
		if lit, ok := m.Name.Value.(hujson.Literal); !ok || keyName(lit) != key {
			continue
		}
		if list, ok := m.Value.Value.(*hujson.Array); ok {
			return list, nil
		}
		return nil, fmt.Errorf("%q is no list", key)
	}
	return nil, fmt.Errorf("the file has no %q", key)
}

// insert puts an element before another one, on a line of its own if they have one each. A comment at the end of the line before stays there.
func insert(list *hujson.Array, v hujson.Value, i int) {
	last := i == len(list.Elements)
	var space string // between two elements
	if n := len(list.Elements); n > 0 {
		space = blank(list.Elements[n-1].BeforeExtra)
	}
	if space == "" && len(list.Elements) > 0 {
		space = " "
	}
	after := &list.AfterExtra
	if !last {
		after = &list.Elements[i].BeforeExtra
	}
	if i == 0 {
		v.BeforeExtra = hujson.Extra(blank(*after))
		if last {
			v.BeforeExtra = nil
		} else if len(*after) == 0 {
			*after = hujson.Extra(space)
		}
	} else {
		line, rest := splitLine(*after)
		v.BeforeExtra, *after = hujson.Extra(line+space), hujson.Extra(rest)
	}
	if n := len(list.Elements); last && n > 0 { // an extra behind the last element is a comma
		v.AfterExtra, list.Elements[n-1].AfterExtra = list.Elements[n-1].AfterExtra, nil
	}
	list.Elements = slices.Insert(list.Elements, i, v)
}

// blank is the space right before an element, with the end of the line before it.
func blank(extra hujson.Extra) string {
	text := string(extra)
	space := text[len(strings.TrimRight(text, " \t")):]
	switch head := strings.TrimSuffix(text, space); {
	case strings.HasSuffix(head, "\r\n"):
		return "\r\n" + space
	case strings.HasSuffix(head, "\n"):
		return "\n" + space
	}
	return space
}

// splitLine separates a comment at the end of a line from what follows.
func splitLine(extra hujson.Extra) (line, rest string) {
	text := string(extra)
	end := strings.IndexByte(text, '\n')
	if end > 0 && text[end-1] == '\r' {
		end--
	}
	if end < 0 || strings.TrimSpace(text[:end]) == "" {
		return "", text
	}
	return strings.TrimRight(text[:end], " \t"), text[end:]
}
