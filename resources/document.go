package resources

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
	"github.com/tidwall/gjson"
)

// A Document is one JSON file whose values know where they stand. It is made by [Parse] and read through [Object].
type Document struct {
	sink  sink
	lines lazyLines[string] // of json, which has the lines of the file
	json  string            // standard JSON, byte for byte at the offsets of the file without its byte order mark
	root  *Object
	first Object     // the root of a file: made with the document, like the next list, because there are thousands of documents
	few   [2]*Object // of objects, in a file that holds no more

	objects  []*Object         // every object handed out, in that order; an object has one set of read marks
	byOffset map[int]*Object   // the same by their place; only for more than maxLinear of them
	places   map[string]string // of keys, for hints
	unread   int               // keys of all its objects that no reader asked for yet; 0 or less if nothing will be reported
	again    bool              // was checked before: nothing will be reported
	lenient  bool              // see SetLenient
	probe    *probeRun         // answers in place of a file; nil for a file
}

// schemaKey may stand in the root of every file; editors find the schema of the file through it.
const schemaKey = "$schema"

// byteOrderMark may stand at the start of a file and says nothing.
const byteOrderMark = "\xef\xbb\xbf"

func tooLarge(file string, size int64) Diagnostic {
	return Diagnostic{File: file, Severity: Error, Code: CodeFileSize, Message: fmt.Sprintf("the file has %d bytes, more than the limit %d", size, MaxFileBytes)}
}

// Parse reads one file that holds a JSON object. Comments (// and /* */), a byte order mark and CRLF line ends are
// accepted. Trailing commas, duplicate keys and anything after the object are errors with which reading can go on, so
// a Document is returned along with them. A syntax error, an empty file or {} (an info), and a file beyond
// [MaxFileBytes] or [MaxDepth] give a nil Document. The file name is only used in diagnostics; src is not kept.
func Parse(file string, src []byte) (*Document, Diagnostics) {
	if len(src) > MaxFileBytes {
		return nil, Diagnostics{tooLarge(file, int64(len(src)))}
	}
	src = bytes.TrimPrefix(src, []byte(byteOrderMark))
	p := parser{sink: sink{file: file}, scanner: scanner{src: src}, lines: lazyLines[[]byte]{text: src}}
	d := p.parse()
	diags := p.sink.list()
	return d, diags
}

// Reread makes a document that nothing was read of yet from the [Document.JSON] of one that was parsed: what was checked then is not
// checked again. Other text gives a document that makes no sense, or a panic.
func Reread(file, json string) *Document {
	d := &Document{sink: sink{file: file}, lines: lazyLines[string]{text: json}, json: json, again: true}
	start := strings.IndexByte(json, '{')
	d.readFrom(start, start+len(strings.TrimRight(json[start:], " \t\r\n")))
	return d
}

// readFrom makes the root of the object between two offsets.
func (d *Document) readFrom(start, end int) {
	d.root = d.newObject(Value{doc: d, res: token{Type: gjson.JSON, Raw: d.json[start:end], Index: start}})
	d.root.skip(schemaKey)
}

// File is the name given to Parse.
func (d *Document) File() string { return d.sink.file }

// Root is the object that the file holds. Every call returns the same one.
func (d *Document) Root() *Object { return d.root }

// JSON is the file as standard JSON: comments and trailing commas are blanks, everything else stands where it stood.
func (d *Document) JSON() string { return d.json }

// Diagnostics returns what was found while reading the document, sorted; what [Parse] returned is not repeated.
func (d *Document) Diagnostics() Diagnostics { return d.sink.list() }

// Errors is the number of errors that were found while reading the document.
func (d *Document) Errors() int { return d.sink.errors() }

// Full reports whether further findings of the document are only counted, so that their hints need not be looked for.
func (d *Document) Full() bool { return d.sink.full() }

// References returns the names recorded by [Object.Ref] and its relatives, in the order of reading. Not to be modified.
func (d *Document) References() []Reference { return d.ReferencesSince(0) }

// ReferencesSince returns the names recorded after the first n. Not to be modified.
func (d *Document) ReferencesSince(n int) []Reference { return slices.Clip(d.sink.refs[n:]) }

// ReferenceCount is the number of names recorded so far.
func (d *Document) ReferenceCount() int { return len(d.sink.refs) }

// Finish calls [Object.Finish] for the root and for every object that was handed out.
func (d *Document) Finish() {
	for _, o := range d.objects {
		o.Finish()
	}
}

// newObject makes the object that v holds and remembers it. A duplicate key keeps its first value.
func (d *Document) newObject(v Value) *Object {
	o := &d.first
	if len(d.objects) == 0 {
		d.objects = d.few[:0]
	} else {
		o = new(Object)
	}
	*o = Object{doc: d, value: v, members: make([]member, 0, min(strings.Count(v.res.Raw, ":"), maxLinear/2))}
	v.res.forEach(func(key, val gjson.Result) bool {
		o.add(member{name: key.Str, off: key.Index, val: tokenOf(val)})
		return true
	})
	d.objects = append(d.objects, o)
	switch n := len(d.objects); {
	case n > maxLinear+1:
		d.byOffset[v.res.Index] = o
	case n == maxLinear+1:
		d.byOffset = make(map[int]*Object, 2*n)
		for _, o := range d.objects {
			d.byOffset[o.value.res.Index] = o
		}
	}
	return o
}

