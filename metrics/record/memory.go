package record

import (
	"io/fs"
	"slices"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
)

// Defaults of a memory.
const (
	MemorySpan  = time.Hour
	MemoryBytes = 24 << 20
)

// A block of the memory covers blockSpan, or fewer ticks when many messages come.
const (
	blockSpan  = 10 * time.Second
	blockBytes = 1 << 20
)

// A Memory keeps the newest messages of a running robot, but for those of [Tape]. It is a [Sink] and a [History]. A reader never waits for
// more than the copy of a list, and makes nobody else wait longer.
type Memory struct {
	life  Life
	tree  *Tree
	keep  time.Duration
	limit int

	// Of the goroutine that calls Tick.
	table    *table
	splitter splitter

	mu     sync.RWMutex
	topics []string
	blocks []*block // the last one is open
	size   int      // of all closed blocks
	kept   int      // by the splitter
}

var (
	_ Sink    = (*Memory)(nil)
	_ History = (*Memory)(nil)
)

// NewMemory returns a memory of the last span whose blocks take about maxBytes at most; 0 stands for the defaults.
func NewMemory(life Life, tree *Tree, span time.Duration, maxBytes int) *Memory {
	if span == 0 {
		span = MemorySpan
	}
	if maxBytes == 0 {
		maxBytes = MemoryBytes
	}
	return &Memory{life: life, tree: tree, keep: span, limit: maxBytes, table: newTable(), splitter: splitter{packer: newPacker(blockWindow)}}
}

// How far back a compressor looks for what it has seen. It keeps so much, and a robot has one for its memory for good.
const (
	blockWindow = 256 << 10 // few sections of a block are longer
	chunkWindow = 1 << 20
)

// newPacker returns a compressor that starts no goroutine and keeps little memory.
func newPacker(window int) *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(window))
	if err != nil {
		panic(err) // the options are constants
	}
	return e
}

// Tick implements [Sink].
func (m *Memory) Tick(n uint64, at time.Duration, batch []Message) {
	now := Instant{n, at}
	b := m.newest()
	var closed, next *block
	if b == nil || at-b.first.At >= blockSpan || len(b.raw) > blockBytes+2*b.head {
		closed, next = m.turn(b, now)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if next != nil { // with all of this tick, or a reader would see half of it
		m.push(closed, next)
		b = next
	}
	b.last = now
	for i := range batch {
		if batch[i].Topic == Tape {
			continue
		}
		k := changed
		if batch[i].Instant {
			k = happened
		}
		b.add(entry{batch[i], k}, m.number)
		m.table.apply(&batch[i])
	}
	m.table.settle()
}

func (m *Memory) newest() *block {
	if len(m.blocks) == 0 {
		return nil
	}
	return m.blocks[len(m.blocks)-1]
}

// turn returns the open block closed, nil if there is none, and one that begins with a keyframe. It runs outside the lock: all topics of a
// keyframe have numbers.
func (m *Memory) turn(open *block, now Instant) (closed, next *block) {
	if open != nil {
		closed = m.splitter.close(open)
	}
	next = &block{span: span{first: now, last: now, key: true}}
	for _, e := range m.table.keyframe() {
		next.add(e, m.number)
	}
	next.head = len(next.raw)
	return closed, next
}

// push puts a new block behind the one that is closed; mu is held.
func (m *Memory) push(closed, next *block) {
	if closed != nil {
		m.blocks[len(m.blocks)-1] = closed
		m.size += closed.cost()
		m.kept = m.splitter.cost()
	}
	m.forget(next.first)
	m.blocks = append(m.blocks, next)
}

// forget drops what is too old or too much. The blocks that readers hold stay as they are.
func (m *Memory) forget(now Instant) {
	n := 0
	for n < len(m.blocks) && (m.size > m.limit-blockBytes || now.At-m.blocks[n].last.At > m.keep) {
		m.size -= m.blocks[n].cost()
		n++
	}
	m.blocks = slices.Delete(slices.Clone(m.blocks), 0, n)
}

// number returns the number of a topic; mu is held if it may be a new one.
func (m *Memory) number(topic string) uint64 {
	i := slices.Index(m.topics, topic)
	if i < 0 {
		i = len(m.topics)
		m.topics = append(m.topics, topic)
	}
	return uint64(i)
}

// Bytes is about how much the memory takes, but for less than 2 MB of its compressor.
func (m *Memory) Bytes() int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	n := m.size + m.kept
	if b := m.newest(); b != nil {
		n += cap(b.raw)
	}
	return n
}

// shelf copies the list of blocks.
func (m *Memory) shelf() *stack {
	m.mu.RLock()
	defer m.mu.RUnlock()
	s := &stack{topics: m.topics, blocks: slices.Clone(m.blocks)}
	if b := m.newest(); b != nil {
		open := *b
		s.blocks[len(s.blocks)-1] = &open
	}
	return s
}

// Life implements [History].
func (m *Memory) Life() Life { return m.life }

// Span implements [History].
func (m *Memory) Span() (first, last Instant) {
	first, last, _ = ends(m.shelf())
	return first, last
}

// Find implements [History].
func (m *Memory) Find(at time.Duration) (tick uint64, ok bool) {
	return find(m.shelf(), at, time.Duration(m.life.PeriodNS))
}

// At implements [History].
func (m *Memory) At(tick uint64, topics []string, yield func(Message) bool) error {
	return at(m.shelf(), tick, wanted(topics), yield)
}

// Scan implements [History].
func (m *Memory) Scan(topics []string, from, to uint64, yield func(Message) bool) error {
	return scan(m.shelf(), from, to, wanted(topics), yield)
}

// Gaps implements [History]: a memory has none.
func (m *Memory) Gaps() []Gap { return nil }

// Resources implements [History].
func (m *Memory) Resources() (fs.FS, error) {
	if m.tree == nil {
		return nil, errNoTree
	}
	return m.tree, nil
}
