package setup

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// The kernel's numbers (getrlimit(2), capabilities(7), mlockall(2)).
const (
	rlimitMemlock = 8
	rlimitRTPrio  = 14
	capIPCLock    = 14
	capSysNice    = 23
	lockOnFault   = 4
)

// LockMemory keeps all memory of the process in RAM from its first use on, so that no tick waits for a disk. Under a finite limit it locks
// nothing: the runtime would later be refused memory, and die.
func LockMemory() error {
	if err := mayLock(); err != nil {
		return err
	}
	if err := syscall.Mlockall(syscall.MCL_CURRENT | syscall.MCL_FUTURE | lockOnFault); err != nil {
		return fmt.Errorf("mlockall: %w", err)
	}
	return nil
}

// NotPermitted tells what --realtime would not get of this process's permissions, and what it needs.
func NotPermitted() (missing []string) {
	for _, err := range []error{mayRealtime(), mayLock()} {
		if err != nil {
			missing = append(missing, err.Error())
		}
	}
	return missing
}

func mayLock() error {
	if limit := limitOf(rlimitMemlock); limit != math.MaxUint64 && !capable(capIPCLock) {
		return fmt.Errorf("memory is not locked: RLIMIT_MEMLOCK is %d bytes; it needs CAP_IPC_LOCK or no limit, as LimitMEMLOCK=infinity of a unit file", limit)
	}
	return nil
}

func mayRealtime() error {
	if limitOf(rlimitRTPrio) < 1 && !capable(capSysNice) {
		return fmt.Errorf("no real-time thread: RLIMIT_RTPRIO is 0; it needs CAP_SYS_NICE or at least 1, as LimitRTPRIO=1 of a unit file")
	}
	return nil
}

// limitOf is a soft limit; the highest number if there is none.
func limitOf(resource int) uint64 {
	var r syscall.Rlimit
	if syscall.Getrlimit(resource, &r) != nil {
		return 0
	}
	return r.Cur
}

// capable reports whether a capability is effective.
func capable(number uint) bool {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return false
	}
	for _, line := range strings.Split(string(status), "\n") {
		if text, ok := strings.CutPrefix(line, "CapEff:"); ok {
			set, err := strconv.ParseUint(strings.TrimSpace(text), 16, 64)
			return err == nil && set&(1<<number) != 0
		}
	}
	return false
}
