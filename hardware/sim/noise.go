package sim

import "math"

// noise is a seed from which every disturbance of the world is hashed. It has no state: the same source at the same step
// always has the same error, independent of the number of reads.
type noise uint64

// The sources. Each adds its index in the low bits where there are several.
const (
	srcCliff uint64 = iota << 8
	srcFeedback
	srcIMU
	srcRange
	srcBattery
	srcSlip
	srcSighting
	srcPerson
	srcOffset
	srcMiddle
	srcPulse
	srcStare
	srcRoom
	srcToss
	srcDeed
	srcLuck // added to srcSighting
)

// bits mixes 64 bits out of a source and a counter (SplitMix64 finalizer, two rounds).
func (s noise) bits(src uint64, n int64) uint64 { return s.source(src).bits(n) }

// A source is one of a seed's sources, mixed in. A sensor that is read often keeps its own.
type source uint64

func (s noise) source(src uint64) source { return source(mix(uint64(s) ^ (src * 0x9e3779b97f4a7c15))) }

func (s source) bits(n int64) uint64 { return mix(uint64(s) + uint64(n)*0xd1342543de82ef95) }

func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// unit is uniform in [0, 1).
func (s noise) unit(src uint64, n int64) float64 { return float64(s.bits(src, n)>>11) / (1 << 53) }

// span is uniform in [lo, hi).
func (s noise) span(src uint64, n int64, lo, hi float64) float64 {
	return lo + (hi-lo)*s.unit(src, n)
}

func (s noise) bell(src uint64, n int64) float64 { return s.source(src).bell(n) }

// bell has mean 0, standard deviation 1 and never exceeds 3.5: the sum of four uniform values.
func (s source) bell(n int64) float64 {
	b := s.bits(n)
	sum := int64(b&0xffff + b>>16&0xffff + b>>32&0xffff + b>>48)
	return (float64(sum)/65536 - 2) * math.Sqrt(3)
}
