package emul

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"
)

// receive takes what came, line by line.
func (b *UGV) receive(now time.Time) {
	b.down.keep(now, ugvReceive)
	var p [ugvReceive]byte
	for _, c := range p[:b.down.take(now, p[:])] {
		if c != '\n' {
			b.line = append(b.line, c)
			continue
		}
		if b.echo {
			b.print(now, string(b.line))
		}
		b.command(now, b.line)
		b.line = b.line[:0]
	}
}

// ugvArgs are the fields of a command.
type ugvArgs map[string]any

// number is a field as a number; false if it is none.
func (a ugvArgs) number(key string) (float64, bool) {
	v, ok := a[key].(float64)
	return v, ok
}

// or0 is a field as a number, 0 if it is none.
func (a ugvArgs) or0(key string) float64 {
	v, _ := a.number(key)
	return v
}

// kind is the field T, which may be a text.
func (a ugvArgs) kind() int {
	if s, ok := a["T"].(string); ok {
		n, _ := strconv.Atoi(s)
		return n
	}
	return int(a.or0("T"))
}

// command carries out a line. What is no object, or too long, is dropped without a word.
func (b *UGV) command(now time.Time, line []byte) {
	var a ugvArgs
	if len(line) > ugvDocument || json.Unmarshal(line, &a) != nil {
		return
	}
	if _, ok := a["T"]; !ok {
		return
	}
	if b.motion(now, a) || b.setting(now, a) {
		return
	}
	switch a.kind() {
	case 3:
		if i, text := int(a.or0("lineNum")), a["Text"]; i >= 0 && i < len(b.screen) {
			b.screen[i], _ = text.(string)
			b.drawn()
		}
	case -3:
		b.screen, b.voltsAt = [4]string{}, time.Time{}
		b.drawn()
	case 126:
		b.inertial(now)
	case 130:
		b.base(now)
	case 132:
		b.lamps = [2]float64{clampTo(a.or0("IO4"), 255) / 255, clampTo(a.or0("IO5"), 255) / 255}
		if b.body.Lamps != nil {
			b.body.Lamps(b.lamps[0], b.lamps[1])
		}
	case 600:
		b.reset(now)
	}
}

func (b *UGV) drawn() {
	if b.body.Screen != nil {
		b.body.Screen(b.screen)
	}
}

// motion carries out the commands that move the wheels.
func (b *UGV) motion(now time.Time, a ugvArgs) bool {
	switch a.kind() {
	case 0:
		if b.opt.ROS {
			b.want = [2]float64{}
		}
	case 1:
		l, okL := a.number("L")
		r, okR := a.number("R")
		if okL && okR {
			b.moved(now)
			b.speeds(l, r)
		}
	case 11:
		b.moved(now)
		b.pid = false
		b.raw = [2]float64{clampTo(a.or0("L"), ugvFull), clampTo(a.or0("R"), ugvFull)}
	case 13:
		if !b.opt.ROS { // the hole: in the ROS firmware it neither restarts the time-out nor re-arms it
			b.moved(now)
		}
		x, turn := a.or0("X"), a.or0("Z")*ugvKindOf(b.opt.ROS, b.main).tread/2
		b.speeds(x-turn, x+turn)
	case 115:
		b.out = [2]float64{}
		b.write(b.out)
	default:
		return false
	}
	return true
}

// moved restarts the time-out.
func (b *UGV) moved(now time.Time) { b.motionAt, b.stoppedOnce = now, false }

// speeds sets what both sides are to do. With speed control a speed beyond 2 m/s is ignored, and the old one stays.
func (b *UGV) speeds(l, r float64) {
	if b.closedLoop() && (math.Abs(l) > 2 || math.Abs(r) > 2) {
		return
	}
	b.pid, b.blink = true, !b.closedLoop()
	b.want = [2]float64{l, r}
}

// setting carries out the commands that change how the board behaves.
func (b *UGV) setting(now time.Time, a ugvArgs) bool {
	cmd := a.or0("cmd")
	switch a.kind() {
	case 2:
		b.p, b.i = a.or0("P"), a.or0("I")
	case 4:
		b.module = int(cmd)
	case 131:
		b.flow = cmd != 0
	case 136:
		b.timeout = int64(cmd)
	case 138:
		b.rate = [2]float64{a.or0("L"), a.or0("R")}
	case 142:
		b.gap = time.Duration(cmd) * time.Millisecond
	case 143:
		b.echo = cmd != 0
	case 605:
		b.info = int(cmd)
	case 900:
		b.main, b.module = int(a.or0("main")), int(a.or0("module"))
		if b.info == 1 {
			b.print(now, fmt.Sprintf("main type: %d module: %d", b.main, b.module))
		}
	default:
		return false
	}
	return true
}
