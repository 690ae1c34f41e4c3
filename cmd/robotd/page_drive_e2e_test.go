//go:build e2e

package main

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestPageDrivesWhileAnArrowIsHeld checks that the robot drives as long as an arrow is held, with another order before each ends, and stands when
// it is let go or the focus leaves.
func TestPageDrivesWhileAnArrowIsHeld(t *testing.T) {
	t.Parallel()
	v := visitAt(t, flat)
	v.until(`document.querySelector('#drive') && !document.querySelector('#drive').inert`)
	v.until(`(document.querySelector('#drive button').focus(), true)`)
	v.do(chromedp.Evaluate[chromedp.Void](answering))
	key := func(kind, key string) string {
		return `document.activeElement.dispatchEvent(new KeyboardEvent('` + kind + `', {key: '` + key + `', bubbles: true}))`
	}
	// held presses keys until there is an answer: orders are refused until the robot stands where it was placed, and while its readings are
	// late on a busy machine. Three refusals in a row let go. If each order comes too late to go on with the one before, the robot comes to an
	// edge, at which all are refused: then it is placed anew.
	held := func(answer string, keys ...string) {
		t.Helper()
		presses := ""
		for _, k := range keys {
			presses += key("keydown", k) + ", "
		}
		answered := `window.answers.includes('` + answer + `')`
		for end := time.Now().Add(late); ; {
			v.post("/v1/world", `{"act":"place","x_mm":0,"y_mm":0}`)
			v.do(chromedp.Evaluate[chromedp.Void](`window.answers = []; window.since = performance.now(); undefined`))
			v.until(`(` + presses + answered + ` || performance.now() - window.since > 10000)`)
			got, err := chromedp.Run(v.ctx, chromedp.Evaluate[string](answered+` ? '' : 'answers: ' + window.answers.join(' | ')`))
			switch {
			case err != nil:
				t.Fatal(err)
			case got == "":
				return
			case time.Now().After(end):
				t.Fatalf("never %q; %s", answer, got)
			}
		}
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
