package behaviors

import (
	"maps"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

// waits holds the intents and conditions that class code adds to those of JSON while an instance is made (B-2, B-7).
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
	c.waits.wants = append(c.waits.wants, condition.Adopt(w))
	return true
}

// AlwaysStreamline reports whether this instance leaves out the flourishes that the class has.
func (c *Config) AlwaysStreamline() bool { return c.streamlined }

// parser reads conditions, with the predicates of the class and the types of the program.
func (c *Config) parser() condition.Parser {
	return condition.Parser{Predicates: c.class.Predicates, Types: c.class.conditions}
}

// ParseConditionWith is [Config.ParseCondition] with the conditions that "customCondition" may name.
func (c *Config) ParseConditionWith(o *resources.Object, custom map[string]condition.Condition) condition.Condition {
	p := c.parser()
	p.Custom = custom
	return p.Parse(o)
}

// addWaits adds what the class waits for: its intents join those of JSON, of which any one is enough; its conditions come last.
func (i *Instance) addWaits(cfg *Config) {
	cfg.waits.sealed = true
	if list := cfg.waits.list; len(list) > 0 {
		if i.intentAt == 0 {
			i.respond(condition.NewUserIntentPending())
		}
		i.intent().Add(list...)
	}
	i.wants = append(i.wants, cfg.waits.wants...)
}

func (c *Config) waitTags() []string {
	tags := make([]string, 0, len(c.waits.list))
	for _, w := range c.waits.list {
		tags = append(tags, w.Tag)
	}
	return tags
}
