package engine

import (
	"fmt"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/registry"
)

// OperatorOwner owns the actions that an operator asks for. No behavior has this name, because IDs begin with a letter.
const OperatorOwner = "(operator)"

// An operator queues actions for a person or a program. They are commands of the tick, so a replay makes the same ones.
type operator struct {
	tags actions.Tag // taken so far, of the range of app requests (TAG-1)
}

// operatorTags is the size of the range of tags.
const operatorTags = actions.FirstSDKTag - actions.FirstAppAutoTag

// do queues an action. In a slot of its own (IN_PARALLEL, which clients use) it is refused while somebody holds a track that it needs, unless the
// command interrupts: then the actions that hold one end first. A lock of a behavior itself is never taken away. The positions of slot 0 are those
// of section "queues": there the action waits behind those of behaviors, or displaces them, and theirs displace it (BEH-2).
func (o *operator) do(e *Engine, c *Command) (text, err string) {
	if e.halted {
		return "", resumeFirst
	}
	a, kind, bad := registry.Make(c.ID, c.Params, e.catalog.Animations)
	if bad != nil {
		return "", bad.Error()
	}
	if err := o.free(e, a, c); err != "" {
		return "", err
	}
	tag, bad := e.actions.Queue(a, actions.QueueOptions{
		Position: c.At, Retries: kind.Retries, Tag: o.next(e), Owner: OperatorOwner, First: c.At == actions.PositionInParallel,
	})
	if bad != nil {
		return "", bad.Error()
	}
	e.cancelled()
	return fmt.Sprintf("%s has tag %d", c.ID, tag), ""
}

// free ends the actions in the way if the command interrupts, and tells who still holds a track that a must lock now.
func (o *operator) free(e *Engine, a actions.Action, c *Command) (err string) {
	need := actions.Needs(a)
	if c.Interrupt {
		o.interrupt(e, need)
	}
	if tracks := e.actions.Tracks(); c.At == actions.PositionInParallel && tracks.AnyLocked(need) {
		return fmt.Sprintf("%s needs %v: %s", c.ID, need&tracks.Mask(), tracks.Who(need))
	}
	return ""
}

// interrupt ends every action that holds one of the tracks. Its owner hears of that as of any cancellation.
func (o *operator) interrupt(e *Engine, need actions.Tracks) {
	for _, info := range e.actions.Running() {
		if info.Tracks&need != 0 {
			e.actions.CancelTag(info.Tag)
		}
	}
	e.cancelled()
}

// next is a tag that no living action has.
func (o *operator) next(e *Engine) actions.Tag {
	for {
		tag := actions.FirstAppAutoTag + o.tags%operatorTags
		o.tags++
		if e.actions.Slot(tag) < 0 {
			return tag
		}
	}
}

// cancel ends one action, whoever owns it, or all of the operator.
func (o *operator) cancel(e *Engine, tag actions.Tag) (text, err string) {
	defer e.cancelled()
	if tag == actions.InvalidTag {
		if !e.actions.CancelOwner(OperatorOwner) {
			return "no action of the operator runs or waits", ""
		}
		return "every action of the operator ended", ""
	}
	if !e.actions.CancelTag(tag) {
		return "", o.unknownTag(e, tag)
	}
	return fmt.Sprintf("action %d ended", tag), ""
}

func (o *operator) unknownTag(e *Engine, tag actions.Tag) string {
	tags := make([]string, 0, 4)
	for _, info := range e.actions.Running() {
		tags = append(tags, fmt.Sprint(info.Tag))
	}
	return unknown("action with the tag", fmt.Sprint(tag), tags)
}
