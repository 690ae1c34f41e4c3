//go:build kernel

package ktest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// TestMain is the first process of the machine. It makes a system of it, runs the tests, and switches the machine off.
func TestMain(m *testing.M) {
	if os.Getpid() != 1 {
		if !child() {
			fmt.Fprintln(os.Stderr, "this is a first process: run it by make test-kernel")
			os.Exit(2)
		}
		return
	}
	runtime.GOMAXPROCS(8) // else the bridge waits until the runtime notices that a driver waits for the bridge in a system call
	code := 1
	if err := start(); err != nil {
		fmt.Println("ktest:", err)
	} else {
		code = m.Run()
	}
	fmt.Printf("KTEST-RC=%d\n", code)
	unix.Sync()
	_ = unix.Reboot(unix.LINUX_REBOOT_CMD_RESTART)
	select {}
}

// start mounts the kernel's file systems and loads the modules.
func start() error {
	for _, m := range []struct{ kind, at string }{{"proc", "/proc"}, {"sysfs", "/sys"}, {"devtmpfs", "/dev"}, {"tmpfs", "/tmp"}} {
		if err := unix.Mount(m.kind, m.at, m.kind, 0, ""); err != nil {
			return fmt.Errorf("mount %s: %w", m.at, err)
		}
	}
	if err := loopback(); err != nil {
		return fmt.Errorf("loopback: %w", err)
	}
	modules, err := filepath.Glob("/modules/*.ko")
	if err != nil || len(modules) == 0 {
		return fmt.Errorf("no modules: %w", err)
	}
	slices.Sort(modules)
	for _, path := range modules {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		if err := unix.FinitModule(int(f.Fd()), "", 0); err != nil {
			return fmt.Errorf("load %s: %w", path, err)
		}
		f.Close()
	}
	return nil
}

// loopback switches the network of the machine with itself on.
func loopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	lo.SetUint16(unix.IFF_UP)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo)
}
