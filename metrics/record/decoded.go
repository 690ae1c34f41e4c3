package record

import "slices"

func (r *Reader) len() int { return len(r.chunks) }

func (r *Reader) span(i int) (span, bool) {
	r.mu.Lock()
	s, ok := r.spans[i]
	r.mu.Unlock()
	if ok {
		return s.span, true
	}
	return r.walk(i, nobody, nil)
}

// nobody wants no topic.
func nobody(string) bool { return false }

func (r *Reader) walk(i int, want func(topic string) bool, see func(*entry) bool) (span, bool) {
	if s, ok := r.without(i, want); ok {
		return s, true
	}
	seg, bad := r.kept(i)
	if bad {
		return span{}, false
	}
	if seg == nil {
		var ok bool
		if seg, ok = r.decode(i, want); !ok {
			return span{}, false
		}
	}
	for j := range seg.entries {
		if e := &seg.entries[j]; want(e.Topic) && !see(e) {
			break
		}
	}
	return seg.span, true
}

// without reports whether a chunk that was read has none of the wanted topics. Most topics are rare, and who reads them would unpack all chunks again
// each time.
func (r *Reader) without(i int, want func(topic string) bool) (span, bool) {
	r.mu.Lock()
	s, ok := r.spans[i]
	r.mu.Unlock()
	if !ok {
		return span{}, false
	}
	for j, t := range r.chunks[i].part.topics {
		if s.topics.has(j) && want(t.Name) {
			return span{}, false
		}
	}
	return s.span, true
}

func (r *Reader) times(i int, see func(Instant) bool) bool {
	seg, ok := r.load(i)
	if !ok {
		return false
	}
	for j := range seg.entries {
		if e := &seg.entries[j]; e.kind != repeated && !see(Instant{e.Tick, e.At}) {
			break
		}
	}
	return true
}

// decode reads a chunk with the entries of the wanted topics.
func (r *Reader) decode(i int, want func(topic string) bool) (*segment, bool) {
	seg, err := r.chunks[i].read(want)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.damaged[i] = true
		return nil, false
	}
	r.spans[i] = summary{seg.span, seg.topics}
	return seg, true
}

// load reads a chunk with all entries, and keeps it for a while.
func (r *Reader) load(i int) (*segment, bool) {
	if seg, bad := r.kept(i); seg != nil || bad {
		return seg, !bad
	}
	seg, ok := r.decode(i, func(string) bool { return true })
	if !ok {
		return nil, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.recent) == cached {
		r.recent = slices.Delete(r.recent, 0, 1)
	}
	r.recent = append(r.recent, loaded{i, seg})
	return seg, true
}

// kept returns a chunk that was read lately.
func (r *Reader) kept(i int) (seg *segment, bad bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for n, l := range r.recent {
		if l.i == i {
			r.recent = append(slices.Delete(r.recent, n, n+1), l)
			return l.seg, false
		}
	}
	return nil, r.damaged[i]
}
