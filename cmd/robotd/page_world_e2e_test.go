//go:build e2e

package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// nearTrue is an expression that tells whether the drawn robot stands where the newest state says.
const nearTrue = `(async () => {
	const [x, y] = (document.querySelector('.w3').dataset.robot || '').split(' ').map(Number);
	const { robot } = (await (await fetch('/v1/state')).json()).world;
	return Math.hypot(x - robot.x_mm, y - robot.y_mm) < 25;
})()`

// TestPageWorldDrawsTheRobotWhereItIs checks that the robot on the picture follows the state, and that the picture rests when nothing
// moves.
func TestPageWorldDrawsTheRobotWhereItIs(t *testing.T) {
	t.Parallel()
	v := visit(t)
	v.until(`document.querySelector('.w3').dataset.view === '3d'`)
	v.stop()
	v.post("/v1/world", `{"act":"place","x_mm":200,"y_mm":150,"heading_rad":1}`)
	v.until(`(document.querySelector('.w3').dataset.robot || '').startsWith('200 150 1.0')`)
	v.post("/v1/world", `{"act":"place","x_mm":300,"y_mm":-100,"heading_rad":-1}`)
	v.until(`(document.querySelector('.w3').dataset.robot || '').startsWith('300 -100 -1.0')`)
	v.eventually(nearTrue)
	v.until(`!document.querySelector('.w3-belief').hidden`) // it was moved without being lifted, and does not know it
	v.until(`[...document.querySelectorAll('.w3 [data-preset]')].map((b) => b.dataset.preset).join() === 'follow,table,top'`)
	v.do(chromedp.Click(".w3 [data-preset=table]"))
	v.until(`document.querySelector('.w3').dataset.camera === 'table'`)
	v.keep("world-table.png")
}

// TestPageWorldShowsADeadCliffSensorAsDead checks that no dot stays green while its sensor does not answer.
func TestPageWorldShowsADeadCliffSensorAsDead(t *testing.T) {
	t.Parallel()
	v := visit(t)
	v.until(`document.querySelector('.w3').dataset.cliffs === 'floor floor floor floor'`)
	v.post("/v1/fault", `{"device":"cliff","kind":"absent","seconds":0}`)
	v.until(`document.querySelector('.w3').dataset.cliffs === 'lost lost lost lost'`)
	v.keep("world-cliff.png")
	v.post("/v1/faults/clear", `{}`)
	v.until(`!document.querySelector('.w3').dataset.cliffs.includes('lost')`)
}

// at is an expression for a point of the page, as "x,y": where a point of the world is seen.
func at(x, y, z string) string {
	return fmt.Sprintf(`(() => {
		const root = document.querySelector('.w3'), box = root.getBoundingClientRect(), p = root.w3.project([%s, %s, %s]);
		return [box.left + p.x, box.top + p.y].join();
	})()`, x, y, z)
}

// TestPageWorldHandMovesRobotAndCube checks that a drag carries the robot and puts it down, that a drag moves the cube that was taken,
// and that keys do the same.
func TestPageWorldHandMovesRobotAndCube(t *testing.T) {
	t.Parallel()
	v := visit(t)
	v.stop()
	v.post("/v1/world", `{"act":"place","x_mm":200,"y_mm":150,"heading_rad":-1.57}`)
	v.do(chromedp.Click(".w3 [data-preset=top]"))
	v.until(`(document.querySelector('.w3').dataset.robot || '').startsWith('200 150')`)
	v.until(`document.querySelector('.w3').w3.resting()`)
	v.drag(at("200", "150", "60"), at("350", "-100", "35"))
	v.eventually(`(async () => {
		const { robot } = (await (await fetch('/v1/state')).json()).world;
		return !robot.held && Math.hypot(robot.x_mm - 350, robot.y_mm + 100) < 45;
	})()`)
	v.do(chromedp.Evaluate[chromedp.Void](`(async () => {
		window.cube = (await (await fetch('/v1/state')).json()).world.cubes[0];
	})()`))
	v.until(`window.cube !== undefined && document.querySelector('.w3').w3.resting()`)
	v.drag(at("cube.x_mm", "cube.y_mm", "45"), at("cube.x_mm + 30", "cube.y_mm", "45"))
	v.eventually(`(async () => {
		const now = (await (await fetch('/v1/state')).json()).world.cubes.find((c) => c.id === cube.id);
		return Math.hypot(now.x_mm - cube.x_mm, now.y_mm - cube.y_mm) > 15;
	})()`)
	v.do(chromedp.Focus("canvas.w3-view"))
	v.do(chromedp.KeyEvent("\r"))
	v.until(`document.querySelector('.w3').dataset.held === 'yes'`)
	v.keep("world-held.png")
	v.do(chromedp.KeyEvent("\r"))
	v.until(`document.querySelector('.w3').dataset.held === 'no'`)
	v.do(chromedp.KeyEvent("n"))
	v.until(`document.querySelector('.w3').dataset.selected.startsWith('cube')`)
}

// TestPageWorldDrawsCubesAtTheirHeight checks that cubes that a person stacks are drawn on each other, and that the view from above shows
// the same.
func TestPageWorldDrawsCubesAtTheirHeight(t *testing.T) {
	t.Parallel()
	v := visit(t)
	v.stop()
	v.post("/v1/world", `{"act":"place","x_mm":-300,"y_mm":250,"heading_rad":0}`)
	v.do(chromedp.Evaluate[chromedp.Void](`(async () => {
		window.low = (await (await fetch('/v1/state')).json()).world.cubes[0];
	})()`))
	v.until(`window.low !== undefined`)
	v.do(chromedp.Evaluate[chromedp.Void](`(async () => {
		const body = JSON.stringify({ act: 'cube', id: 2, x_mm: low.x_mm + 5, y_mm: low.y_mm, heading_rad: 0.3 });
		await fetch('/v1/world', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
	})()`))
	v.until(`(document.querySelector('.w3').dataset.cubes || '').startsWith('1@0 2@44')`)
	v.keep("world-stack.png")
}

