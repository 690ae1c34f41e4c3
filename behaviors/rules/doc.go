// Package rules keeps account of the specification of the behavior stack: rules.txt names for every rule the tests that show it, and
// mutations/*.txt holds mistakes that those tests must find.
//
// A line of rules.txt is
//
//	L-7: behaviors/stack TestTraces/push.txt; behaviors/engine TestOrder
//	6.6/TestSnake.Uncontrolled: none: the product has no games
//
// A mutation begins with a line "== rule: what is wrong", names the file and the test that must fail, and gives the lines that are
// replaced and what replaces them:
//
//	== L-7: scope opens after the activation
//	file behaviors/stack/request.go
//	test behaviors/stack TestTraces/push.txt
//	<<<<
//		s.enterAll(&l)
//	>>>>
//	====
//
// The tests of this package check that the lists are complete and fit the code; `make mutate` runs every mutation. It is imported by
// nobody.
package rules
