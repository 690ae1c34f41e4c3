package classgen

import (
	"go/build"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// suffix ends the name of a function that returns a class.
const suffix = "Class"

// FileOf is the name of the Go file of a class: its name in snake case, so that HighLevelAI stands in high_level_ai.go.
func FileOf(class string) string { return Snake(class) + ".go" }

// Snake is a name in snake case.
func Snake(name string) string {
	var out strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		small := func(j int) bool { return j < len(runes) && !unicode.IsUpper(runes[j]) }
		if i > 0 && unicode.IsUpper(r) && (small(i-1) || small(i+1)) {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// Plain reports whether go builds the file of a class on every machine: neither as a test, nor only for one system, as it does by the end of a
// name such as turn_windows.go.
func Plain(class string) bool {
	file := FileOf(class)
	anywhere := build.Context{GOOS: "none", GOARCH: "none", Compiler: "gc", OpenFile: func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package any\n")), nil
	}}
	ok, err := anywhere.MatchFile("", file)
	return ok && err == nil && !strings.HasSuffix(file, "_test.go")
}

// capital is a name with a capital first.
func capital(name string) string {
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + name[n:]
}
