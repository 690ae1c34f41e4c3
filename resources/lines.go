package resources

import "sort"

// lines maps byte offsets to places.
type lines struct {
	starts []int // offset of the first byte of each line; starts[0] is 0
	size   int
}

// lazyLines are lines that are found when the first place is asked for: of most files no place ever is.
type lazyLines[T string | []byte] struct {
	text  T
	found lines
}

func (l *lazyLines[T]) get() lines {
	if l.found.starts == nil {
		l.found = newLines(l.text)
	}
	return l.found
}

// pos converts an offset. Most that are asked for are those of a file's opening brace, which needs no list of lines.
func (l *lazyLines[T]) pos(off int) Pos {
	if off == 0 {
		return Pos{Line: 1, Col: 1}
	}
	return l.get().pos(off)
}

func newLines[T string | []byte](src T) lines {
	l := lines{starts: []int{0}, size: len(src)}
	for i := range len(src) {
		if src[i] == '\n' {
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

// pos converts an offset; one outside the file becomes the nearest place in it (the end counts as in it).
func (l lines) pos(off int) Pos {
	off = max(0, min(off, l.size))
	line := sort.SearchInts(l.starts, off+1) // number of lines that start at or before off
	return Pos{Line: line, Col: off - l.starts[line-1] + 1}
}

// offset converts back; ok is false if there is no such line.
func (l lines) offset(p Pos) (off int, ok bool) {
	if p.Line < 1 || p.Line > len(l.starts) || p.Col < 1 {
		return 0, false
	}
	return min(l.starts[p.Line-1]+p.Col-1, l.size), true
}
