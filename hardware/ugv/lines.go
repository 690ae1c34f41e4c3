package ugv

import "bytes"

// maxLine bounds a line that the board sends. The longest, with an arm's fields, has some 300 bytes.
const maxLine = 512

// A splitter cuts what comes into lines. A line that does not end is dropped.
type splitter struct {
	buf  [maxLine]byte
	n    int
	skip bool // the rest of a line that was too long, or whose begin was not seen
}

// reset drops what was read; the next line's begin has not been seen.
func (s *splitter) reset() { s.n, s.skip = 0, true }

// add passes each complete line to f, without its end. The slice is valid during the call. It returns how many lines were too long.
func (s *splitter) add(p []byte, f func(line []byte)) (long int) {
	for len(p) > 0 {
		end := bytes.IndexByte(p, '\n')
		part := p
		if end >= 0 {
			part = p[:end]
		}
		if !s.skip && s.n+len(part) > maxLine {
			s.skip = true
			long++
		}
		if !s.skip {
			s.n += copy(s.buf[s.n:], part)
		}
		if end < 0 {
			return long
		}
		if !s.skip {
			f(bytes.TrimSpace(s.buf[:s.n]))
		}
		s.n, s.skip = 0, false
		p = p[end+1:]
	}
	return long
}

// readable is the number of bytes of text in p. What comes at another speed than the port's is mostly none.
func readable(p []byte) (n int) {
	for _, b := range p {
		if b >= ' ' && b < 0x7f || b == '\n' || b == '\r' || b == '\t' {
			n++
		}
	}
	return n
}
