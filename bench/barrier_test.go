package bench

import (
	"fmt"
	"testing"
)

// Every peer updates every unit exactly once per tick, before Tick returns.
func TestEveryUnitUpdatesOncePerTick(t *testing.T) {
	const n = 50
	for _, p := range Peers {
		t.Run(p.Name, func(t *testing.T) {
			us := units(n)
			b, err := p.New(us)
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			b.Tick() // the first tick of robotd enters the scope
			first := us[0].Updates
			for tick := 1; tick <= 20; tick++ {
				b.Tick()
				for i, u := range us {
					if u.Updates != first+tick {
						t.Fatalf("tick %d: unit %d had %d updates", tick, i, u.Updates-first)
					}
				}
			}
			if first != 1 {
				t.Errorf("%d updates in the first tick", first)
			}
		})
	}
}

// BenchmarkBarrier is one tick of n units under each runtime.
func BenchmarkBarrier(b *testing.B) {
	for _, p := range Peers {
		for _, n := range []int{10, 100, 161, 1000} {
			b.Run(fmt.Sprintf("%s/%d", p.Name, n), func(b *testing.B) {
				bar, err := p.New(units(n))
				if err != nil {
					b.Fatal(err)
				}
				defer bar.Close()
				ticks(b, n, bar.Tick)
			})
		}
	}
}
