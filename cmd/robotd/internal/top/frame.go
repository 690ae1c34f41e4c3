package top

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// narrow is the width below which one section is shown instead of two columns.
const narrow = 70

// A layout is how a frame is arranged.
type layout struct {
	width, height int // height 0: as high as its content
	selected      int // section; -1: none
	scroll        []int
	zoom          bool // the selected section alone
	top, bottom   []line
}

// frame arranges the header of the state head, the sections and what the layout puts above and below.
func (d *Data) frame(l layout, head *control.State) []line {
	out := l.head(head)
	if d.State == nil {
		return fill(out, l)
	}
	return fill(append(out, d.body(l, l.room(len(out)))...), l)
}

// head is what stands above the sections.
func (l layout) head(s *control.State) []line {
	if s == nil {
		return slices.Clone(l.top)
	}
	most := 2
	if l.height == 0 || l.height >= 40 {
		most = 6
	}
	return append(slices.Clone(l.top), header(s, l.width, most)...)
}

// room is how many lines are left for the sections below head lines; 0 stands for any number if the height is not bounded.
func (l layout) room(head int) int {
	if l.height == 0 {
		return 0
	}
	return max(0, l.height-head-len(l.bottom))
}

// fill makes a frame as high as the terminal, with the bottom lines last. The header gives way.
func fill(out []line, l layout) []line {
	if l.height > 0 {
		space := max(0, l.height-len(l.bottom))
		out = out[:min(len(out), space)]
		for len(out) < space {
			out = append(out, line{})
		}
	}
	out = append(out, l.bottom...)
	for i := range out {
		out[i].text = clip(out[i].text, l.width)
	}
	return out
}

// A place is where a section is shown.
type place struct{ section, width, high int }

// columns places the sections in room lines; 0 is any number. Each column has sections one below the other.
func (d *Data) columns(l layout, room int) [][]place {
	switch {
	case l.height > 0 && room == 0:
		return nil
	case l.zoom || l.width < narrow && l.height > 0:
		return [][]place{d.column([]int{max(0, l.selected)}, l.width, room)}
	case l.height == 0:
		return [][]place{d.column([]int{0, 1, 3, 4, 5, 2}, l.width, room)}
	}
	wide := (l.width - 2) / 2
	return [][]place{d.column([]int{0, 1, 2}, wide, room), d.column([]int{3, 4, 5}, l.width-2-wide, room)}
}

// column divides room among sections.
func (d *Data) column(which []int, width, room int) []place {
	want := make([]int, len(which))
	for i, s := range which {
		lines, _ := sections[s].lines(d, width)
		want[i] = len(lines) + 1
	}
	if room > 0 {
		want = share(want, room)
	}
	out := make([]place, len(which))
	for i, s := range which {
		out[i] = place{s, width, want[i]}
	}
	return out
}

// body is the sections, in room lines; 0 is any number.
func (d *Data) body(l layout, room int) []line {
	var out []line
	for i, places := range d.columns(l, room) {
		var column []line
		for _, p := range places {
			column = append(column, l.box(d, p)...)
		}
		if i == 0 {
			out = column
			continue
		}
		out = beside(out, column, (l.width-2)/2)
	}
	return out
}

// beside puts two columns side by side. A line then has two tones, which only the terminal shows: see [line.right].
func beside(left, right []line, wide int) []line {
	var out []line
	for i := range max(len(left), len(right)) {
		var a, b line
		if i < len(left) {
			a = left[i]
		}
		if i < len(right) {
			b = right[i]
		}
		a.text = fit(a.text, wide, false) + "  "
		a.right = &b
		out = append(out, a)
	}
	return out
}

// box is one section with its title.
func (l layout) box(d *Data, p place) []line {
	if p.high == 0 {
		return nil
	}
	lines, head := sections[p.section].lines(d, p.width)
	from, to := window(len(lines), head, p.high-1, l.offset(p.section))
	name := "  " + sections[p.section].name
	if p.section == l.selected {
		name = "▸ " + sections[p.section].name
	}
	if to-from < len(lines)-head && to > from {
		name += fmt.Sprintf(" %d–%d of %d", from-head+1, to-head, len(lines)-head)
	}
	name = clip(name, p.width-1)
	out := []line{ln(name+" "+strings.Repeat("─", max(0, p.width-ansi.StringWidth(name)-1)), title)}
	out = append(out, lines[:min(head, p.high-1)]...)
	return append(out, lines[from:to]...)
}

// lastOffset is how far a section can be scrolled: to its last page.
func (d *Data) lastOffset(l layout, head *control.State, section int) int {
	for _, places := range d.columns(l, l.room(len(l.head(head)))) {
		for _, p := range places {
			if p.section == section {
				lines, stays := sections[section].lines(d, p.width)
				return max(0, len(lines)-max(stays+1, p.high-1))
			}
		}
	}
	return 0
}

func (l layout) offset(s int) int {
	if s < len(l.scroll) {
		return l.scroll[s]
	}
	return 0
}

// window is the part of n lines that room lines show when offset lines are scrolled away; the head stays.
func window(n, head, room, offset int) (from, to int) {
	room = max(0, room-head)
	from = head + max(0, min(offset, n-head-room))
	return from, min(n, from+room)
}

// share divides room among sections that want so many lines: each gets what it wants or an equal part of what is left.
func share(want []int, room int) []int {
	got := make([]int, len(want))
	for open := len(want); open > 0 && room > 0; {
		part, satisfied := max(1, room/open), 0
		for i := range want {
			if got[i] == 0 && want[i] <= part && room >= want[i] {
				got[i] = want[i]
				room -= want[i]
				satisfied++
			}
		}
		open -= satisfied
		if satisfied > 0 {
			continue
		}
		for i := range want {
			if got[i] == 0 && room > 0 {
				got[i] = (room + open - 1) / open
				room -= got[i]
				open--
			}
		}
	}
	return got
}

// Plain is a frame as text, as wide as width and as high as its content.
func (d *Data) Plain(width int) string {
	var b strings.Builder
	for _, l := range d.frame(layout{width: width, selected: -1}, d.State) {
		b.WriteString(strings.TrimRight(l.plain(), " "))
		b.WriteByte('\n')
	}
	return b.String()
}
