package record

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// cached is how many decoded chunks a reader keeps: more than a keyframe and what follows it.
const cached = 32

// A Reader reads the recording of one life. It is safe for concurrent use.
type Reader struct {
	parts  []*source
	chunks []*chunk

	mu      sync.Mutex
	spans   map[int]summary // of the chunks that were read
	damaged map[int]bool
	recent  []loaded // newest last
}

// A summary is what a reader remembers of each chunk that it has read.
type summary struct {
	span
	topics topicSet
}

type loaded struct {
	i   int
	seg *segment
}

var _ History = (*Reader)(nil)

// Open opens a recording: a file, or a folder, of which it reads the newest life that has a chunk. It reads whatever is whole in files that a killed
// process or a bad disk left; what it finds to be missing is in Gaps.
func Open(path string) (*Reader, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return openFolder(path)
	}
	s, err := openSource(path)
	if err != nil {
		return nil, err
	}
	return read(path, []*source{s})
}

// OpenLife opens a recording like [Open], and a file together with those of its life that come before it in its folder: what a replay needs.
func OpenLife(path string) (*Reader, error) {
	r, err := Open(path)
	if err != nil || r.parts[0].number <= 1 || len(r.parts) > 1 {
		return r, err
	}
	last := r.parts[0]
	all, _ := recordings(filepath.Dir(path)) // an error leaves the file alone
	var parts []*source
	for _, f := range all {
		if f.life != last.life.ID || f.part >= last.number {
			continue
		}
		s, err := openSource(f.path)
		switch {
		case err != nil: // what is missing is found where it is read
		case s.life.ID != last.life.ID:
			_ = s.file.Close()
		default:
			parts = append(parts, s)
		}
	}
	slices.SortStableFunc(parts, func(a, b *source) int { return cmp.Compare(a.number, b.number) })
	return read(path, append(parts, last))
}

// read makes the reader of some files.
func read(path string, parts []*source) (*Reader, error) {
	r := &Reader{parts: parts, spans: map[int]summary{}, damaged: map[int]bool{}}
	for _, p := range parts {
		for i := range p.chunks {
			r.chunks = append(r.chunks, &p.chunks[i])
		}
	}
	r.dropTornEnd()
	if _, _, ok := ends(r); !ok {
		_ = r.Close()
		return nil, fmt.Errorf("%s: %w", path, errNothing)
	}
	return r, nil
}

// Complete reports whether the newest file was closed in order. Otherwise its process was killed or still records, or the file was cut: the
// life may have gone on beyond what can be read.
func (r *Reader) Complete() bool { return r.parts[len(r.parts)-1].whole }

// Incomplete says that in words.
const Incomplete = "the recording has no end: its process was killed or still records, or the file was cut; the life may have gone on"

// dropTornEnd drops what a killed process or a power cut left behind the last whole chunk.
func (r *Reader) dropTornEnd() {
	for n := len(r.chunks) - 1; n >= 0 && !r.chunks[n].part.whole; n-- {
		if _, ok := r.span(n); ok {
			return
		}
		r.chunks = r.chunks[:n]
		delete(r.damaged, n)
	}
}

// A listed file is one of a folder, with the life that its name tells; empty if it tells none.
type listed struct{ path, life string }

// openFolder opens the newest life of a folder that has anything to read. A robot that has just started has nothing yet, and one that fails at each
// start leaves many lives without a chunk: who looks then wants the life before.
func openFolder(dir string) (*Reader, error) {
	names, err := filepath.Glob(filepath.Join(escapeGlob(dir), "*"+extension))
	if err != nil {
		return nil, err
	}
	files := make([]listed, len(names)) // names sort by time
	for i, path := range names {
		files[i].path = path
		if m := fileName.FindStringSubmatch(filepath.Base(path)); m != nil {
			files[i].life = m[2]
		}
	}
	var errs []error
	var nothing error // of the newest life
	for len(files) > 0 {
		var parts []*source
		var bad []error
		parts, files, bad = newestLife(files)
		errs = append(errs, bad...)
		if len(parts) == 0 {
			break
		}
		r, err := read(dir, parts)
		if !errors.Is(err, errNothing) {
			return r, err
		}
		nothing = cmp.Or(nothing, err)
	}
	return nil, cmp.Or(errors.Join(append(errs, nothing)...), fmt.Errorf("%s holds no recording: no file there ends with %s", dir, extension))
}

// newestLife opens the files of the newest life among some, in order. It returns the files of other lives too, and why some could not be opened.
func newestLife(files []listed) (parts []*source, others []listed, errs []error) {
	for _, f := range slices.Backward(files) {
		if f.life != "" && len(parts) > 0 && f.life != parts[0].life.ID {
			others = append(others, f)
			continue
		}
		s, err := openSource(f.path)
		switch {
		case err != nil:
			errs = append(errs, err)
		case len(parts) > 0 && s.life.ID != parts[0].life.ID:
			_ = s.file.Close()
			others = append(others, f)
		default:
			parts = append(parts, s)
		}
	}
	slices.Reverse(others)
	slices.SortStableFunc(parts, func(a, b *source) int { return cmp.Compare(a.number, b.number) })
	return parts, others, errs
}

