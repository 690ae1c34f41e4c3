package vl53l0x

import (
	"fmt"
	"time"
)

// Overheads of the measurement steps in µs, and the least budget (VL53L0X_get_measurement_timing_budget_micro_seconds).
const (
	startOverhead = 1910
	endOverhead   = 960
	msrcOverhead  = 660
	tccOverhead   = 590
	dssOverhead   = 690
	preOverhead   = 660
	finalOverhead = 550

	minBudget = 20 * time.Millisecond
)

// Bits of the sequence register.
const (
	stepMSRC  = 1 << 2
	stepDSS   = 1 << 3
	stepTCC   = 1 << 4
	stepPre   = 1 << 6
	stepFinal = 1 << 7
)

// timing is what the registers say of the length of a measurement.
type timing struct {
	steps     byte
	preReg    byte // VCSEL period registers
	finalReg  byte
	msrc      byte
	pre       uint16
	finalCode uint16
}

// macroNS is the length of a macro period in ns for the value of a VCSEL period register.
func macroNS(periodReg byte) uint32 {
	pclk := (uint32(periodReg) + 1) * 2
	return (2304*pclk*1655 + 500) / 1000
}

// micros converts macro periods of ns nanoseconds.
func micros(mclks, ns uint32) uint32 { return (mclks*ns + 500) / 1000 }

// mclksOf is the opposite.
func mclksOf(us, ns uint32) uint32 { return (us*1000 + ns/2) / ns }

// decode is the number of macro periods of a time-out register: low byte << high byte, plus one.
func decode(code uint16) uint32 { return uint32(code&0xff)<<(code>>8) + 1 }

// encode is the largest time-out register value of at most mclks macro periods.
func encode(mclks uint32) uint16 {
	if mclks == 0 {
		return 0
	}
	v, shift := mclks-1, uint16(0)
	for ; v > 0xff; v >>= 1 {
		shift++
	}
	return shift<<8 | uint16(v)
}

// without is the length in µs of all but the final range.
func (t timing) without() uint32 {
	ns := macroNS(t.preReg)
	msrc := micros(uint32(t.msrc)+1, ns)
	sum := uint32(startOverhead + endOverhead)
	if t.steps&stepTCC != 0 {
		sum += msrc + tccOverhead
	}
	switch {
	case t.steps&stepDSS != 0:
		sum += 2 * (msrc + dssOverhead)
	case t.steps&stepMSRC != 0:
		sum += msrc + msrcOverhead
	}
	if t.steps&stepPre != 0 {
		sum += micros(decode(t.pre), ns) + preOverhead
	}
	return sum
}

// preMclks is what the time-out of the final range includes of the pre-range.
func (t timing) preMclks() uint32 {
	if t.steps&stepPre == 0 {
		return 0
	}
	return decode(t.pre)
}

// budget is the length of a measurement in µs.
func (t timing) budget() uint32 {
	sum := t.without()
	if t.steps&stepFinal != 0 {
		sum += micros(decode(t.finalCode)-t.preMclks(), macroNS(t.finalReg)) + finalOverhead
	}
	return sum
}

// final is the time-out register of the final range for a budget.
func (t timing) final(us uint32) (uint16, error) {
	rest := t.without() + finalOverhead
	if us <= rest {
		return 0, fmt.Errorf("vl53l0x: budget %d µs, but the steps before the final range take %d", us, rest)
	}
	return encode(mclksOf(us-rest, macroNS(t.finalReg)) + t.preMclks()), nil
}
