// Command initrd packs a static program as /init, with kernel modules and what they need in the order of loading, and other files, into the
// first file system of a Linux machine.
//
//	initrd OUT INIT MODULES-FOLDER [MODULE | NAME=FILE]...
package main

import (
	"fmt"
	"os"
	"strings"
)

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: initrd OUT INIT MODULES-FOLDER [MODULE | NAME=FILE]...")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4:]); err != nil {
		fmt.Fprintln(os.Stderr, "initrd:", err)
		os.Exit(1)
	}
}

func run(out, program, folder string, args []string) error {
	var wanted, others []string
	for _, a := range args {
		if strings.Contains(a, "=") {
			others = append(others, a)
		} else {
			wanted = append(wanted, a)
		}
	}
	order, err := resolve(folder, wanted)
	if err != nil {
		return err
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	a := archive{w: f}
	for _, dir := range []string{"dev", "proc", "sys", "tmp", "modules"} {
		a.folder(dir)
	}
	a.console("dev/console")
	a.file("init", program)
	for _, o := range others {
		name, path, _ := strings.Cut(o, "=")
		a.file(name, path)
	}
	for i, path := range order {
		a.file(fmt.Sprintf("modules/%02d.ko", i), path)
	}
	return a.close()
}
