//go:build e2e

package main

import (
	"fmt"
	"testing"

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

// TestPageShowsNoPartThatTheKitLacks looks at each kit on a desktop and on a phone: no face without a display, no track, button or label of a
// part that is not there, and the whole robot in the picture of the camera that follows it.
func TestPageShowsNoPartThatTheKitLacks(t *testing.T) {
	for _, name := range []string{"jetbot", "freenove-4wd", "waveshare-ugv", "wave-rover"} {
		t.Run(name, func(t *testing.T) {
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
			v.keep("kit-" + name + "-desktop.png")
			v.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile))
			v.until(wholeRobot)
			v.until(fits)
			v.keep("kit-" + name + "-phone.png")
		})
	}
}
