package robotmain

import (
	"fmt"
	"syscall"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// Open files of a live robot: 13 at rest with one client of each listener, and some more. Beyond that each connection takes one: with fewer files
// than the listeners of page and metrics may take, a storm of connections could leave none for the emergency stop.
const (
	leastFiles  = 32 + control.MaxControlConnections + control.MaxMetricsConnections
	enoughFiles = 256
)

// checkFiles refuses a limit of open files with which the robot may be unable to answer its emergency stop, and warns of one that many
// connections exhaust. The runtime has raised the soft limit to the hard one before.
func checkFiles(limit uint64) (warning string, err error) {
	const remedy = "raise it with ulimit -n, or with LimitNOFILE= in a unit file"
	switch {
	case limit < leastFiles:
		return "", fmt.Errorf("the limit of open files is %d, and a live robot needs at least %d: %s", limit, leastFiles, remedy)
	case limit < enoughFiles:
		return fmt.Sprintf("the limit of open files is %d, and many connections need up to %d: %s", limit, enoughFiles, remedy), nil
	}
	return "", nil
}

// filesLimit is the limit of open files, or as many as anybody needs if the system does not tell.
func filesLimit() uint64 {
	var r syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r) != nil {
		return enoughFiles
	}
	return r.Cur
}
