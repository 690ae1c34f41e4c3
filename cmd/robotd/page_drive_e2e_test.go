//go:build e2e

package main

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestPageDrivesWhileAnArrowIsHeld checks that the robot drives as long as an arrow is held, with another order before each ends, and stands when
// it is let go or the focus leaves.
func TestPageDrivesWhileAnArrowIsHeld(t *testing.T) {
	t.Parallel()
	v := visitAt(t, flat)
	v.post("/v1/world", `{"act":"place","x_mm":0,"y_mm":0}`)
	v.until(`document.querySelector('#drive') && !document.querySelector('#drive').inert`)
	v.until(`(document.querySelector('#drive button').focus(), true)`)
	v.do(chromedp.Evaluate[chromedp.Void](answering))
	key := func(kind, key string) string {
		return `document.activeElement.dispatchEvent(new KeyboardEvent('` + kind + `', {key: '` + key + `', bubbles: true}))`
	}
	// held presses keys until there is an answer: orders are refused until the robot stands where it was placed, and while its readings are
	// late on a busy machine. Three refusals in a row let go.
	held := func(answer string, keys ...string) {
		t.Helper()
		v.do(chromedp.Evaluate[chromedp.Void](`window.answers = []; undefined`))
		presses := ""
		for _, k := range keys {
			presses += key("keydown", k) + ", "
		}
		v.until(`(` + presses + `window.answers.includes('` + answer + `'))`)
	}
	stands := func() {
		t.Helper()
		v.until(`window.answers.at(-1) === 'stands'`)
	}
	held("goes on", "ArrowUp")
	held("wheels 50 and 150 mm/s", "ArrowUp", "ArrowLeft")
	v.until(`(` + key("keyup", "ArrowLeft") + `, ` + key("keyup", "ArrowUp") + `, true)`)
	stands()
	held("goes on", "ArrowDown")
	v.until(`(document.activeElement.blur(), true)`)
	stands()
}

// answering keeps every answer to an order that the pad shows.
const answering = `window.answers = [];
new MutationObserver((all) => all.forEach((m) => window.answers.push(m.target.dataset.answer))).observe(document.querySelector('#drive'), {attributeFilter: ['data-answer']});
undefined`
