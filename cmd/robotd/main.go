// Command robotd is the on-robot daemon: it runs the robot's behaviors, shows them on a live page, checks behavior files,
// and speaks to a running daemon. `robotd help` lists the commands.
package main

import (
	"context"
	"io"
	"os"
)

func main() { os.Exit(execute(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }

// execute runs one command line and returns its exit code.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot(stdout, stderr)
	root.SetArgs(args)
	return report(stderr, root.ExecuteContext(ctx))
}
