package rules

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Documents state the rules. Their paths are relative to the module.
var Documents = []string{"behaviors/RULES.md", "actions/RULES.md", "resources/RULES.md", "bench/GOALS.md"}

// A Rule is one entry of a document.
type Rule struct {
	ID, Title string
	Text      string
	NotTested string // why no test shows it
	File      string
	Line      int
}

// A Document is what one file states.
type Document struct {
	Rules  []Rule
	Unused []string // IDs that are left out on purpose
}

var idSyntax = regexp.MustCompile(`^[A-Za-z0-9./-]+$`)

// ParseDocument reads one document; file is named in errors and rules.
func ParseDocument(file, text string) (Document, error) {
	var d Document
	var open *Rule
	for i, line := range strings.Split(text, "\n") {
		head, isRule := strings.CutPrefix(line, "### ")
		unused, isUnused := strings.CutPrefix(line, "Not used: ")
		reason, isReason := strings.CutPrefix(line, "Not tested: ")
		var err error
		switch {
		case isRule:
			id, title, _ := strings.Cut(head, " ")
			if !idSyntax.MatchString(id) || strings.TrimSpace(title) == "" {
				err = fmt.Errorf("want ### ID TITLE, found %q", line)
			}
			d.Rules = append(d.Rules, Rule{ID: id, Title: title, File: file, Line: i + 1})
			open = &d.Rules[len(d.Rules)-1]
		case strings.HasPrefix(line, "#"):
			open = nil
		case isUnused:
			var ids []string
			ids, err = idRange(unused)
			d.Unused = append(d.Unused, ids...)
		case isReason && open == nil:
			err = fmt.Errorf("%q belongs to no rule", line)
		case isReason:
			open.NotTested = reason
		case open != nil && open.NotTested != "" && line != "":
			open.NotTested += " " + line
		case open != nil:
			open.Text = strings.TrimSpace(open.Text + "\n" + line)
		}
		if err != nil {
			return d, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
	}
	for _, r := range d.Rules {
		if r.Text == "" {
			return d, fmt.Errorf("%s:%d: %s states nothing", r.File, r.Line, r.ID)
		}
	}
	return d, nil
}

// idRange reads "C-1 to C-6, C-9.".
func idRange(text string) ([]string, error) {
	var ids []string
	for part := range strings.SplitSeq(strings.TrimSuffix(text, "."), ", ") {
		from, to, isRange := strings.Cut(part, " to ")
		if !isRange {
			to = from
		}
		family, first := Family(from)
		other, last := Family(to)
		if family == "" || family != other || first == 0 || last < first {
			return nil, fmt.Errorf("want IDs or ranges of IDs, found %q", part)
		}
		for n := first; n <= last; n++ {
			ids = append(ids, family+strconv.Itoa(n))
		}
	}
	return ids, nil
}

// numberedID is an ID that ends in a number, maybe with a letter; sectionID has the number of a section; namedID ends in a word.
var (
	numberedID = regexp.MustCompile(`^((?:[a-z]+/)?(?:[A-Z]+-)+[A-Z]?|[0-9]/|goal/M)([0-9]+)[a-z]?$`)
	sectionID  = regexp.MustCompile(`^([a-z]+/)[0-9]+(?:\.[0-9]+)*[a-z]?$`)
	namedID    = regexp.MustCompile(`^([0-9](?:\.[0-9]+)?/)[A-Z][A-Za-z_]+(?:[.-][A-Za-z_]+)*$|^([A-Z]{2,}-)[A-Z]{2,}$`)
)

// Family returns what the IDs of one family have in common, "L-" for L-13, and the number of an ID of a family that counts.
// The family of what is no ID is empty.
func Family(id string) (family string, number int) {
	if m := numberedID.FindStringSubmatch(id); m != nil {
		number, _ = strconv.Atoi(m[2])
		return m[1], number
	}
	if m := sectionID.FindStringSubmatch(id); m != nil {
		return m[1] + "0", 0
	}
	if m := namedID.FindStringSubmatch(id); m != nil {
		return m[1] + m[2] + "A", 0
	}
	return "", 0
}