// TestPageWorldFingerCarriesTheRobotAndStrokesIt checks a phone: a finger on the robot carries it, one on its back strokes it.
func TestPageWorldFingerCarriesTheRobotAndStrokesIt(t *testing.T) {
	t.Parallel()
	v := visit(t)
	v.stop()
	v.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile))
	v.post("/v1/world", `{"act":"place","x_mm":200,"y_mm":150,"heading_rad":-1.57}`)
	v.do(chromedp.Click(".w3 [data-preset=top]"))
	v.until(`(document.querySelector('.w3').dataset.robot || '').startsWith('200 150') && document.querySelector('.w3').w3.resting()`)
	v.swipe(at("200", "150", "60"), at("350", "-100", "35"))
	v.eventually(`(async () => {
		const { robot } = (await (await fetch('/v1/state')).json()).world;
		return !robot.held && Math.hypot(robot.x_mm - 350, robot.y_mm + 100) < 45;
	})()`)
	v.until(`document.querySelector('.w3').dataset.held === 'no' && document.querySelector('.w3').w3.resting()`)
	back := at("350", "-76", "36") // behind the axle of a robot that looks down the page
	v.repeat(func() { v.swipe(back, back) }, resolves(`(async () => (await (await fetch('/v1/state')).json()).body.touched)()`))
	v.keep("world-phone.png")
}

// TestPageWorldWithoutWebGLIsDrawnFromAbove checks the view of a browser that has no WebGL.
func TestPageWorldWithoutWebGLIsDrawnFromAbove(t *testing.T) {
	t.Parallel()
	v := visitAt(t, flat)
	v.until(`document.querySelector('.w3')?.dataset.view === 'flat'`)
	v.until(`document.querySelector('.w3-note:not([hidden])')?.textContent.includes('no WebGL')`)
	v.stop()
	v.eventually(nearTrue)
	v.keep("world-flat.png")
}

// stop makes the robot stand still.
func (v *visitor) stop() {
	v.t.Helper()
	v.do(chromedp.Click("#estop"))
	v.until(`!document.getElementById('stopped').hidden`)
}

// post sends a command to the robot, past the page.
func (v *visitor) post(path, body string) {
	v.t.Helper()
	base, err := chromedp.Run(v.ctx, chromedp.Evaluate[string](`location.origin`))
	if err != nil {
		v.t.Fatal(err)
	}
	answer, err := http.Post(base+path, "application/json", strings.NewReader(body))
	if err != nil {
		v.t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, _ := io.ReadAll(answer.Body); answer.StatusCode != http.StatusOK {
		v.t.Fatalf("%s %s: %s", path, body, text)
	}
}

// eventually waits until a promise of an expression is true.
func (v *visitor) eventually(promise string) {
	v.t.Helper()
	v.until(resolves(promise))
}

// resolves is an expression that is true once a promise of an expression was true.
func resolves(promise string) string {
	return `(() => {
		window.asking ||= {};
		const key = ` + fmt.Sprintf("%q", promise) + `;
		if (!window.asking[key]) {
			window.asking[key] = true;
			` + promise + `.then((yes) => { window.asking[key] = false; window.answer = yes ? key : ''; });
		}
		return window.answer === key;
	})()`
}

// drag moves the mouse from one point of the page to another with its button down. The points are expressions.
func (v *visitor) drag(from, to string) {
	v.t.Helper()
	x0, y0 := v.point(from)
	x1, y1 := v.point(to)
	const steps = 8
	mouse := func(kind input.DispatchMouseEventType, x, y float64) {
		v.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, t, input.DispatchMouseEvent, input.DispatchMouseEventParams{
				Type: kind, X: x, Y: y, Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1,
			})
			return chromedp.Void{}, err
		})
	}
	mouse(input.DispatchMouseEventTypeMousePressed, x0, y0)
	for i := 1; i <= steps; i++ {
		k := float64(i) / steps
		mouse(input.DispatchMouseEventTypeMouseMoved, x0+(x1-x0)*k, y0+(y1-y0)*k)
	}
	mouse(input.DispatchMouseEventTypeMouseReleased, x1, y1)
}

// swipe moves a finger from one point to another.
func (v *visitor) swipe(from, to string) {
	v.t.Helper()
	x0, y0 := v.point(from)
	x1, y1 := v.point(to)
	const steps = 8
	touch := func(kind input.DispatchTouchEventType, at ...*input.TouchPoint) {
		v.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, t, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: at})
			return chromedp.Void{}, err
		})
	}
	touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: x0, Y: y0})
	for i := 1; i <= steps && (x0 != x1 || y0 != y1); i++ {
		k := float64(i) / steps
		touch(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: x0 + (x1-x0)*k, Y: y0 + (y1-y0)*k})
	}
	touch(input.DispatchTouchEventTypeTouchEnd)
}

func (v *visitor) point(expression string) (x, y float64) {
	v.t.Helper()
	text, err := chromedp.Run(v.ctx, chromedp.Evaluate[string](expression))
	if err != nil {
		v.t.Fatal(err)
	}
	if n, err := fmt.Sscanf(text, "%g,%g", &x, &y); n != 2 {
		v.t.Fatalf("%s: %q: %v", expression, text, err)
	}
	return x, y
}
