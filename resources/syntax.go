package resources

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// first chooses between the scanner's fault and the parser's error: the earlier one; the scanner's wording at a tie.
func (p *parser) first(early *fault, err error) *fault {
	late := p.explain(err)
	if early != nil && early.off <= late.off {
		return early
	}
	return late
}

// explain turns an error of the parser into a fault with our wording. Its text begins with the line and the column;
// the cause is wrapped.
func (p *parser) explain(err error) *fault {
	f := &fault{code: CodeSyntax, text: err.Error()}
	var at Pos
	if _, scanErr := fmt.Sscanf(f.text, "hujson: line %d, column %d:", &at.Line, &at.Col); scanErr == nil {
		f.off, _ = p.lines.get().offset(at)
	}
	if cause := errors.Unwrap(err); cause != nil {
		f.text = cause.Error()
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || f.off >= len(p.src) {
		f.off = len(bytes.TrimRight(p.src, " \t\r\n"))
		f.text, f.hint = "the file ends too early", p.stillOpen()
		return f
	}
	rest := p.src[f.off:]
	switch c := rest[0]; {
	case c == '"' && strings.HasPrefix(f.text, "invalid literal"):
		f.off, f.text = f.off+badEscape(rest), "the string holds a control character or an unknown escape"
		f.hint = `escapes are \" \\ \/ \b \f \n \r \t and \u with four hexadecimal digits`
	case strings.HasPrefix(f.text, "invalid literal"):
		f.text, f.hint = p.literal(rest)
	default:
		f.text, f.hint = expected(f.text)+", found "+foundText(rest), misplaced(rest)
	}
	return f
}

// expected words what the parser wanted, by the place that its message names.
func expected(text string) string {
	switch {
	case strings.Contains(text, "after object name"):
		return "expected ':' after the key"
	case strings.Contains(text, "after object value"):
		return "expected ',' or '}' after the value"
	case strings.Contains(text, "after array value"):
		return "expected ',' or ']' after the value"
	case strings.Contains(text, "object name"):
		return "expected a key in double quotes"
	case strings.Contains(text, "in line comment"):
		return "expected a printable comment"
	default:
		return "expected a value or a key"
	}
}

// foundText is the letter at the start of rest, made visible.
func foundText(rest []byte) string {
	r, _ := utf8.DecodeRune(rest)
	if r == '\'' {
		return `"'"`
	}
	if unicode.IsPrint(r) {
		return "'" + string(r) + "'"
	}
	return strconv.QuoteRuneToASCII(r)
}

// misplaced guesses from the text at a syntax error what the author meant.
func misplaced(rest []byte) string {
	for _, mark := range [...]string{"<<<<<<<", "=======", ">>>>>>>"} {
		if bytes.HasPrefix(rest, []byte(mark)) {
			return "is this the mark of a merge conflict?"
		}
	}
	switch rest[0] {
	case '"', '{', '[':
		return "is something missing before it?"
	case '\'':
		return "strings and keys take double quotes"
	case '#':
		return "comments begin with //"
	default:
		return ""
	}
}

// literal words a mistake in a bare word or number at the start of rest.
func (p *parser) literal(rest []byte) (text, hint string) {
	word := rest
	if n := bytes.IndexFunc(rest, func(r rune) bool { return !strings.ContainsRune("+-._", r) && !isAlnum(r) }); n >= 0 {
		word = rest[:n]
	}
	text = quote(string(word)) + " is not a JSON value"
	after := bytes.TrimLeft(rest[len(word):], " \t")
	c := word[0]
	switch {
	case len(after) > 0 && after[0] == ':':
		hint = "keys need double quotes"
	case c == '+' || c == '-' || c == '.' || '0' <= c && c <= '9':
		hint = "write numbers like 3, -0.5 or 2e3"
	default:
		hint = "strings need double quotes"
		if w, ok := Nearest(string(word), []string{"true", "false", "null"}); ok {
			hint = "did you mean " + w + "?"
		}
	}
	return text, hint
}

func isAlnum(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// badEscape is the offset of the first control character or wrong escape in the string literal at the start of b,
// or 0 if there is none.
func badEscape(b []byte) int {
	for i := 1; i < len(b) && b[i] != '"'; i++ {
		if b[i] < ' ' {
			return i
		}
		if b[i] != '\\' {
			continue
		}
		if i+1 >= len(b) || !bytes.ContainsRune([]byte(`"\/bfnrtu`), rune(b[i+1])) {
			return i
		}
		if b[i+1] == 'u' {
			for k := i + 2; k < i+6; k++ {
				if k >= len(b) || !isHex(b[k]) {
					return i
				}
			}
		}
		i++
	}
	return 0
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// loneSurrogate is the offset of the first \u escape in a valid literal that is half of a surrogate pair without its
// other half, or -1. Such text is valid JSON and yet no text; decoders disagree on it.
func loneSurrogate(lit []byte) int {
	for i := 0; i < len(lit); i++ {
		if lit[i] != '\\' {
			continue
		}
		first := escapedUnit(lit[i:])
		if !utf16.IsSurrogate(first) {
			i++
			continue
		}
		if utf16.DecodeRune(first, escapedUnit(lit[i+6:])) == unicode.ReplacementChar {
			return i
		}
		i += 11
	}
	return -1
}

// escapedUnit is the code unit of the \u escape at the start of b, or 0 if there is none.
func escapedUnit(b []byte) rune {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	if err != nil {
		return 0
	}
	return rune(n)
}