// escapeGlob returns a pattern that matches one path.
func escapeGlob(path string) string {
	var b []byte
	for i := range len(path) {
		if bytes.IndexByte([]byte(`*?[\`), path[i]) >= 0 {
			b = append(b, '\\')
		}
		b = append(b, path[i])
	}
	return string(b)
}

// Close closes the files.
func (r *Reader) Close() error {
	var errs []error
	for _, p := range r.parts {
		errs = append(errs, p.file.Close())
	}
	return errors.Join(errs...)
}

// Files are the paths that are read, in order.
func (r *Reader) Files() []string {
	var all []string
	for _, p := range r.parts {
		all = append(all, p.path)
	}
	return all
}

// Life implements [History].
func (r *Reader) Life() Life { return r.parts[0].life }

// Span implements [History].
func (r *Reader) Span() (first, last Instant) {
	first, last, _ = ends(r)
	return first, last
}

// Find implements [History].
func (r *Reader) Find(at time.Duration) (tick uint64, ok bool) {
	return find(r, at, time.Duration(r.Life().PeriodNS))
}

// At implements [History].
func (r *Reader) At(tick uint64, topics []string, yield func(Message) bool) error {
	return at(r, tick, wanted(topics), yield)
}

// Scan implements [History].
func (r *Reader) Scan(topics []string, from, to uint64, yield func(Message) bool) error {
	return scan(r, from, to, wanted(topics), yield)
}

// Verify reads everything and returns an error for each chunk whose checksum does not hold.
func (r *Reader) Verify() error {
	var errs []error
	for i, c := range r.chunks {
		if _, ok := r.load(i); !ok {
			errs = append(errs, fmt.Errorf("%s: the chunk at offset %d is damaged", c.part.path, c.offset))
		}
	}
	return errors.Join(errs...)
}

// Gaps implements [History]. A damaged chunk is among them once it was read; see Verify.
func (r *Reader) Gaps() []Gap {
	var all []Gap
	for i, p := range r.parts {
		if g, ok := r.missing(i); ok {
			all = append(all, g)
		}
		all = append(all, p.gaps...)
	}
	for i := range r.chunks {
		r.mu.Lock()
		bad := r.damaged[i] || r.chunks[i].length == 0
		r.mu.Unlock()
		if bad {
			all = append(all, r.around(i))
		}
	}
	slices.SortStableFunc(all, func(a, b Gap) int { return cmp.Compare(a.From.Tick, b.From.Tick) })
	return slices.Compact(all)
}

// missing returns what the files lack that should be before the i-th.
func (r *Reader) missing(i int) (Gap, bool) {
	p, before := r.parts[i], 0
	if i > 0 {
		before = r.parts[i-1].number
	}
	if p.number <= before+1 {
		return Gap{}, false
	}
	g := Gap{Reason: fmt.Sprintf("%d files of this life before %s are not here", p.number-before-1, filepath.Base(p.path))}
	n := slices.IndexFunc(r.chunks, func(c *chunk) bool { return c.part == p })
	if n < 0 {
		return Gap{}, false
	}
	if around := r.around(n); n > 0 {
		g.From = around.From
	}
	if here, ok := r.span(n); ok {
		g.To = r.beside(here.first, -1)
	}
	return g, true
}

// around returns the gap from the last readable chunk before the i-th to the first one after.
func (r *Reader) around(i int) Gap {
	g := Gap{Reason: "a part of the file is damaged"}
	if _, here, ok := readable(r, i-1, 0); ok {
		g.From = r.beside(here.last, 1)
	}
	g.To = g.From
	for j := i + 1; j < len(r.chunks); j++ {
		if here, ok := r.span(j); ok {
			g.To = r.beside(here.first, -1)
			break
		}
	}
	return g
}

// beside is the instant of the tick before or after.
func (r *Reader) beside(i Instant, by int64) Instant {
	return Instant{uint64(max(int64(i.Tick)+by, 0)), max(i.At+time.Duration(by*r.Life().PeriodNS), 0)}
}

var errNoTree = errors.New("the recording carries no resources")

// Resources implements [History].
func (r *Reader) Resources() (fs.FS, error) {
	err := errNoTree
	for _, p := range r.parts {
		if p.tree.length > 0 {
			var tree fs.FS
			if tree, err = p.resources(); err == nil {
				return tree, nil
			}
		}
	}
	return nil, err
}

// resources reads the attachment: two times, name, type and content with their lengths, checksum.
func (s *source) resources() (fs.FS, error) {
	b := make([]byte, s.tree.length)
	if _, err := s.file.ReadAt(b, s.tree.offset); err != nil {
		return nil, err
	}
	damaged := fmt.Errorf("%s: the resources are damaged", s.path)
	if len(b) < 16+4+4+8+4 || crc32.ChecksumIEEE(b[:len(b)-4]) != binary.LittleEndian.Uint32(b[len(b)-4:]) {
		return nil, damaged
	}
	at := uint64(16)
	for range 2 {
		at += 4 + uint64(binary.LittleEndian.Uint32(b[at:]))
	}
	content := b[at+8 : len(b)-4]
	tree, err := unzip(content)
	if err != nil {
		return nil, damaged
	}
	return tree, nil
}