// objectAt returns the object at an offset if it was handed out before, or nil.
func (d *Document) objectAt(off int) *Object {
	if d.byOffset != nil {
		return d.byOffset[off]
	}
	for _, o := range d.objects {
		if o.value.res.Index == off {
			return o
		}
	}
	return nil
}

// parser holds the state of one Parse.
type parser struct {
	sink
	scanner
	lines lazyLines[[]byte]
}

func (p *parser) parse() *Document {
	early := p.text()
	if early == nil {
		early = p.scan()
	}
	if early != nil && early.final {
		p.fail(early)
		return nil
	}
	if early == nil {
		if d := p.plain(); d != nil {
			return d
		}
	}
	return p.full(early)
}

// full makes the document by the parser's tree, which knows every mistake. Early is what the scanner found.
func (p *parser) full(early *fault) *Document {
	// A line comment needs its newline; the parser wants one even at the end of the file. The copy matters too:
	// making the standard form overwrites comments in place.
	text := append(bytes.Clone(p.src[:p.end]), '\n')
	tree, err := hujson.Parse(text)
	if err != nil {
		if p.blank() {
			p.report(Info, CodeEmpty, 0, "the file is empty", "")
			return nil
		}
		p.fail(p.first(early, err))
		return nil
	}
	if early != nil {
		p.fail(early)
		return nil
	}
	return p.build(tree)
}

// build turns a syntactically right tree into a Document.
func (p *parser) build(tree hujson.Value) *Document {
	obj, ok := tree.Value.(*hujson.Object)
	if !ok {
		p.report(Error, CodeSyntax, tree.StartOffset, "a file holds one object, found "+kindOf(tree.Value.Kind()).article(), "put it in { }")
		return nil
	}
	p.check(&tree)
	if i := p.trailing(); i >= 0 {
		p.report(Error, CodeTrailing, i, "nothing but comments may follow the closing brace of the file", "")
	}
	if len(obj.Members) == 0 {
		p.report(Info, CodeEmpty, tree.StartOffset, "the file holds nothing", "")
		return nil
	}
	tree.Standardize()
	d := &Document{sink: sink{file: p.file}, json: string(tree.Pack()), unread: math.MaxInt}
	d.lines.text = d.json
	d.readFrom(tree.StartOffset, tree.EndOffset)
	return d
}

// check reports duplicate keys, trailing commas and impossible escapes in v. Its recursion is bounded by MaxDepth.
func (p *parser) check(v *hujson.Value) {
	switch t := v.Value.(type) {
	case *hujson.Object:
		first := make(map[string]int, len(t.Members))
		for i := range t.Members {
			m := &t.Members[i]
			name := keyName(m.Name.Value.(hujson.Literal))
			if off, dup := first[name]; dup {
				p.report(Error, CodeKeyDuplicate, m.Name.StartOffset, fmt.Sprintf("key %s appears twice", quote(name)),
					fmt.Sprintf("the first one is at %s", p.lines.pos(off)))
			} else {
				first[name] = m.Name.StartOffset
			}
			p.check(&m.Name)
			p.check(&m.Value)
		}
		if n := len(t.Members); n > 0 {
			p.comma(&t.Members[n-1].Value, '}')
		}
	case *hujson.Array:
		for i := range t.Elements {
			p.check(&t.Elements[i])
		}
		if n := len(t.Elements); n > 0 {
			p.comma(&t.Elements[n-1], ']')
		}
	case hujson.Literal:
		if i := loneSurrogate(t); i >= 0 {
			p.report(Error, CodeSyntax, v.StartOffset+i, "half of a Unicode surrogate pair", "write the character itself")
		}
	}
}

// keyName is the text of a key, without the detour through a decoder for the usual key without escapes.
func keyName(lit hujson.Literal) string {
	if bytes.IndexByte(lit, '\\') < 0 {
		return string(lit[1 : len(lit)-1])
	}
	return lit.String()
}

// comma reports a comma behind the last value of an object or array: the parser leaves extra text behind that value
// only then.
func (p *parser) comma(last *hujson.Value, closing byte) {
	if last.AfterExtra != nil {
		p.report(Error, CodeComma, last.EndOffset+len(last.AfterExtra), fmt.Sprintf("trailing comma before %q", closing), "remove it")
	}
}

// blank reports whether the file holds nothing but spaces and comments.
func (p *parser) blank() bool {
	return (&scanner{src: p.src}).trailing() < 0
}

func (p *parser) fail(f *fault) { p.report(Error, f.code, f.off, f.text, f.hint) }

func (p *parser) report(s Severity, code string, off int, text, hint string) {
	pos := p.lines.pos(off)
	p.sink.add(Diagnostic{Line: pos.Line, Col: pos.Col, Severity: s, Code: code, Message: text, Hint: hint})
}
