package device_test

import (
	"testing"
	"time"

	"periph.io/x/conn/v3/spi"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
)

// looksKit has lights on the data line of a SPI port, and a small panel on I²C.
const looksKit = `{
  "robot": "kit", "title": "Looks",
  "buses": {"main": {}},
  "ports": {"pixels": {"kind": "spi", "device": "SPI0.0", "speed_kHz": KHZ}},
  "chips": {"oled": {"chip": "ssd1306", "address": "0x3D"}},
  "parts": {
    "lights": {"driver": "ws2812", "port": "pixels", "count": 8, "order": "ORDER"},
    "display": {"driver": "ssd1306", "chip": "oled", "height": 32}
  },
  "body": {"front_mm": 100, "back_mm": 100, "width_mm": 150}
}`

// looks is that kit with what can be seen of it.
type looks struct {
	*kit
	port   *emul.SPI
	pixels []hardware.RGB
	rows   [1024]byte
	on     bool
}

func newLooks(t *testing.T, kHz, order string) *looks {
	l := &looks{kit: newKit(t, replaced(looksKit, "KHZ", kHz, "ORDER", order)), port: emul.NewSPI("SPI0.0")}
	l.port.Attach(emul.NewWS2812(8, order, func(all []hardware.RGB) { l.pixels = append(l.pixels[:0], all...) }))
	l.board.SPI = func(string) (spi.PortCloser, error) { return l.port.Open() }
	panel := emul.NewSSD1306(func(bits *[1024]byte, on bool) { l.rows, l.on = *bits, on })
	l.bus.Attach(0x3D, panel)
	return l
}

func TestPixelsShowTheColorsAtEachClock(t *testing.T) {
	red, blue := hardware.RGB{R: 255, G: 1}, hardware.RGB{B: 170, G: 85}
	for _, c := range []struct{ kHz, order string }{{"6400", "GRB"}, {"2400", "GRB"}, {"3200", "RGB"}} {
		l := newLooks(t, c.kHz, c.order)
		d := l.device(hardware.Lights)
		r := l.runner(d)
		l.apply(d, hardware.SetLights{Colors: [5]hardware.RGB{0: red, 4: blue}})
		r.Run(200*time.Millisecond, nil)
		want := []hardware.RGB{red, red, {}, {}, {}, {}, {}, blue}
		for i := range want {
			if len(l.pixels) != 8 || l.pixels[i] != want[i] {
				t.Fatalf("%s kHz, %s: lights show %v, want %v", c.kHz, c.order, l.pixels, want)
			}
		}
		if err := d.Halt(); err != nil || l.pixels[0] != (hardware.RGB{}) || l.pixels[7] != (hardware.RGB{}) {
			t.Errorf("after Halt: %v, %v", l.pixels, err)
		}
	}
}

func TestPixelsThatLostTheirPowerComeBack(t *testing.T) {
	l := newLooks(t, "6400", "GRB")
	d := l.device(hardware.Lights)
	r := l.runner(d)
	l.apply(d, hardware.SetLights{Colors: [5]hardware.RGB{{R: 9}}})
	r.Run(200*time.Millisecond, nil)
	l.pixels[0] = hardware.RGB{}
	r.Run(1100*time.Millisecond, nil)
	if l.pixels[0] != (hardware.RGB{R: 9}) {
		t.Errorf("lights show %v", l.pixels)
	}
}

func TestPixelsRefuseAClockThatMakesNoCode(t *testing.T) {
	for _, kHz := range []string{"1000", "12000"} {
		l := newLooks(t, kHz, "GRB")
		err := l.device(hardware.Lights).Open(l.clk)
		if err == nil || !contains(err.Error(), "want 2400 or 6400 kHz") {
			t.Errorf("%s kHz: %v", kHz, err)
		}
	}
}

func TestSmallPanelShowsTheFaceInHalfTheRows(t *testing.T) {
	l := newLooks(t, "6400", "GRB")
	d := l.device(hardware.Display)
	r := l.runner(d)
	l.apply(d, hardware.ShowFace{Face: hardware.FaceHappy})
	r.Run(300*time.Millisecond, nil)
	lit := func(from, to int) (n int) {
		for _, b := range l.rows[from:to] {
			for ; b != 0; b &= b - 1 {
				n++
			}
		}
		return n
	}
	if !l.on || lit(0, 512) < 100 || lit(512, 1024) != 0 {
		t.Errorf("on %v; %d pixels in the panel's rows, %d below", l.on, lit(0, 512), lit(512, 1024))
	}
	s, err := d.Poll(l.clk.Now())
	if err != nil || s.Value.(*hardware.DisplayState).Face != hardware.FaceHappy && s.Value.(hardware.DisplayState).Face != hardware.FaceHappy {
		t.Errorf("%+v, %v", s.Value, err)
	}
}

func TestKitLooksKeepTheContract(t *testing.T) {
	for _, name := range []string{hardware.Lights, hardware.Display} {
		t.Run(name, func(t *testing.T) {
			hwtest.Contract(t, func() (hardware.Device, *hwtest.Env) {
				l := newLooks(t, "6400", "GRB")
				env := &hwtest.Env{Clock: l.clk, Fresh: func() hardware.Device { return l.device(name) }}
				switch name {
				case hardware.Lights:
					env.Commands = []hardware.Command{hardware.SetLights{Colors: [5]hardware.RGB{{R: 255}}}}
					env.Break = func() { l.port.Unplug(true); l.clk.Sleep(time.Second) }
					env.Mend = func() { l.port.Unplug(false) }
				case hardware.Display:
					env.Commands = []hardware.Command{hardware.ShowFace{Face: "happy"}, hardware.DimFace{On: true}}
					env.Break = func() { l.bus.SetFault(0x3D, emul.Fault{Absent: true}); l.clk.Sleep(time.Minute) }
					env.Mend = func() { l.bus.SetFault(0x3D, emul.Fault{}) }
				}
				return l.device(name), env
			})
		})
	}
}
