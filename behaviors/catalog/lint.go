package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

// The lint finds what every reader accepts and nobody can have meant. A behavior in whose object a reader found anything is left out.

// A subject is one behavior of the lint.
type subject struct {
	*Entry
	o *resources.Object
	i *behaviors.Instance
}

// lint looks at every behavior, and at all of them together.
func (b *builder) lint(docs []*resources.Document) {
	b.byID = make(map[string]*subject, len(b.subjects))
	for i := range b.subjects {
		b.byID[b.subjects[i].ID] = &b.subjects[i]
	}
	for i := range b.subjects {
		s := &b.subjects[i]
		b.lintList(s)
		b.lintModifiers(s)
		b.lintGates(s)
	}
	for _, d := range docs {
		b.lintConditions(d)
	}
	b.lintCircles()
}

// found reports a finding of the lint at a place of the subject's file.
func (b *builder) found(file string, at resources.Pos, s resources.Severity, code, hint, format string, args ...any) {
	b.diags.Add(resources.Diagnostic{
		File: file, Line: at.Line, Col: at.Col, Severity: s, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint,
	})
}

// lintList looks at the list that a chooser chooses from.
func (b *builder) lintList(s *subject) {
	c, ok := s.i.Choosing()
	if !ok {
		return
	}
	v, _ := s.o.Peek(c.Key)
	elems, _ := v.Array()
	if len(elems) != len(c.IDs) {
		return
	}
	if len(elems) == 0 {
		b.found(s.File, v.Pos(), resources.Error, "list-empty", "name a behavior", "%s: the list is empty: %s has nobody to give control to", c.Key, s.ID)
		return
	}
	b.lintPauses(s, c.Key, elems)
	if len(c.Weights) > 0 && slices.Max(c.Weights) <= 0 {
		b.found(s.File, v.Pos(), resources.Error, "weights-zero", "give one of them a chance", "%s: no entry has a weight or score above 0, so %s never chooses one", c.Key, s.ID)
	}
	if c.Ranked {
		b.lintRanks(s, c, elems)
	}
}

// lintPauses warns of pauses below zero that are not the usual sign for one run only.
func (b *builder) lintPauses(s *subject, key string, elems []resources.Value) {
	for i, v := range elems {
		o, ok := v.Object()
		if !ok {
			return
		}
		pause, _ := o.Peek("cooldown_s")
		if f, ok := pause.Float(); ok && f < 0 && f != -1 {
			b.found(s.File, pause.Pos(), resources.Warning, "cooldown-negative", "write -1 if that is meant",
				"%s[%d].cooldown_s: %g means never again after the first run", key, i, f)
		}
	}
}

// lintRanks looks for entries that never get their turn.
func (b *builder) lintRanks(s *subject, c behaviors.Choosing, elems []resources.Value) {
	first := make(map[string]int, len(elems))
	greedy := -1
	for i, id := range c.IDs {
		rests := i < len(c.Rests) && c.Rests[i]
		if n, twice := first[id]; twice {
			severity := resources.Error
			if n < len(c.Rests) && c.Rests[n] {
				severity = resources.Warning // it gets a turn while the first entry pauses
			}
			b.found(s.File, elems[i].Pos(), severity, "entry-twice", "remove one of them", "%s[%d]: %s stands in the list already, as entry %d, which is asked before", c.Key, i, id, n)
			continue
		}
		first[id] = i
		if greedy >= 0 && b.covers(c.IDs[greedy], id) {
			b.found(s.File, elems[i].Pos(), resources.Warning, "entry-unreachable", "put it in front of "+c.IDs[greedy],
				"%s[%d]: %s never gets its turn: %s stands in front of it, and always wants control", c.Key, i, id, c.IDs[greedy])
			continue
		}
		if greedy < 0 && !rests && b.alwaysWants(id) {
			greedy = i
		}
	}
}

func (b *builder) alwaysWants(id string) bool {
	s := b.byID[id]
	return s != nil && s.i.AlwaysWants()
}

// covers reports whether the operation modifiers let a want control wherever they let id.
func (b *builder) covers(a, id string) bool {
	x, xok := b.modifiers(a)
	y, yok := b.modifiers(id)
	return xok && yok && (x.WhenCarryingObject || !y.WhenCarryingObject) && (x.WhenOffTreads || !y.WhenOffTreads) && (x.WhenOnCharger || !y.WhenOnCharger)
}

// modifiers are those of a behavior after its class code; ok is false if they cannot be known.
func (b *builder) modifiers(id string) (m behaviors.Modifiers, ok bool) {
	s := b.byID[id]
	if s == nil {
		return m, false
	}
	return b.modifiersFrom(s, s.i.Written())
}

func (b *builder) modifiersFrom(s *subject, written behaviors.Modifiers) (m behaviors.Modifiers, ok bool) {
	known := true
	m, ok = s.i.ModifiersFrom(written, func(id string) behaviors.Modifiers {
		m, ok := b.codeModifiers(id)
		known = known && ok
		return m
	})
	return m, ok && known
}

