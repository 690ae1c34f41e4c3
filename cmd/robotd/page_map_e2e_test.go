//go:build e2e

package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// aMap makes the believed map of a robot that turned by a quarter since its frame began, at several instants.
const aMap = `import('/world/map.js').then(({ newBelievedMap, strokes }) => {
	const believed = newBelievedMap();
	const marks = ['edge', 'obstacle', 'bump'].map((kind, i) => ({ kind, x_mm: 100 * i, y_mm: 0, heading_rad: 0, radius_mm: 20, met: 1, at_s: 10 }));
	const map = { sigma_mm: 8, across_mm: 3, axis_rad: 0.5, marks, objects: [{ id: 2, kind: 'cube', x_mm: 50, y_mm: 20, heading_rad: 0, sigma_mm: 5 }] };
	const at = (time_s, x) => ({ time_s, map, body: { pose: { x_mm: x, y_mm: 0, heading_rad: 0 } }, world: { believed: { x_mm: 10, y_mm: 20 + x, heading_rad: Math.PI / 2 } } });
	const first = believed(at(10, 0));
	return JSON.stringify({
		Same: believed(at(10.4, 30.2)) === first, New: first.marks.map((m) => m.alpha), Old: believed(at(4000, 30)).marks.map((m) => m.alpha),
		Some: believed(at(130, 30)).marks.map((m) => m.alpha), Place: [first.marks[1].x, first.marks[1].y], Sure: first.sure, Lines: strokes(first).length,
		Without: newBelievedMap()({ time_s: 1, body: { pose: { x_mm: 0, y_mm: 0, heading_rad: 0 } } }) === null,
		Recorded: newBelievedMap()({ ...at(10, 0), map: { sigma_mm: 8, marks: [] } }).sure,
	});
})`

// TestBelievedMapFadesAndStaysWhileTheRobotDrives checks what the page makes of the map of a state.
func TestBelievedMapFadesAndStaysWhileTheRobotDrives(t *testing.T) {
	t.Parallel()
	v := visitAt(t, flat)
	text, err := chromedp.Run(v.ctx, chromedp.Evaluate[string](aMap, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Same, Without                         bool
		New, Old, Some, Place, Sure, Recorded []float64
		Lines                                 int
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	if !m.Same || !m.Without || m.Lines < 40 {
		t.Errorf("the map is made anew while the robot drives, or is there without one: %s", text)
	}
	near := func(what string, got []float64, want ...float64) {
		t.Helper()
		for i, w := range want {
			if len(got) != len(want) || math.Abs(got[i]-w) > 0.1 {
				t.Errorf("%s: %v, want %v", what, got, want)
				return
			}
		}
	}
	near("opacity of what was just met", m.New, 1, 1, 1)
	near("opacity after an hour", m.Old, 0.3, 0.3, 0.3)
	if m.Some[0] <= m.Some[1] || m.Some[1] <= m.Some[2] {
		t.Errorf("after two minutes edge, obstacle and bump have %v: what is forgotten sooner is to be paler", m.Some)
	}
	near("place of the obstacle", m.Place, 10, 120)
	near("half axes of two sigmas, and their direction", m.Sure, 16, 6, 0.5+math.Pi/2)
	near("the same of an old recording", m.Recorded, 16, 16, math.Pi/2)
}

// TestPageWorldTiltsTheRobotThatStandsOnTheCharger checks that the drawn robot stands on the tongue with its nose down, and level beside it.
func TestPageWorldTiltsTheRobotThatStandsOnTheCharger(t *testing.T) {
	t.Parallel()
	v := visit(t)
	v.until(`document.querySelector('.w3').dataset.view === '3d'`)
	v.stop()
	v.do(chromedp.Evaluate[chromedp.Void](`fetch('/v1/state').then((r) => r.json()).then((s) => { window.charger = s.world.charger; })`))
	v.until(`window.charger !== undefined`)
	place := func(mm string) {
		v.do(chromedp.Evaluate[chromedp.Void](`(async () => {
			const c = window.charger, body = { act: 'place', x_mm: c.x_mm + ` + mm + ` * Math.cos(c.heading_rad), y_mm: c.y_mm + ` + mm + ` * Math.sin(c.heading_rad), heading_rad: c.heading_rad };
			await fetch('/v1/world', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
		})()`))
	}
	const pitch = `Number(document.querySelector('.w3').dataset.tilt.split(' ')[1])`
	place("27")
	v.until(pitch + ` < -0.1 && ` + pitch + ` > -0.14`)
	v.keep("world-ramp.png")
	place("250")
	v.until(pitch + ` === 0`)
}

// crowded gives the map of each state a thousand marks, before the page's own scripts run.
const crowded = `(() => {
	const really = window.EventSource;
	const kinds = ['edge', 'obstacle', 'bump'];
	const marks = Array.from({ length: 1000 }, (_, i) => ({ kind: kinds[i % 3], x_mm: 40 * (i % 32) - 620, y_mm: 26 * Math.floor(i / 32) - 400, heading_rad: i, radius_mm: 15, met: 1, at_s: i / 100 }));
	window.EventSource = class extends really {
		addEventListener(name, take) {
			super.addEventListener(name, (e) => {
				if (!e.data) return take(e);
				const data = JSON.parse(e.data);
				if (data.map) data.map.marks = marks;
				take({ data: JSON.stringify(data) });
			});
		}
	};
})();`

// TestPageWorldDrawsAThousandMarksCheaply bounds the script of a frame while the map is eight times as full as a robot's can be.
func TestPageWorldDrawsAThousandMarksCheaply(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		address string
		in      *chromium
	}{"in depth": {"", inDepth}, "from above": {flat, inPlane}} {
		t.Run(name, func(t *testing.T) {
			c.in.enter(t)
			url := liveRobot(t)
			v := browse(t, c.in)
			v.before(crowded)
			if _, err := chromedp.Call(v.ctx, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}); err != nil {
				t.Fatal(err)
			}
			v.do(chromedp.Navigate(url + c.address))
			v.until(atLive)
			v.until(`document.querySelector('.w3')?.w3.script.length > 3`)
			v.keep("world-crowded" + strings.Trim(c.address, "?") + ".png")
			v.do(chromedp.Evaluate[chromedp.Void](watching))
			frames, script := v.number("window.cost.frames"), v.scriptMS()
			v.wait("3000")
			frames, script = v.number("window.cost.frames")-frames, v.scriptMS()-script
			each := script / max(frames, 2*leastFrames)
			t.Logf("%.2f ms of script a frame (%.0f frames)", each, frames)
			if each > maxScriptMS*slowness() {
				t.Errorf("%.1f ms of script a frame", each)
			}
		})
	}
}
