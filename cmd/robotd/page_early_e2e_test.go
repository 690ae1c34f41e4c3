//go:build e2e

package main

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// naming notes each element that has no name at the end of the script that created it. It runs before the page's own scripts.
const naming = `window.nameless = [];
(() => {
	const NEED = 'canvas, svg, [role=img], [role=meter], [role=slider], [role=application], button, input, select, textarea, summary';
	const text = (el) => (el.getAttribute('aria-label') || el.textContent || el.title || '').trim();
	const named = (el) => el.closest('[aria-hidden=true]') || el.parentElement?.closest('[role=img][aria-label]') || text(el) || [...(el.labels || [])].some(text)
		|| (el.getAttribute('aria-labelledby') || '').split(' ').some((id) => id && text(document.getElementById(id)));
	const look = (el) => { if (el.matches(NEED) && !named(el)) window.nameless.push(el.outerHTML.slice(0, 160)); };
	document.addEventListener('readystatechange', () => { if (document.readyState === 'interactive') document.querySelectorAll('*').forEach(look); });
	new MutationObserver((changes) => {
		if (document.readyState === 'loading') return; // the parser stops in the middle of an element
		for (const c of changes) for (const el of c.addedNodes) if (el.nodeType === 1) [el, ...el.querySelectorAll('*')].forEach(look);
	}).observe(document, { childList: true, subtree: true });
})();`

// holding makes the page wait for ever for answers to requests that match a pattern, and for the stream if that is wanted.
func holding(requests string, stream bool) string {
	script := `(() => {
	const really = window.fetch;
	window.fetch = (path, options) => new RegExp('` + requests + `').test(String(path)) ? new Promise(() => {}) : really(path, options);
})();`
	if stream {
		script += `window.EventSource = class extends EventTarget { close() {} };`
	}
	return script
}

// TestElementsHaveTheirNamesBeforeTheFirstData audits each view while nothing has come yet, until the page gives the link up, while the stream
// has come but no answer to a request, and while the lists have come but no values; in each the elements have names from their creation.
func TestElementsHaveTheirNamesBeforeTheFirstData(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, script, ready string }{
		{"nothing", holding(".", true), `document.getElementById('sentence').textContent === '…'`},
		{"stream", holding(".", false), atLive},
		{"lists", holding("names=|/v1/why|/v1/activations|/v1/file[?]", false), atLive},
		{"all", "", atLive},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			url := liveRobot(t)
			v := browse(t, inPlane)
			v.before(naming + c.script)
			v.do(chromedp.Navigate(url + flat))
			v.until(c.ready)
			if c.name == "nothing" && v.number(`document.getElementById('all-well').hidden ? 0 : 1`) != 0 {
				t.Error("nothing is known, and the page says that nothing holds the robot back")
			}
			v.loadAxe()
			for _, tab := range tabs {
				v.show(tab)
				if tab == "plots" && (c.name == "lists" || c.name == "all") {
					v.until(`document.querySelectorAll('.plot-box').length > 3`)
				}
				v.until(fits)
				v.audit(c.name + " " + tab)
			}
			if c.name == "nothing" {
				v.until(`document.body.classList.contains('offline')`)
				v.audit("without a link")
			}
			text, err := chromedp.Run(v.ctx, chromedp.Evaluate[string](`[...new Set(window.nameless)].join('\n')`))
			if err != nil {
				t.Fatal(err)
			}
			for place := range strings.Lines(text) {
				t.Errorf("%s: created without a name: %s", c.name, place)
			}
		})
	}
}
