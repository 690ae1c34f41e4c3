package estimate

import (
	"math"
	"slices"
	"time"

	"github.com/robotd/robotd/hardware"
)

const (
	// maxPairs pairs of sightings tell how much sightings scatter, minPairs are enough. The two of a pair are not farther apart than pairTime, so
	// that the robot knows well how it moved between them.
	maxPairs, minPairs = 15, 5
	pairTime           = 700 * time.Millisecond
	// medianSquare is the median of χ² with three degrees of freedom.
	medianSquare = 2.366
	// maxScatter bounds the factor.
	maxScatter = 8 * 8.0
)

// scatter estimates by how much sightings vary more than their noise says: in bad light, with a bad camera or a marker that is seen at a slant.
// It compares successive sightings of a thing with each other and not with where the thing is believed, so a thing that was moved, or a
// robot that was pushed, makes a single odd pair; and it takes the median, so single odd pairs do not count.
type scatter struct {
	pairs  [maxPairs]float64 // the newest ones, in a ring
	sorted [maxPairs]float64 // the same by size, as many as there are
	n      int               // pairs so far
	factor float64           // of the variances; 0 stands for 1
}

// times is the factor by which the variances of a sighting are larger than expected, at least 1.
func (s *scatter) times() float64 { return max(s.factor, 1) }

// pair takes two sightings of a thing that are off what was expected by a and b, with equal variances.
func (s *scatter) pair(a, b, noise [3]float64) {
	square := 0.0
	for k := range a {
		d := a[k] - b[k]
		if k > 0 {
			d = hardware.WrapRad(d)
		}
		square += d * d / (2 * noise[k])
	}
	sorted := s.sorted[:min(s.n, maxPairs)]
	oldest := &s.pairs[s.n%maxPairs]
	if len(sorted) == maxPairs {
		i, _ := slices.BinarySearch(sorted, *oldest)
		sorted = slices.Delete(sorted, i, i+1)
	}
	i, _ := slices.BinarySearch(sorted, square)
	sorted = slices.Insert(sorted, i, square)
	*oldest = square
	s.n++
	if len(sorted) >= minPairs {
		s.factor = min(max(sorted[len(sorted)/2]/medianSquare, 1), maxScatter)
	}
}

// scattered gives a sighting of the landmark i, which is off what was expected, if anything was, the noise that sightings have now. What earlier
// ones told of the landmark with less is made as uncertain.
func (l *landmarks) scattered(i int, s seen, off [3]float64, expected bool) seen {
	m := &l.marks[i]
	if s.felt || !expected {
		m.paired = false
		return s
	}
	if age := s.at.Sub(m.at); m.paired && age > 0 && age <= pairTime {
		l.scatter.pair(off, m.off, s.noise)
	}
	m.off, m.paired = off, true
	times := l.scatter.times()
	if times > m.times {
		l.loosen(i, times/m.times)
		m.times = times
	}
	return s.noisier(times)
}

// noisier is the sighting with larger variances. What the contacts feel is as exact as ever.
func (s seen) noisier(times float64) seen {
	if s.felt {
		return s
	}
	for k := range s.noise {
		s.noise[k] *= times
	}
	return s
}

// off is how far a sighting is off what was expected.
func (s *seen) off(v *view) [3]float64 {
	return [3]float64{s.o.DistanceMM - v.z[0], hardware.WrapRad(s.o.BearingRad - v.z[1]), hardware.WrapRad(s.o.HeadingRad - v.z[2])}
}

// loosen multiplies the variance of the landmark i.
func (l *landmarks) loosen(i int, times float64) {
	by := math.Sqrt(times)
	for k := range 3 {
		m := 3 + 3*i + k
		for j := range dim {
			l.p[m][j] *= by
			l.p[j][m] *= by
		}
	}
}
