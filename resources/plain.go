package resources

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// plain makes the document of a file without a mistake, which is the usual one, without the parser's tree.
// It returns nil for a file that may have a mistake, which full then finds. The scanner has run before.
func (p *parser) plain() *Document {
	if bytes.Contains(p.src, []byte(`\ud`)) || bytes.Contains(p.src, []byte(`\uD`)) {
		return nil // it may be half of a surrogate pair
	}
	text, ok := p.standard()
	if !ok {
		return nil
	}
	if !gjson.Valid(text) || p.trailing() >= 0 {
		return nil
	}
	d := &Document{sink: sink{file: p.file}, json: text}
	start := strings.IndexByte(d.json, '{')
	if start < 0 || strings.TrimLeft(d.json[:start], " \t\r\n") != "" || strings.TrimLeft(d.json[start+1:p.end], " \t\r\n")[0] == '}' {
		return nil // it is no object, or holds nothing
	}
	if d.unread, ok = countKeys(gjson.Result{Type: gjson.JSON, Raw: d.json[start:p.end]}); !ok {
		return nil
	}
	d.lines.text = d.json
	d.readFrom(start, p.end)
	return d
}

// standard is the file to the end of its object, with blanks for comments; ok is false if something in it may be a mistake.
func (p *parser) standard() (text string, ok bool) {
	var b strings.Builder
	b.Grow(p.end + 1)
	copied := 0
	for i := 0; i < p.end; {
		n := 1
		switch p.src[i] {
		case '"':
			n = stringLen(p.src[i:p.end])
		case '/':
			if n = commentLen(p.src[i:p.end]); n <= 1 {
				return "", false // it is no comment, or not closed
			}
			if p.src[i+1] == '/' && bytes.ContainsAny(p.src[i:i+n], "\u2028\u2029") {
				return "", false // to the parser the line ends there
			}
			b.Write(p.src[copied:i])
			copied = i + n
			erase(&b, p.src[i:copied])
		}
		if n < 0 {
			return "", false
		}
		i += n
	}
	b.Write(p.src[copied:p.end])
	b.WriteByte('\n') // as the parser has it
	return b.String(), true
}

// erase writes spaces for a comment; its line ends stay.
func erase(b *strings.Builder, comment []byte) {
	for _, c := range comment {
		switch c {
		case ' ', '\t', '\r', '\n':
		default:
			c = ' '
		}
		b.WriteByte(c)
	}
}

// countKeys counts the keys of an object in valid JSON, with those of the values inside it; ok is false if one of the objects has a key twice.
func countKeys(v gjson.Result) (n int, ok bool) {
	var few [maxLinear]string
	keys, many := few[:0], map[string]bool(nil)
	ok = true
	v.ForEach(func(key, val gjson.Result) bool {
		if key.Type == gjson.String {
			n++
			switch {
			case many != nil:
				ok = !many[key.Str]
				many[key.Str] = true
			case len(keys) < maxLinear:
				ok = !slices.Contains(keys, key.Str)
				keys = append(keys, key.Str)
			default:
				many = map[string]bool{key.Str: true}
				for _, k := range keys {
					ok = ok && k != key.Str
					many[k] = true
				}
			}
		}
		if ok && val.Type == gjson.JSON {
			var inside int
			inside, ok = countKeys(val)
			n += inside
		}
		return ok
	})
	return n, ok
}
