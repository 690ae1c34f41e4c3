package resources

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// fault is a syntax mistake at a byte offset.
type fault struct {
	off        int
	code       string
	text, hint string
	final      bool // the parser must not see the file
}

// scanner runs over the brackets, strings and comments of a file before the parser does. It bounds the depth (the
// parser recurses without a limit), finds where the root ends, and knows what is still open, which makes better
// messages than the parser's own.
type scanner struct {
	src   []byte
	inner int // offset of the innermost bracket that is still open, or -1
	end   int // offset after the root object or array; len(src) when there is none
}

// text checks the encoding, which the parser does only in comments.
func (s *scanner) text() *fault {
	i := invalidUTF8(s.src)
	if i < 0 {
		return nil
	}
	return &fault{
		off: i, code: CodeSyntax, final: true,
		text: fmt.Sprintf("byte 0x%02x is not UTF-8 text", s.src[i]), hint: "save the file as UTF-8",
	}
}

// scan returns the first fault it can see, or nil. The parser may know an earlier one; except for the depth, it
// objects to everything that scan objects to, at the same place.
func (s *scanner) scan() *fault {
	var few [16]int // more than files have
	open, found := s.brackets(few[:0])
	s.inner = -1
	if n := len(open); n > 0 {
		s.inner = open[n-1]
	}
	return found
}

// brackets is scan with the memory for the offsets of the brackets that are open, which it returns.
func (s *scanner) brackets(open []int) ([]int, *fault) {
	s.end = len(s.src)
	syntax := func(off int, text, hint string) ([]int, *fault) {
		return open, &fault{off: off, code: CodeSyntax, text: text, hint: hint}
	}
	for i := 0; i < len(s.src); {
		switch c := s.src[i]; c {
		case '"':
			n := stringLen(s.src[i:])
			if n < 0 {
				return syntax(i, "this string is not closed on its line", `close it with " or write \n for a line break`)
			}
			i += n
		case '/':
			n := commentLen(s.src[i:])
			if n < 0 {
				return syntax(i, "this comment is not closed", "close it with */")
			}
			i += n
		case '{', '[':
			if len(open) == MaxDepth {
				return open, &fault{off: i, code: CodeDepth, final: true, text: fmt.Sprintf("nested deeper than %d levels", MaxDepth)}
			}
			open = append(open, i)
			i++
		case '}', ']':
			if len(open) == 0 {
				return open, nil // the parser words this one
			}
			if o := open[len(open)-1]; s.src[o]+2 != c { // in ASCII each closing bracket is its opening one plus 2
				s.inner = o
				return syntax(i, fmt.Sprintf("%q cannot close %q", c, s.src[o]), s.stillOpen())
			}
			open = open[:len(open)-1]
			i++
			if len(open) == 0 {
				s.end = i
				return open, nil
			}
		default:
			i++
		}
	}
	return open, nil
}

// stillOpen is a hint that names the innermost open bracket.
func (s *scanner) stillOpen() string {
	if s.inner < 0 {
		return ""
	}
	return fmt.Sprintf("the %q at %s is still open", s.src[s.inner], newLines(s.src).pos(s.inner))
}

// trailing returns the offset of the first thing after the root that is neither space nor comment, or -1.
func (s *scanner) trailing() int {
	for i := s.end; i < len(s.src); {
		switch s.src[i] {
		case ' ', '\t', '\r', '\n':
			i++
		case '/':
			n := commentLen(s.src[i:])
			if n <= 1 {
				return i
			}
			i += n
		default:
			return i
		}
	}
	return -1
}

// stringLen is the length of the string literal at the start of b, or -1 if its line or the file ends first.
func stringLen(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		case '\n':
			return -1
		}
	}
	return -1
}

// commentLen is the length of the comment at the start of b, without the newline of a line comment; 1 if the slash
// starts no comment, -1 if a block comment has no end.
func commentLen(b []byte) int {
	switch {
	case bytes.HasPrefix(b, []byte("//")):
		if n := bytes.IndexByte(b, '\n'); n >= 0 {
			return n
		}
		return len(b)
	case bytes.HasPrefix(b, []byte("/*")):
		n := bytes.Index(b[2:], []byte("*/"))
		if n < 0 {
			return -1
		}
		return n + 4
	default:
		return 1
	}
}

// invalidUTF8 returns the offset of the first byte that is no part of UTF-8 text, or -1.
func invalidUTF8(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; ; {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
}
