package sim

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// afternoon lets a robot stand among people for a while, and notes what they do, by what the world shows of it.
func afternoon(t *testing.T, seed uint64, people People, span time.Duration) (log []string, w *world) {
	t.Helper()
	r := New(Options{Seed: seed, Now: epoch, Alone: true, People: people, StartOffCharger: true, BatteryRatio: 1})
	last := ""
	for at := time.Duration(0); at < span; at += 200 * time.Millisecond {
		r.with(func(world *world) {
			w = world
			w.advance(epoch.Add(at))
		})
		present := 0
		for _, p := range w.people {
			if p.present {
				present++
			}
		}
		now := fmt.Sprintf("people %d touched %t held %t shaken %t cubes", present, w.touched, w.mode == held, w.shaking)
		for _, c := range w.cubes {
			now += fmt.Sprintf(" %.0f,%.0f", c.pose.XMM, c.pose.YMM)
		}
		if now != last {
			log = append(log, fmt.Sprintf("%v %s", at, now))
		}
		last = now
		for _, u := range r.Said() {
			log = append(log, fmt.Sprintf("%v said %+v", at, u))
		}
	}
	return log, w
}

func count(log []string, part string) (n int) {
	for _, line := range log {
		if strings.Contains(line, part) {
			n++
		}
	}
	return n
}

// Busy people do everything that they can within an hour, the same in equal worlds, and never lose the robot.
func TestBusyPeopleDoEverythingAndTheSameInEqualWorlds(t *testing.T) {
	for seed := range uint64(4) {
		log, w := afternoon(t, seed, BusyPeople, time.Hour)
		for _, part := range []string{"people 0", "people 2", "touched true", "held true", "shaken true", "Wake:true", "Intent:come_here", "Intent:dance"} {
			if count(log, part) == 0 {
				t.Errorf("seed %d: never %s", seed, part)
			}
		}
		if w.falls > 0 || w.mode != standing {
			t.Errorf("seed %d: %d falls, mode %v at the end", seed, w.falls, w.mode)
		}
		if again, _ := afternoon(t, seed, BusyPeople, time.Hour); !slices.Equal(log, again) {
			t.Errorf("seed %d: another afternoon", seed)
		}
	}
}

// Few people come and go, and do nothing else; without people nobody comes.
func TestFewPeopleOnlyLook(t *testing.T) {
	log, _ := afternoon(t, 1, FewPeople, 20*time.Minute)
	if count(log, "people 1") == 0 || count(log, "said")+count(log, "touched true")+count(log, "held true") > 0 {
		t.Errorf("few people: %v", log)
	}
	if log, _ = afternoon(t, 1, NoPeople, 20*time.Minute); len(log) != 1 {
		t.Errorf("nobody: %v", log)
	}
}

// Somebody who has lifted the robot sets it down again; people leave a robot alone that charges.
func TestLiftedRobotIsSetDownAndChargingOneIsLeftAlone(t *testing.T) {
	w := newWorld(Options{Seed: 1, Now: epoch, People: BusyPeople, StartOffCharger: true})
	w.run(1)
	w.lift(&w.company)
	w.reschedule() // as after every event
	if w.mode != held {
		t.Fatal("not lifted")
	}
	w.run(w.n + steps(8*time.Second))
	if w.mode != standing {
		t.Error("not set down")
	}
	w = newWorld(Options{Seed: 1, Now: epoch, People: BusyPeople})
	w.run(steps(time.Second))
	w.onContacts = true
	w.lift(&w.company)
	w.shakeUp(&w.company)
	if w.mode != standing {
		t.Error("a charging robot was lifted")
	}
}

// What nobody takes is lost from the oldest on.
func TestUtterancesThatNobodyTakesAreBounded(t *testing.T) {
	w := newWorld(Options{Seed: 1, Now: epoch})
	for i := range maxSaid + 3 {
		w.say(Utterance{Intent: fmt.Sprint(i)})
	}
	if said := w.company.said; len(said) != maxSaid || said[0].Intent != "3" {
		t.Errorf("%v", said)
	}
}

func TestParsePeopleKnowsEachName(t *testing.T) {
	for _, name := range PeopleNames() {
		if p, err := ParsePeople(name); err != nil || p.String() != name {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
	if _, err := ParsePeople("bsy"); err == nil || err.Error() != `there are no "bsy" people; valid: [busy few none]` {
		t.Error(err)
	}
}
