package behaviors

import (
	"fmt"
	"maps"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

// waits are the intents and conditions that class code adds to those of JSON while an instance is made (B-2, B-7).
type waits struct {
	sealed bool // the instance is made
	list   []condition.AwaitedIntent
	wants  []condition.Condition
}

// WaitForIntent makes the behavior respond to an intent by its tag, like respondToUserIntents. It reports false, and does
// nothing, for an empty tag or after New returned (B-7).
func (c *Config) WaitForIntent(tag string) bool {
	return c.wait(condition.AwaitedIntent{Tag: tag}, tag != "")
}

// WaitForIntentIf is WaitForIntent for intents that a predicate, which must change nothing, agrees to; nil is refused.
func (c *Config) WaitForIntentIf(tag string, test func(*condition.Intent) bool) bool {
	return c.wait(condition.AwaitedIntent{Tag: tag, Test: test}, tag != "" && test != nil)
}

// WaitForWholeIntent is WaitForIntent for intents that carry exactly this data.
func (c *Config) WaitForWholeIntent(tag string, data map[string]string) bool {
	return c.wait(condition.AwaitedIntent{Tag: tag, Data: maps.Clone(data), Whole: true}, tag != "")
}

func (c *Config) wait(w condition.AwaitedIntent, valid bool) bool {
	if !valid && !c.waits.sealed {
		c.Errorf(c.Pos(), "intent-unknown", "class %s waits for an intent without a tag or a predicate (B-7)", c.class.Name)
	}
	if !valid || c.waits.sealed {
		return false
	}
	c.waits.list = append(c.waits.list, w)
	return true
}

// ClearIntentWaits takes back the waits that code added. To have none is a warning.
func (c *Config) ClearIntentWaits() {
	if len(c.waits.list) == 0 {
		c.Warnf(c.Pos(), "intent-unknown", "class %s clears intent waits, but added none (B-7)", c.class.Name)
	}
	c.waits.list = nil
}

// AddWantsCondition adds a gate after those of JSON. It reports false after New returned, and for nil.
func (c *Config) AddWantsCondition(w condition.Condition) bool {
	if w == nil || c.waits.sealed {
		return false
	}
	c.waits.wants = append(c.waits.wants, w)
	return true
}

// AlwaysStreamline reports whether this instance leaves out the flourishes that the class has.
func (c *Config) AlwaysStreamline() bool { return c.streamlined }

// parser reads conditions with what the class provides.
func (c *Config) parser() condition.Parser { return condition.Parser{Predicates: c.class.Predicates} }

// addWaits takes over what the class added: intents join the condition of JSON, where any of them is enough; conditions come
// last.
func (i *Instance) addWaits(cfg *Config) {
	cfg.waits.sealed = true
	if list := cfg.waits.list; len(list) > 0 {
		if i.intent == nil {
			i.intent = condition.NewUserIntentPending()
			i.wants = append(i.wants, i.intent)
		}
		i.intent.Add(list...)
	}
	i.wants = append(i.wants, cfg.waits.wants...)
}

// codeWait are the intents that the code of one behavior waits for.
type codeWait struct {
	entry *Entry
	pos   resources.Pos
	tags  []string
}

func (c *Config) waitTags() []string {
	tags := make([]string, 0, len(c.waits.list))
	for _, w := range c.waits.list {
		tags = append(tags, w.Tag)
	}
	return tags
}

// checkWaits reports intents that code waits for and nobody declares.
func (b *builder) checkWaits() {
	if !b.boot {
		return
	}
	intents := wordsOf(b.cat.Boot.Intents)
	for _, w := range b.waits {
		for _, tag := range w.tags {
			if !intents.has[tag] {
				b.report(w.entry.File, w.pos, "intent-unknown",
					fmt.Sprintf("class %s of %s waits for intent %q, which %s does not declare", w.entry.Class.Name, w.entry.ID, tag, BootFile), tag, b.cat.Boot.Intents)
			}
		}
	}
}
