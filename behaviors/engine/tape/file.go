package tape

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/robotd/robotd/behaviors/engine"
)

// version is the version of the format. It grows with every change that an older reader would misread: of the numbers of requests, and
// of what counts as a crossing, too.
const version = 4

// Errors of a tape that is read.
var (
	// ErrVersion is for a tape of a version that is not known here, or for something that is no tape.
	ErrVersion = errors.New("not a tape of a known version")
	// ErrDamaged is for a line that is not what was written: cut off, changed, or of another shape.
	ErrDamaged = errors.New("damaged")
)

// An Error says where a tape cannot be read. It wraps ErrVersion or ErrDamaged.
type Error struct {
	Line int
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("engine: tape: line %d: %v", e.Line, e.Err) }

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// header is the first line of a tape.
type header struct {
	Version int    `json:"robotd_tape"`
	Epoch   string `json:"epoch"` // RFC 3339, with its zone
}

// A Writer writes entries as lines of text, each at once: a checksum, a space, and a JSON object. The first entry must be
// the start of an engine. It has one owner.
type Writer struct {
	out  io.Writer
	code *packer
}

// NewWriter returns a writer of a tape. Nothing is written before the first entry.
func NewWriter(w io.Writer) *Writer { return &Writer{out: w} }

// Write writes one entry.
func (w *Writer) Write(e *Entry) error {
	if w.code == nil {
		if e.Kind != engine.CallStart {
			return errors.New("engine: tape: the first entry must be the start of an engine")
		}
		h, err := json.Marshal(header{version, e.Now.Format(time.RFC3339Nano)})
		if err != nil {
			return fmt.Errorf("engine: tape: %w", err)
		}
		if err := w.line(h); err != nil {
			return err
		}
		w.code = &packer{epoch: e.Now}
	}
	x, err := w.code.pack(reflect.ValueOf(*e))
	if err != nil {
		return fmt.Errorf("engine: tape: tick %d: %w", e.Input.Tick, err)
	}
	text, err := json.Marshal(x)
	if err != nil {
		return fmt.Errorf("engine: tape: tick %d: %w", e.Input.Tick, err)
	}
	return w.line(text)
}

func (w *Writer) line(text []byte) error {
	if _, err := fmt.Fprintf(w.out, "%08x %s\n", crc32.ChecksumIEEE(text), text); err != nil {
		return fmt.Errorf("engine: tape: %w", err)
	}
	return nil
}

// A Reader reads what a Writer wrote. It has one owner.
type Reader struct {
	in   *bufio.Reader
	code *packer
	line int
}

// NewReader returns a reader of a tape.
func NewReader(r io.Reader) *Reader { return &Reader{in: bufio.NewReader(r)} }

// Next returns the next entry, or io.EOF at the end of the tape, or a [*Error]. A tape that is still being written may be
// read on after io.EOF.
func (r *Reader) Next() (*Entry, error) {
	if r.code == nil {
		if err := r.begin(); err != nil {
			return nil, err
		}
	}
	text, err := r.next()
	if err != nil {
		return nil, err
	}
	var x any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&x); err != nil {
		return nil, r.damaged(err)
	}
	e := &Entry{}
	if err := r.code.unpack(x, reflect.ValueOf(e).Elem()); err != nil {
		return nil, r.damaged(err)
	}
	return e, nil
}

// begin reads the header.
func (r *Reader) begin() error {
	text, err := r.next()
	if errors.Is(err, io.EOF) {
		return &Error{Line: 1, Err: fmt.Errorf("%w: it is empty", ErrVersion)}
	}
	var h header
	if err != nil || json.Unmarshal(text, &h) != nil || h.Version == 0 {
		return &Error{Line: 1, Err: fmt.Errorf("%w: no header", ErrVersion)}
	}
	if h.Version != version {
		return &Error{Line: 1, Err: fmt.Errorf("%w: version %d, want %d", ErrVersion, h.Version, version)}
	}
	epoch, err := time.Parse(time.RFC3339Nano, h.Epoch)
	if err != nil {
		return r.damaged(err)
	}
	r.code = &packer{epoch: epoch}
	return nil
}

// next returns one line without its checksum.
func (r *Reader) next() ([]byte, error) {
	var line []byte
	for {
		part, err := r.in.ReadSlice('\n')
		line = append(line, part...)
		if err == nil {
			break
		}
		if errors.Is(err, bufio.ErrBufferFull) && len(line) <= maxLine {
			continue
		}
		if len(line) == 0 && errors.Is(err, io.EOF) {
			return nil, io.EOF
		}
		r.line++
		return nil, r.damaged(cmp.Or(unexpected(err), err))
	}
	r.line++
	sum, text, ok := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
	want, err := strconv.ParseUint(string(sum), 16, 32)
	if !ok || err != nil {
		return nil, r.damaged(errors.New("no checksum"))
	}
	if got := crc32.ChecksumIEEE(text); uint64(got) != want {
		return nil, r.damaged(fmt.Errorf("checksum %08x, want %08x", got, want))
	}
	return text, nil
}

// unexpected is the error for the end of input inside a line, and for a line beyond the limit.
func unexpected(err error) error {
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("it is cut off")
	case errors.Is(err, bufio.ErrBufferFull):
		return fmt.Errorf("longer than %d bytes", maxLine)
	}
	return nil
}

func (r *Reader) damaged(why error) error {
	return &Error{Line: r.line, Err: fmt.Errorf("%w: %w", ErrDamaged, why)}
}

// Read reads a whole tape. With a [*Error] the entries before the damage are returned too.
func Read(in io.Reader) (*Tape, error) {
	t := &Tape{}
	for r := NewReader(in); ; {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if err != nil {
			return t, err
		}
		t.Add(e)
	}
}

// WriteTo writes the whole tape.
func (t *Tape) WriteTo(out io.Writer) (int64, error) {
	c := &counter{out: out}
	w := NewWriter(c)
	for _, e := range t.Entries {
		if err := w.Write(e); err != nil {
			return c.n, err
		}
	}
	return c.n, nil
}

type counter struct {
	out io.Writer
	n   int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.out.Write(b)
	c.n += int64(n)
	return n, err
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
