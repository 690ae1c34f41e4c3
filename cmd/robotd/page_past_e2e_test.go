//go:build e2e

package main

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const (
	atLive = `document.getElementById('pill-link').textContent === 'live'`
	atPast = `document.getElementById('pill-link').textContent === 'past'`
)

// The slider of the cursor bar shows another instant on every view, the address names it, and the button goes back.
func TestCursorShowsPastAndGoesBack(t *testing.T) {
	t.Parallel()
	v := visitAt(t, flat)
	v.until(`!document.getElementById('scrub').disabled && Number(document.getElementById('scrub').max) > 2`)
	v.do(chromedp.Focus("#scrub"))
	v.do(chromedp.KeyEvent(kb.PageDown))
	v.until(atPast)
	v.until(`new URLSearchParams(location.hash.slice(1)).has('at')`)
	v.until(`window.then = document.getElementById('scrub').value, document.getElementById('clock').textContent.includes('tick')`)
	v.do(chromedp.Click("#step-on"))
	v.until(`document.getElementById('scrub').value !== window.then`)
	v.show("mind")
	v.until(atPast)
	v.do(chromedp.Click("#live"))
	v.until(atLive)
	v.until(`!new URLSearchParams(location.hash.slice(1)).has('at')`)
}

func TestLinkNamesInstantAndView(t *testing.T) {
	t.Parallel()
	v := visitAt(t, flat)
	v.until(`Number(document.getElementById('scrub').max) > 2`)
	v.do(chromedp.Evaluate[chromedp.Void](`location.hash = '#tab=plots&at=1.5'`))
	v.until(`!document.getElementById('panel-plots').hidden`)
	v.until(atPast)
	v.until(`document.getElementById('clock').textContent.startsWith('1.5 s')`)
	v.until(`document.querySelectorAll('#plots .uplot').length >= 4`)
}

// A link that is followed while the page is about to name another instant in its address is not overwritten, however late its event comes.
func TestLinkIsFollowedWhileTheAddressChanges(t *testing.T) {
	t.Parallel()
	v := visitAt(t, flat)
	v.until(`Number(document.getElementById('scrub').max) > 2`)
	v.do(chromedp.Evaluate[chromedp.Void](`{
		const real = window.setTimeout, due = [];
		window.setTimeout = (f, ms) => ms === 300 ? due.push(f) : real(f, ms); // the address waits so long
		document.getElementById('step-back').click();
		window.follow = () => { location.hash = '#tab=plots&at=1.5'; due.forEach((f) => f()); window.late = due.length; window.setTimeout = real; };
		window.waits = () => due.length > 0;
	}`))
	v.until(`window.waits()`)
	v.do(chromedp.Evaluate[chromedp.Void](`window.follow()`))
	v.until(`!document.getElementById('panel-plots').hidden`)
	v.until(`document.getElementById('clock').textContent.startsWith('1.5 s')`)
	v.until(`new URLSearchParams(location.hash.slice(1)).get('at') === '1.50'`)
}

// The timeline draws spans, zooms by keys and the wheel, and a press on it moves the cursor of the page.
func TestTimelineZoomsAndScrubs(t *testing.T) {
	t.Parallel()
	v := visitAt(t, flat)
	v.show("timeline")
	v.until(`Number(document.getElementById('timeline').dataset.drawn) > 3`)
	v.until(`Number(document.getElementById('timeline').getAttribute('aria-valuemax')) > 4`)
	v.do(chromedp.Focus("#timeline"))
	v.do(chromedp.KeyEvent(kb.ArrowLeft))
	v.until(atPast)
	v.do(chromedp.KeyEvent("+"))
	v.do(chromedp.KeyEvent(kb.End))
	v.until(atLive)
	v.do(chromedp.Click("#timeline"))
	v.until(atPast)
	v.do(chromedp.Click("#tl-all"))
	v.until(`Number(document.getElementById('timeline').dataset.drawn) > 3`)
	v.breakDevice("touch", "absent", "1")
	v.do(chromedp.Click("#live"))
	v.show("timeline")
	v.until(`[...document.querySelectorAll('#tl-events li')].some((e) => e.textContent.includes('touch'))`)
}

// Tabs obey arrows, Home and End; single keys work outside of fields and can be switched off.
func TestPageObeysKeys(t *testing.T) {
	t.Parallel()
	v := visitAt(t, flat)
	focused := func(id string) { v.until(`document.activeElement.id === '` + id + `'`) }
	v.do(chromedp.Focus("#tab-world"))
	v.do(chromedp.KeyEvent(kb.ArrowRight))
	focused("tab-tree")
	v.until(`!document.getElementById('panel-tree').hidden && document.getElementById('panel-world').hidden`)
	v.do(chromedp.KeyEvent(kb.End))
	focused("tab-tools")
	v.do(chromedp.KeyEvent(kb.ArrowRight))
	focused("tab-world")
	v.do(chromedp.KeyEvent("8"))
	focused("tab-log")
	v.do(chromedp.Focus("#log-text"))
	v.do(chromedp.KeyEvent("9"))
	v.until(`document.getElementById('log-text').value === '9' && !document.getElementById('panel-log').hidden`)
	v.do(chromedp.Focus("#tab-log"))
	v.do(chromedp.KeyEvent("?"))
	v.until(`document.getElementById('help').open`)
	v.do(chromedp.Click("#keys-on"))
	v.do(chromedp.KeyEvent(kb.Escape))
	v.until(`!document.getElementById('help').open`)
	v.do(chromedp.Focus("#tab-log"))
	v.do(chromedp.KeyEvent("1"))
	v.do(chromedp.KeyEvent(kb.ArrowRight)) // comes after the key that does nothing
	focused("tab-files")
}

// A page that nobody sees lets its stream go, and is up to date soon after it is seen again.
func TestHiddenPageSleepsAndCatchesUp(t *testing.T) {
	t.Parallel()
	v := visitAt(t, flat)
	hide := func(hidden string) {
		v.do(chromedp.Evaluate[chromedp.Void](`Object.defineProperty(document, 'hidden', {get: () => ` + hidden + `, configurable: true}); document.dispatchEvent(new Event('visibilitychange'))`))
	}
	streams := `performance.getEntriesByType('resource').filter((e) => e.name.endsWith('/v1/events')).length`
	hide("true")
	v.until(streams + ` >= 1`) // it has ended, so that the browser accounts for it
	v.do(chromedp.Evaluate[chromedp.Void](`window.then = document.getElementById('clock').textContent`))
	hide("false")
	v.until(`document.getElementById('clock').textContent !== window.then`)
	v.until(atLive)
}
