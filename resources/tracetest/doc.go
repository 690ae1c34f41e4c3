// Package tracetest reads and runs trace files: what is done to a stack, an engine, whole behaviors or an action list, and
// what must come of it. It is imported by tests only, and imports nothing of ours, so that every layer can use it: actions as
// well as behaviors and actors.
//
//	# A comment. It belongs to what follows it.
//	case L-7 M-14: A delegation opens the scope of the delegate's own delegates,
//	  then activates it.
//	tree
//	  R -> A
//	  A -> B
//	----
//	ok
//
//	tick
//	----
//	R.OnEnteredActivatableScope
//	R.WantsToBeActivated yes
//	A.OnEnteredActivatableScope
//	R.OnActivated
//	R.Update
//	A.Update in scope
//
//	tick
//	  R.Update: ask A; delegate A; delegate B
//	----
//	R.Update
//	  A.WantsToBeActivated yes
//	  B.OnEnteredActivatableScope
//	  A.OnActivated
//	  ! delegate B: not_in_control
//	A.Update
//	B.Update in scope
//
// A file is a list of cases. The title of a case begins with the rules that it shows and a colon; what stands before the colon
// names the subtest. A case is a list of blocks, each a number of commands, ----, and the lines that come of all of them, "ok"
// if none does. An empty line ends a block. An indented line belongs to the command or to the title above it: it is the input
// of the command, or the title goes on. A comment is a line of its own.
//
// The environment of a package carries out the commands and says what its own are: stacktest.RunFile, enginetest.RunFile,
// behaviortest.RunTraces, actiontest.RunFiles. The same thing has the same word in each of them:
//
//	tick [N]               one tick, or N: stack and engine print the last of them, behaviors each in which something happened
//	tree                   makes behaviors that do what scripts say
//	event NAME [text]      an event of the next tick
//	intent TAG [key=value] a user intent of the next tick
//	run ID, cancel         commands of an operator, for the next tick
//	hold on|off            the robot is lifted off its treads, or put down
//	result ACTION RESULT   how the action ends when it is stepped next
//	stack                  the layers, base first, and what else is in scope
//
// A script says what a hook does in its next call: "ID.Hook: step; step". The hooks are those of package stack, by the names that
// stack.Hook gives them, and the parts of an Update; see [Hooks] and [Parts]. The lines that come out are
//
//	A.OnActivated          a hook of A; below it, indented, is what happened inside
//	A.OnActivated (resumed)            with what else is known of it
//	A.WantsToBeActivated yes           a question with its answer
//	B.Update in scope                  an Update of what is not activated
//	A.HandleWhileActivated poked       a part of an Update with what it was given
//	! delegate B: hidden   a request that came to nothing, and why; outside its hook with the behavior: "! A: delegate B: hidden"
//	* A.replaced           a fact that no hook shows. With the name of a hook: it happened to A although A could not be told
//	A: working             the debug state of A is another one now
//	ended job: SUCCESS     an action ended; with its owner, if it has one, in front
//	facts: …  held: …  stack: …        answers to questions
//	VIOLATED …             a broken invariant
//
// [Run] runs a file. A case fails with its shortest prefix that fails. With rewrite, what comes out replaces what was expected;
// the commit of such a file explains the difference.
package tracetest
