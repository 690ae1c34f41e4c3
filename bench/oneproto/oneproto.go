// Package oneproto lets protoactor and hollywood live in one process: both register messages of the same protobuf names, which
// ends the process unless the environment says otherwise. It needs package os alone, and its path sorts before protobuf's,
// so the language initializes it first.
package oneproto

import "os"

func init() {
	if err := os.Setenv("GOLANG_PROTOBUF_REGISTRATION_CONFLICT", "ignore"); err != nil {
		panic(err)
	}
}