// codeModifiers are what class code alone says of a behavior (P-3). One that is reached from itself counts as one that says nothing.
func (b *builder) codeModifiers(id string) (behaviors.Modifiers, bool) {
	if k, done := b.code[id]; done {
		return k.Modifiers, k.known
	}
	if b.code == nil {
		b.code = map[string]knownModifiers{}
	}
	b.code[id] = knownModifiers{behaviors.DefaultModifiers(), true}
	s := b.byID[id]
	if s == nil {
		b.code[id] = knownModifiers{}
		return behaviors.Modifiers{}, false
	}
	m, ok := b.modifiersFrom(s, behaviors.DefaultModifiers())
	b.code[id] = knownModifiers{m, ok}
	return m, ok
}

type knownModifiers struct {
	behaviors.Modifiers
	known bool
}

// lintModifiers looks for operation modifiers in the file that change nothing.
func (b *builder) lintModifiers(s *subject) {
	v, ok := s.o.Peek("behaviorModifiers")
	if !ok {
		return
	}
	o, ok := v.Object()
	if !ok {
		return
	}
	for _, key := range o.Keys() {
		field := modifierField(key)
		if field == nil {
			continue
		}
		with, other := s.i.Written(), s.i.Written()
		*field(&other) = !*field(&with)
		a, aok := b.modifiersFrom(s, with)
		z, zok := b.modifiersFrom(s, other)
		usual := behaviors.DefaultModifiers()
		switch {
		case !aok || !zok:
		case *field(&a) == *field(&z):
			b.found(s.File, o.KeyPos(key), resources.Warning, "modifier-no-effect", "remove it",
				"behaviorModifiers.%s has no effect: class %s decides, and says %t", key, s.Class.Name, *field(&a))
		case *field(&with) == *field(&usual):
			b.found(s.File, o.KeyPos(key), resources.Warning, "modifier-no-effect", "remove it", "behaviorModifiers.%s changes nothing: it is %t without being said", key, *field(&with))
		}
	}
}

// modifierField finds the operation modifier of a key that is true or false.
func modifierField(key string) func(m *behaviors.Modifiers) *bool {
	switch key {
	case "wantsToBeActivatedWhenCarryingObject":
		return func(m *behaviors.Modifiers) *bool { return &m.WhenCarryingObject }
	case "wantsToBeActivatedWhenOffTreads":
		return func(m *behaviors.Modifiers) *bool { return &m.WhenOffTreads }
	case "wantsToBeActivatedWhenOnCharger":
		return func(m *behaviors.Modifiers) *bool { return &m.WhenOnCharger }
	case "resumableInterrupt":
		return func(m *behaviors.Modifiers) *bool { return &m.ResumableInterrupt }
	}
	return nil
}

// forgetful are the condition types whose answer an activation may change, or which remember what they saw when they were asked, so that a
// gate and a cancel condition that read alike differ.
var forgetful = []string{
	"TimerInRange", "BecameTrueThisTick", "TimedDedup", "ObjectInitialDetection", "ObjectKnown", "BehaviorTimer", "UserIntentPending",
	"UserIntentActive", "AnyUserIntent", "TriggerWordPending", "BehaviorSuggested", "customCondition", "StuckOnEdge", "IlluminationDetected",
	"RobotPlacedOnSlope", "FacePositionUpdated", "ObjectPositionUpdated", "PetInitialDetection",
}

// forgets reports whether a gate and a cancel condition of this text may differ. Nobody knows what an added type remembers.
func (b *builder) forgets(text string) bool {
	names := func(name string) bool { return strings.Contains(text, `"`+name+`"`) }
	counted := names("numCliffDetectionsToTrigger") || names("shouldDetectNoCliffs") // else the body knows since when
	return slices.ContainsFunc(forgetful, names) || slices.ContainsFunc(b.classes.Conditions().Types(), names) ||
		names("CliffDetected") && names("minDuration_ms") && counted
}

// lintGates compares what lets a behavior begin with what ends it.
func (b *builder) lintGates(s *subject) {
	gate, begins := s.o.Peek("wantsToBeActivatedCondition")
	end, ends := s.o.Peek("wantsToCancelSelfCondition")
	if !ends {
		return
	}
	text := canonical(end)
	if text == always {
		b.found(s.File, end.Pos(), resources.Error, "gate-conflict", "", "wantsToCancelSelfCondition is always met: %s ends as soon as it begins", s.ID)
		return
	}
	if !begins || canonical(gate) != text || b.forgets(text) {
		return
	}
	b.found(s.File, end.Pos(), resources.Error, "gate-conflict", "one of them was meant as its opposite",
		"wantsToCancelSelfCondition equals wantsToBeActivatedCondition: %s ends as soon as it begins", s.ID)
}

var always = canonicalText(`{"conditionType":"` + condition.TypeTrue + `"}`)
