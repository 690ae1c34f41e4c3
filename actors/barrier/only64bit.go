//go:build 386 || arm || mips || mipsle

package barrier

// robotd runs on 64-bit systems only: the actor registry of protoactor-go indexes with a signed 32-bit hash and panics for
// half of all names. This line does not compile, on purpose.
var _ = robotd_needs_a_64_bit_system
