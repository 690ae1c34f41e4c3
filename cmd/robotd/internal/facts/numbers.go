package facts

import "github.com/robotd/robotd/metrics/record"

// Numbers calls see with each number of some series between two times as it was recorded, none left out: i is its place in names, and NaN
// says that it has no value from then on: its device does not work, or nothing is recorded. What holds at the begin comes first. Numbers of
// one series come in order; a tick's time comes up to a second late.
func (p *Past) Numbers(names []string, from, to float64, see func(i int, at, v float64)) error {
	chosen, err := numbersOf(names)
	if err != nil {
		return err
	}
	all := make([]*follower, len(chosen))
	for i, n := range chosen {
		all[i] = newFollower(n, func(at, v float64) {
			if all[i].holds() {
				at = max(at, from)
			}
			if at >= from && at <= to {
				see(i, at, v)
			}
		})
	}
	first, last := p.ticks(from, to)
	if err := p.Source.Scan([]string{}, first, last, func(record.Message) bool { return true }); err != nil { // afterwards its damage is among the gaps
		return err
	}
	return p.follow(all, p.Source.Gaps(), from, to)
}

// timingTicks is how many ticks later the time of a tick is told at most.
func timingTicks(p *Past) int64 { return 2e9 / max(p.Source.Life().PeriodNS, 1) }

// Events calls see with each event between two times, in order.
func (p *Past) Events(from, to float64, see func(at float64, kind, who, text string)) error {
	since := p.since(from)
	first, last := p.ticks(from-1, to+1)
	s := &spanner{}
	err := p.Source.Scan([]string{topicEvent}, first, last, func(m record.Message) bool {
		read(s, m, func(_ record.Message, v *timedEvent) {
			if v.AtS >= since && v.AtS <= to {
				see(v.AtS, v.Kind, v.Who, v.Text)
			}
		})
		return s.err == nil
	})
	if err == nil {
		err = s.err
	}
	return err
}
