package tracetest

import (
	"fmt"
	"strings"
)

// A Line is one line of a file.
type Line struct {
	File string
	No   int
	Text string // without the indentation
}

// Errorf returns an error that names file and line.
func (l Line) Errorf(format string, args ...any) error {
	return &Error{File: l.File, Line: l.No, Text: fmt.Sprintf(format, args...)}
}

// An Error is a mistake in a trace file.
type Error struct {
	File string
	Line int
	Text string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Text) }

// A Command is one line of a block with its input.
type Command struct {
	Line
	Words   []string // of the line; at least one
	Comment []string
	Input   []Line
}

// Verb is the first word.
func (c *Command) Verb() string { return c.Words[0] }

// Args are the words after the first.
func (c *Command) Args() []string { return c.Words[1:] }

// A Block is a number of commands with what must come of them.
type Block struct {
	Commands []*Command
	Want     []string
}

// A Case is a list of blocks that run in one environment.
type Case struct {
	Line    // its first line
	Comment []string
	Title   []string
	Blocks  []*Block
}

// Name is the title up to its first colon: the rules.
func (c *Case) Name() string {
	name, _, _ := strings.Cut(c.Title[0], ":")
	return name
}

// A File is a list of cases.
type File struct {
	Cases []*Case
	Tail  []string // comment after the last case
}

// Parse reads a trace file.
func Parse(file, text string) (*File, error) {
	p := parser{file: &File{}}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		if err := p.line(Line{file, i + 1, line}); err != nil {
			return nil, err
		}
	}
	if err := p.empty(Line{file, len(lines), ""}); err != nil {
		return nil, err
	}
	p.file.Tail = p.comment
	if n := len(p.comment); n > 0 && p.comment[n-1] == "" {
		p.file.Tail = p.comment[:n-1]
	}
	return p.file, nil
}

// parser is where a file is being read.
type parser struct {
	file    *File
	comment []string // that belongs to what follows
	block   *Block   // that is not finished
	want    bool     // after its ----
	indent  *[]Line  // where input goes; nil if there is no command
	title   bool     // an indented line belongs to the title
}

func (p *parser) line(l Line) error {
	text := strings.TrimRight(l.Text, " \t")
	switch {
	case text == "":
		return p.empty(l)
	case p.want:
		p.block.Want = append(p.block.Want, l.Text)
		return nil
	case text == "----":
		return p.expect(l)
	case strings.HasPrefix(text, "#"):
		p.comment = append(p.comment, text)
		return nil
	case strings.HasPrefix(text, " "), strings.HasPrefix(text, "\t"):
		return p.indented(Line{l.File, l.No, strings.TrimSpace(text)})
	case text == "case", strings.HasPrefix(text, "case "):
		return p.begin(Line{l.File, l.No, text})
	}
	return p.command(Line{l.File, l.No, text})
}

// empty ends a block.
func (p *parser) empty(l Line) error {
	if p.block != nil && !p.want {
		last := p.block.Commands[len(p.block.Commands)-1]
		return l.Errorf("the block of %q, line %d, ends without ----", last.Text, last.No)
	}
	p.block, p.want, p.indent, p.title = nil, false, nil, false
	if len(p.comment) > 0 && l.Text == "" && p.comment[len(p.comment)-1] != "" {
		p.comment = append(p.comment, "")
	}
	return nil
}

// expect begins the expected lines of a block.
func (p *parser) expect(l Line) error {
	if p.block == nil {
		return l.Errorf("---- without a command before it")
	}
	p.want = true
	return nil
}

// begin begins a case.
func (p *parser) begin(l Line) error {
	title := strings.TrimSpace(strings.TrimPrefix(l.Text, "case"))
	switch {
	case p.block != nil:
		return l.Errorf("%q inside a block; an empty line ends a block", l.Text)
	case title == "":
		return l.Errorf("a case without a title; want: case RULES: what it shows")
	}
	p.file.Cases = append(p.file.Cases, &Case{Line: l, Comment: p.comment, Title: []string{title}})
	p.comment, p.indent, p.title = nil, nil, true
	return nil
}

// indented adds to the title or to the input of a command.
func (p *parser) indented(l Line) error {
	switch {
	case p.title:
		c := p.file.Cases[len(p.file.Cases)-1]
		c.Title = append(c.Title, l.Text)
	case p.indent == nil:
		return l.Errorf("the indented line %q belongs to no command", l.Text)
	default:
		*p.indent = append(*p.indent, l)
	}
	return nil
}

func (p *parser) command(l Line) error {
	if len(p.file.Cases) == 0 {
		return l.Errorf("%q before the first case; want: case RULES: what it shows", l.Text)
	}
	c := p.file.Cases[len(p.file.Cases)-1]
	if p.block == nil {
		p.block = &Block{}
		c.Blocks = append(c.Blocks, p.block)
	}
	cmd := &Command{Line: l, Words: strings.Fields(l.Text), Comment: p.comment}
	p.block.Commands = append(p.block.Commands, cmd)
	p.comment, p.indent, p.title = nil, &cmd.Input, false
	return nil
}

// String is the text of the file.
func (f *File) String() string {
	var parts []string
	for _, c := range f.Cases {
		parts = append(parts, c.String())
	}
	if len(f.Tail) > 0 {
		parts = append(parts, strings.Join(f.Tail, "\n")+"\n")
	}
	return strings.Join(parts, "\n")
}

func (c *Case) String() string { return c.prefix(len(c.Blocks)) }

// prefix is the text of the title and the first n blocks.
func (c *Case) prefix(n int) string {
	var s strings.Builder
	write(&s, "", c.Comment...)
	write(&s, "", "case "+c.Title[0])
	write(&s, "  ", c.Title[1:]...)
	for i, b := range c.Blocks[:n] {
		if i > 0 {
			s.WriteString("\n")
		}
		b.write(&s)
	}
	return s.String()
}

func (b *Block) write(s *strings.Builder) {
	for _, c := range b.Commands {
		write(s, "", c.Comment...)
		write(s, "", c.Text)
		for _, in := range c.Input {
			write(s, "  ", in.Text)
		}
	}
	write(s, "", "----")
	write(s, "", b.Want...)
}

func write(s *strings.Builder, indent string, lines ...string) {
	for _, l := range lines {
		if l != "" {
			l = indent + l
		}
		s.WriteString(l + "\n")
	}
}
