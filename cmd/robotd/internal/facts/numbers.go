package facts

import (
	"slices"
	"strings"

	"github.com/robotd/robotd/metrics/record"
	"github.com/robotd/robotd/resources"
)

// Numbers calls see with each number of some series between two times as it was recorded, none left out: i is its place in names. What
// holds at the begin comes first. Numbers of one series come in order; a tick's time comes up to a second late.
func (p *Past) Numbers(names []string, from, to float64, see func(i int, at, v float64)) error {
	all := numbers()
	var chosen []number
	var topics []string
	for _, name := range names {
		i, ok := slices.BinarySearchFunc(all, name, func(n number, name string) int { return strings.Compare(n.Name, name) })
		if !ok {
			return resources.Unknown("series", name, namesOf(all))
		}
		chosen = append(chosen, all[i])
		if !slices.Contains(topics, all[i].topic) {
			topics = append(topics, all[i].topic)
		}
	}
	take := func(m record.Message) bool {
		for i, n := range chosen {
			if n.topic == m.Topic && n.key == m.Key && m.Data != nil {
				n.read(m.Data, max(seconds(m.At), from), func(at, v float64) {
					if at >= from && at <= to {
						see(i, at, v)
					}
				})
			}
		}
		return true
	}
	first, last := p.ticks(from, to)
	err := p.held(first, topics, take)
	if err == nil {
		err = p.Source.Scan(topics, first+1, last+uint64(timingTicks(p)), take)
	}
	return err
}

// timingTicks is how many ticks later the time of a tick is told at most.
func timingTicks(p *Past) int64 { return 2e9 / max(p.Source.Life().PeriodNS, 1) }

// Events calls see with each event between two times, in order.
func (p *Past) Events(from, to float64, see func(at float64, kind, who, text string)) error {
	first, last := p.ticks(from-1, to+1)
	s := &spanner{}
	err := p.Source.Scan([]string{topicEvent}, first, last, func(m record.Message) bool {
		read(s, m, func(_ record.Message, v *timedEvent) {
			if v.AtS >= from && v.AtS <= to {
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
