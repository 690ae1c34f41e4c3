//go:build e2e

package main

import (
	"testing"

	"github.com/chromedp/chromedp"
)

const (
	touchPath = "behaviors/reactions/ReactToTouch.json"
	openTouch = `[...document.querySelectorAll('#file-rows button')].find((b) => b.textContent.includes('` + touchPath + `')).click()`
	// types replaces text in the editor as typing does.
	replaces = `(from, to) => { const e = document.getElementById('file-text'); e.value = e.value.replace(from, to); e.dispatchEvent(new Event('input', { bubbles: true })); }`
	fileSaid = `document.getElementById('file-said').textContent`
)

// A file is edited on the page of a living robot: findings while somebody types, the plan, apply by keyboard, the way back, and the built-in
// file again.
func TestPageEditsAFileOfTheLivingRobot(t *testing.T) {
	v := visitAt(t, flat)
	v.show("files")
	v.until(`document.querySelectorAll('#file-rows button').length > 30`)
	v.do(chromedp.Evaluate[chromedp.Void](openTouch))
	v.until(`document.getElementById('file-text').value.includes('ReactToTouch')`)
	v.until(`document.getElementById('file-origin').textContent.startsWith('from built-in')`)
	v.until(`document.getElementById('file-apply').disabled`)

	v.do(chromedp.Evaluate[chromedp.Void](`(` + replaces + `)('minTouchTime_s', 'minTuchTime_s')`))
	v.until(`document.querySelector('#file-findings li[data-tone=bad]')?.textContent.includes('minTuchTime_s') === true`)
	v.until(`document.getElementById('file-apply').disabled`)
	v.keep("files-finding.png")
	v.do(chromedp.Click("#file-findings button"))
	v.until(`document.activeElement.id === 'file-text'`)

	v.do(chromedp.Evaluate[chromedp.Void](`(` + replaces + `)('minTuchTime_s": 0.3', 'minTouchTime_s": 0.9')`))
	v.until(fileSaid + `.includes('changed: ReactToTouch')`)
	v.until(`!document.getElementById('file-apply').disabled`)
	v.do(chromedp.Evaluate[chromedp.Void](`document.getElementById('file-text').dispatchEvent(new KeyboardEvent('keydown', { key: 's', ctrlKey: true, bubbles: true, cancelable: true }))`))
	v.until(fileSaid + `.startsWith('applied: changed: ReactToTouch')`)
	v.until(`document.getElementById('file-origin').textContent.startsWith('from edited')`)
	v.keep("files-applied.png")

	v.do(chromedp.Click("#file-rollback"))
	v.until(fileSaid + `.startsWith('applied: changed: ReactToTouch') && document.getElementById('file-rollback').disabled`)
	v.do(chromedp.Click("#file-remove"))
	v.until(`document.getElementById('file-origin').textContent.startsWith('from built-in')`)

	v.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile))
	v.keep("files-phone.png")
	v.until(fits)
}
