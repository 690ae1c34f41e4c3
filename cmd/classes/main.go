// Command classes writes classes_gen.go, the list of the behavior classes of a package and of those below it. It is run by go generate:
//
//	//go:generate go run github.com/robotd/robotd/cmd/classes
//
// It takes the folder of the package, or the present one. A broken convention is told with file, line and reason; then nothing is written.
package main

import (
	"fmt"
	"os"

	"github.com/robotd/robotd/behaviors/classgen"
)

func main() {
	dir := "."
	switch len(os.Args) {
	case 1:
	case 2:
		dir = os.Args[1]
	default:
		fmt.Fprintln(os.Stderr, "usage: classes [DIR]")
		os.Exit(2)
	}
	if _, err := classgen.Write(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
