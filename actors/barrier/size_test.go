package barrier

import (
	"testing"
	"unsafe"
)

// What every tick touches for each behavior stays in as few cache lines as it has.
func TestMailboxIsOneCacheLine(t *testing.T) {
	if size := unsafe.Sizeof(mailbox{}); size != 64 {
		t.Errorf("%d bytes", size)
	}
}
