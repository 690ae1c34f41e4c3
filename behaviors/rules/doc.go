// Package rules lists the rules that this repository states and the tests that show them.
//
// A document ([Documents]) states rules by ID, in the words of a reader; it is the only place that does:
//
//	### L-13 Cancelling pops from the top
//
//	Several layers are popped one after the other, beginning at the top, each completely.
//
//	Not tested: only for a rule without a test, with the reason.
//
// A line "Not used: C-1 to C-6." tells which numbers of a family are left out. Which test shows a rule is said by the test itself:
// a test function lists the rules in its comment, a trace file (testdata/*.txt) in the title of a case. A case counts only if
// the comment of a test function says that it runs the file; mutations name such a case by that function.
//
//	// What is popped leaves scope first.
//	// Rules: L-11, L-13.
//	func TestPopOrder(t *testing.T) {
//
//	// The traces hold on the bare stack.
//	// Cases: testdata/*.txt.
//	func TestTraces(t *testing.T) {
//
// A citation is an ID anywhere in the tree; an ID of a family that two areas have is written with its area, such as actions/Q-3.
// The tests of this package check that what is cited exists, that every rule has a test or the reason why not, and that nothing
// refers to a document that is not in the tree. `make rules` prints the rules with their tests.
//
// mutations/*.txt holds mistakes that the tests of a rule must find. A mutation begins with a line "== rule: what is wrong", names
// the file and the test that must fail, and gives the lines that are replaced, comments after code aside, and what replaces them:
//
//	== L-7: scope opens after the activation
//	file behaviors/stack/request.go
//	test behaviors/stack TestTraces/push.txt
//	<<<<
//		s.enterAll(&l)
//	>>>>
//	====
//
// They are kept for what no operator can express: protocol, order, a statement left out. `make mutate` runs every mutation; that all of
// them compile is a test of its own. Changes of single operators are the business of gremlins (`make gremlins`, which is part of it):
// what no test of the package notices must be explained in survivors.txt, by function and code. No package imports this one.
package rules
