//go:build e2e

package main

import (
	"bytes"
	"fmt"
	"image/png"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/resources"
)

// wholeRobot tells whether the outline of the robot is in the picture.
const wholeRobot = `(() => {
	const root = document.querySelector('.w3'), { view, robot: r } = root.w3, [x, y, a] = root.dataset.robot.split(' ').map(Number);
	const back = r.back_mm || r.length_mm / 2;
	return [[r.length_mm - back, 1], [r.length_mm - back, -1], [-back, 1], [-back, -1]].every(([l, s]) => {
		const w = s * r.width_mm / 2;
		const p = root.w3.project([x + l * Math.cos(a) - w * Math.sin(a), y + l * Math.sin(a) + w * Math.cos(a), 20]);
		return p && p.x > 0 && p.y > 0 && p.x < view.size.w && p.y < view.size.h;
	});
})()`

// realKit tells whether the page draws the robot as a kit of its size if it is real: then nobody says how its world is.
const realKit = `Promise.all([import('/world/parts.js'), import('/world/kit.js'), fetch('/v1/state').then((r) => r.json())]).then(([parts, kit, state]) => {
	delete state.world;
	return String(parts.isKit(state) && parts.radiusOf(state) > 50 && kit.newKit(state, null).wheels.length > 1);
})`

// TestPageShowsNoPartThatTheKitLacks looks at each kit on a desktop and on a phone: no face without a display, no track, button or label of a
// part that is not there, and the whole robot in the picture of the camera that follows it.
func TestPageShowsNoPartThatTheKitLacks(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"jetbot", "freenove-4wd", "waveshare-ugv", "wave-rover"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, diags, err := profile.Load(resources.Embedded(), name, nil)
			if p == nil || err != nil {
				t.Fatal(diags, err)
			}
			v := visitRobot(t, p, "")
			v.do(chromedp.EmulateViewport(1280, 800))
			v.until(`document.querySelector('.w3')?.dataset.view === '3d' && document.querySelectorAll('#tracks li').length > 0`)
			for track, there := range map[string]bool{"HEAD": p.Head != nil, "LIFT": p.Lift != nil, "BACKPACK": p.Lights != nil, "FACE": p.Display != nil, "BODY": true} {
				v.until(fmt.Sprintf(`[...document.querySelectorAll('#tracks li')].some((l) => l.textContent === '%s') === %t`, track, there))
			}
			for place, there := range map[string]bool{"#face": p.Display != nil, "[data-act=touch]": p.Touch != nil, "[data-act=edge]": p.World.Floor != "walls", "[data-act=poke]": true} {
				v.until(fmt.Sprintf(`document.querySelector('%s').checkVisibility() === %t`, place, there))
			}
			v.until(fmt.Sprintf(`(document.querySelector('.w3-range').textContent !== '') === %t`, p.Range != nil))
			v.until(wholeRobot)
			if is, err := chromedp.Run(v.ctx, chromedp.Evaluate[string](realKit, chromedp.EvalAwaitPromise)); is != "true" || err != nil {
				t.Errorf("a real one is drawn as a kit: %q, %v", is, err)
			}
			v.keep("kit-" + name + "-desktop.png")
			v.do(chromedp.Click(".w3 [data-preset=table]"))
			v.sees(0.3)
			v.keep("kit-" + name + "-table.png")
			v.do(chromedp.Click(".w3 [data-preset=follow]"))
			v.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile))
			v.until(wholeRobot)
			v.until(fits)
			v.keep("kit-" + name + "-phone.png")
		})
	}
}

// sees waits until so large a share of the middle of the picture is of the color of wood: the ground is there, and no fog before it.
func (v *visitor) sees(share float64) {
	v.t.Helper()
	end := time.Now().Add(late)
	for {
		found := v.wooden()
		if found >= share {
			return
		}
		if time.Now().After(end) {
			v.t.Fatalf("%.2f of the picture is wood, want %.2f", found, share)
		}
	}
}

// wooden is the share of the middle quarter of the picture of the world that is rather yellow.
func (v *visitor) wooden() float64 {
	v.t.Helper()
	x, y := v.point(`(() => { const b = document.querySelector('.w3').getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2].join(); })()`)
	w, h := v.point(`(() => { const b = document.querySelector('.w3').getBoundingClientRect(); return [b.width / 4, b.height / 4].join(); })()`)
	data, err := chromedp.Run(v.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		v.t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		v.t.Fatal(err)
	}
	found, all := 0, 0
	for i := int(x - w); i < int(x+w); i += 2 {
		for k := int(y - h); k < int(y+h); k += 2 {
			r, _, b, _ := picture.At(i, k).RGBA()
			all++
			if int(r>>8)-int(b>>8) > 25 {
				found++
			}
		}
	}
	return float64(found) / float64(all)
}
