package record

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/foxglove/mcap/go/mcap"
)

// A chunk is a place in a file.
type chunk struct {
	part           *source
	offset, length int64  // of the record's content; length 0: something unreadable
	start          uint64 // log time
}

// A source is one file that is read.
type source struct {
	path   string
	file   *os.File
	life   Life
	number int
	topics []topicName
	chunks []chunk
	gaps   []Gap
	tree   place // the attachment; length 0: none
	whole  bool  // it was completed
	ahead  *window
}

// A window reads a file ahead, for many small reads from its begin to its end.
type window struct {
	file  io.ReaderAt
	begin int64
	bytes []byte
}

const windowSize = 256 << 10

// ReadAt implements io.ReaderAt.
func (w *window) ReadAt(b []byte, at int64) (int, error) {
	if len(b) > windowSize {
		return w.file.ReadAt(b, at)
	}
	if at < w.begin || at+int64(len(b)) > w.begin+int64(len(w.bytes)) {
		if w.bytes == nil {
			w.bytes = make([]byte, windowSize)
		}
		n, err := w.file.ReadAt(w.bytes[:windowSize], at)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		w.begin, w.bytes = at, w.bytes[:n]
	}
	n := copy(b, w.bytes[at-w.begin:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

type place struct{ offset, length int64 }

// Sizes of the record headers.
const (
	recordHead = 1 + 8
	chunkHead  = 8 + 8 + 8 + 4 + 4
	maxMeta    = 1 << 20
)

// openSource reads where everything is in a file.
func openSource(path string) (*source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	s := &source{path: path, file: f, ahead: &window{file: f}}
	info, err := f.Stat()
	if err == nil {
		err = s.skim(info.Size())
	}
	s.ahead = nil
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// Errors of files that are no recordings.
var (
	errEmpty   = errors.New("the file is empty: whoever recorded ended before the first byte was written")
	errNoMCAP  = errors.New("this is no recording: it does not begin like an MCAP file")
	errForeign = errors.New("this is an MCAP file, but no recording of robotd: it has no metadata \"robotd\"")
	errNothing = errors.New("the recording holds no complete chunk: whoever recorded ended within the first second, or the file is damaged")
)

func (s *source) skim(size int64) error {
	if size == 0 {
		return errEmpty
	}
	var magic [8]byte
	if _, err := s.ahead.ReadAt(magic[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !bytes.Equal(magic[:], mcap.Magic) {
		return errNoMCAP
	}
	for at := int64(len(magic)); at+recordHead <= size && !s.whole; {
		next, err := s.record(at, size)
		if err != nil {
			return err
		}
		if next < 0 {
			if next = s.resync(at+1, size); next < size {
				s.chunks = append(s.chunks, chunk{part: s, offset: at})
			}
		}
		at = next
	}
	if s.life.ID == "" {
		return errForeign
	}
	return nil
}

// record notes the record at an offset and returns the next one's, -1 if this is none.
func (s *source) record(at, size int64) (next int64, err error) {
	var b [recordHead + chunkHead + 16]byte
	n, err := s.ahead.ReadAt(b[:], at)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	length := int64(binary.LittleEndian.Uint64(b[1:]))
	if length < 0 || length > size {
		return -1, nil
	}
	begin := at + recordHead
	if next = begin + length; next > size { // the torn end of a killed process
		if mcap.OpCode(b[0]) == mcap.OpChunk && plausible(b[:n], length) {
			return size, nil
		}
		return -1, nil
	}
	switch mcap.OpCode(b[0]) {
	case mcap.OpChunk:
		if !plausible(b[:n], length) {
			return -1, nil
		}
		s.chunks = append(s.chunks, chunk{s, begin, length, binary.LittleEndian.Uint64(b[recordHead:])})
	case mcap.OpMetadata:
		return next, s.metadata(begin, length)
	case mcap.OpAttachment:
		s.tree = place{begin, length}
	case mcap.OpDataEnd:
		s.whole = true
	case mcap.OpHeader, mcap.OpSchema, mcap.OpChannel, mcap.OpMessageIndex:
	default:
		return -1, nil
	}
	return next, nil
}

// plausible reports whether the two lengths in the head of a chunk agree, and its compression is ours.
func plausible(b []byte, length int64) bool {
	const compression = recordHead + chunkHead
	if len(b) < compression+len(mcap.CompressionZSTD)+8 || !bytes.HasPrefix(b[compression-4:], zstdName) {
		return false
	}
	inner := binary.LittleEndian.Uint64(b[compression+len(mcap.CompressionZSTD):])
	return inner <= maxChunk && length == chunkHead+int64(len(mcap.CompressionZSTD))+8+int64(inner)
}

// zstdName is the compression in the head of a chunk, with its length.
var zstdName = append([]byte{4, 0, 0, 0}, mcap.CompressionZSTD...)

// resync returns where the next chunk begins, or the end.
func (s *source) resync(at, size int64) int64 {
	const back = recordHead + chunkHead - 4 // from the name of the compression to the begin of the record
	buf := make([]byte, 1<<16)
	for at < size {
		n, _ := s.ahead.ReadAt(buf, at)
		for from := min(back, n); ; {
			i := bytes.Index(buf[from:n], zstdName)
			if i < 0 {
				break
			}
			from += i
			if head := buf[from-back : n]; mcap.OpCode(head[0]) == mcap.OpChunk && plausible(head, int64(binary.LittleEndian.Uint64(head[1:]))) {
				return at + int64(from-back)
			}
			from++
		}
		if n < len(buf) {
			return size
		}
		at += int64(n - back - 2*len(zstdName) - 8) // a head may lie across the end of the buffer
	}
	return size
}

func (s *source) metadata(offset, length int64) error {
	if length > maxMeta {
		return nil
	}
	b := make([]byte, length)
	if _, err := s.ahead.ReadAt(b, offset); err != nil {
		return err
	}
	m, err := mcap.ParseMetadata(b)
	if err == nil && m.Name == metaLife {
		return s.head(m.Metadata)
	}
	if err == nil && m.Name == metaGap {
		s.gaps = append(s.gaps, gapOf(m.Metadata))
	}
	return nil // what is damaged is left out
}

// head reads the life.
func (s *source) head(m map[string]string) error {
	format, err := strconv.Atoi(m["format"])
	if err != nil {
		return errForeign
	}
	if format > formatVersion {
		return fmt.Errorf("a newer robotd wrote this recording: its file format is %d, and this robotd reads up to %d", format, formatVersion)
	}
	if err := json.Unmarshal([]byte(m["life"]), &s.life); err != nil {
		return fmt.Errorf("the life in the metadata: %w", err)
	}
	if s.life.Schema > SchemaVersion {
		return fmt.Errorf("a newer robotd (%s) wrote this recording: its topics have version %d, and this robotd reads up to %d", s.life.Version, s.life.Schema, SchemaVersion)
	}
	if err := json.Unmarshal([]byte(m["topics"]), &s.topics); err != nil {
		return fmt.Errorf("the topics in the metadata: %w", err)
	}
	s.number, err = strconv.Atoi(m["part"])
	return err
}

func gapOf(m map[string]string) Gap {
	instant := func(prefix string) Instant {
		tick, _ := strconv.ParseUint(m[prefix+"_tick"], 10, 64)
		at, _ := strconv.ParseInt(m[prefix+"_ns"], 10, 64)
		return Instant{tick, time.Duration(at)}
	}
	return Gap{instant("from"), instant("to"), m["reason"]}
}
