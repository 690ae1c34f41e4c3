//go:build kernel

package ktest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/linux"
)

// Of the environment of a child: the node of its bus, and the chip of its line.
const (
	childBus  = "KTEST_BUS"
	childChip = "KTEST_CHIP"
)

// child holds a line and a bus until it is killed. It reports whether this process is one.
func child() bool {
	node, chip := os.Getenv(childBus), os.Getenv(childChip)
	if node == "" {
		return false
	}
	bus, err := linux.OpenI2C(linux.I2CConfig{Name: "main", Device: node})
	if err == nil {
		err = bus.Tx(echo, []byte{0}, nil)
	}
	if err == nil {
		_, err = linux.NewLines("child", []linux.LineConfig{{Name: "P3", Chip: chip, Offset: 3}}).Output("P3", true)
	}
	fmt.Println("ready", err)
	select {}
}

func TestKilledProcessGivesItsLinesAndItsBusBack(t *testing.T) {
	br, node := plug(t, emul.NewBus("empty", nil, 1))
	chip := chipOf(t, node)
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), childBus+"="+node, childChip+"="+chip)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	said, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	if said != "ready <nil>\n" {
		t.Fatal(said)
	}
	l := linux.NewLines("robotd", []linux.LineConfig{{Name: "P3", Chip: chip, Offset: 3}})
	if _, err := l.Input("P3"); err == nil {
		t.Error("the line is free while a process holds it")
	}
	must(t, cmd.Process.Kill())
	_ = cmd.Wait() // it was killed
	out3, high := br.pins.driven(3)
	t.Logf("after the kill the pin is driven %t, high %t", out3, high)
	if !out3 || !high {
		t.Error("the driver of the CP2112 lets go of released outputs: say so in hardware/README.md")
	}
	line, err := l.Output("P3", false)
	must(t, err)
	if _, high := br.pins.driven(3); high {
		t.Error("the next process cannot pull the line low")
	}
	must(t, line.Close())
}
