//go:build e2e

package main

import (
	"testing"

	"github.com/chromedp/chromedp"
)

const (
	stopped   = `!document.getElementById('stopped').hidden`
	stopUnset = `document.getElementById('stopped').hidden`
)

// A stop that nobody answers is no stop: the page says so until robotd has answered, and asks again by itself.
func TestStopWithoutAnAnswerIsSaid(t *testing.T) {
	t.Parallel()
	v := visitAt(t, flat)
	v.do(chromedp.Evaluate[chromedp.Void](`window.real = window.fetch; window.fetch = async () => { throw new TypeError('the link is gone'); }`))
	v.do(chromedp.Click("#estop"))
	v.until(`!document.getElementById('stop-unsure').hidden && document.getElementById('estop').textContent === 'STOPPING' && document.getElementById('all-well').hidden`)
	v.do(chromedp.Evaluate[chromedp.Void](`window.fetch = window.real`))
	v.until(stopped + ` && document.getElementById('stop-unsure').hidden && document.getElementById('estop').textContent === 'E-STOP'`)
}

// The emergency stop that the page shows is the robot's own, whatever instant the page shows; its key works wherever nobody types.
func TestStopIsThatOfTheRobotWhileThePageShowsThePast(t *testing.T) {
	t.Parallel()
	v := visitAt(t, flat)
	v.until(`Number(document.getElementById('scrub').max) > 3`)
	v.do(chromedp.Click("#step-back"))
	v.until(atPast)
	v.do(chromedp.Focus(".w3 canvas"))
	v.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'S', bubbles: true, cancelable: true }))`))
	v.until(stopped + ` && ` + atPast + ` && document.getElementById('estop').getAttribute('aria-pressed') === 'true'`)
	v.do(chromedp.Click("#resume"))
	v.until(stopUnset + ` && ` + atPast)
	v.do(chromedp.Click("#live"))
	v.until(atLive + ` && ` + stopUnset)
}

// A browser that keeps nothing for the page shows it all the same.
func TestBrowserThatKeepsNothingShowsThePage(t *testing.T) {
	t.Parallel()
	v := browse(t, inPlane)
	v.before(`Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('forbidden', 'SecurityError'); } })`)
	v.do(chromedp.Navigate(liveRobot(t) + flat))
	v.until(atLive)
}

// An instant that the memory does not have is said, and stays said while the page draws on.
func TestInstantThatIsNotThereIsSaid(t *testing.T) {
	t.Parallel()
	v := visitAt(t, flat)
	v.until(`Number(document.getElementById('scrub').max) > 2`)
	v.do(chromedp.Click("#step-back"))
	v.until(atPast)
	v.do(chromedp.Evaluate[chromedp.Void](`location.hash = '#tab=world&at=99999'`))
	v.until(`document.getElementById('clock').dataset.tone === 'bad'`)
	v.do(chromedp.Evaluate[chromedp.Void](`window.frames0 = 0; (function f() { window.frames0++; requestAnimationFrame(f); })()`))
	v.until(`window.frames0 > 20`)
	v.until(`document.getElementById('clock').dataset.tone === 'bad'`)
}

// An arrow ends with a key that changes what keys mean: a system may not tell that the arrow was let go meanwhile. A button that opens a
// menu begins none.
func TestArrowEndsWithAnotherKey(t *testing.T) {
	t.Parallel()
	v := visitAt(t, flat)
	v.until(`document.querySelector('#drive') && !document.querySelector('#drive').inert`)
	v.do(chromedp.Evaluate[chromedp.Void](`window.asked = 0; window.real = window.fetch; window.fetch = (path, o) => { if (path === '/v1/drive' && !o.body.includes('"left_mmps":0,')) window.asked++; return window.real(path, o); }`))
	press := func(key, more string) {
		v.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('#drive').dispatchEvent(new KeyboardEvent('keydown', { key: '` + key + `', bubbles: true, cancelable: true` + more + ` }))`))
	}
	press("ArrowUp", "")
	v.until(`window.asked > 2`)
	press("Meta", ", metaKey: true")
	v.wait("500")
	v.do(chromedp.Evaluate[chromedp.Void](`window.then = window.asked`))
	v.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('#drive button').dispatchEvent(new PointerEvent('pointerdown', { button: 2, bubbles: true }))`))
	v.wait("500")
	v.until(`window.asked === window.then`)
}
