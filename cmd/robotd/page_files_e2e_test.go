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
	t.Parallel()
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
	v.until(`document.getElementById('file-origin').textContent.startsWith('from edited · the robot runs another text')`)
	v.until(`[...document.querySelectorAll('#file-rows button')].find((b) => b.textContent.includes('` + touchPath + `')).textContent.endsWith('edited, not what runs')`)
	v.keep("files-rolled-back.png")
	v.do(chromedp.Evaluate[chromedp.Void](`window.confirm = (text) => { window.said = text; return true; }`))
	v.do(chromedp.Click("#file-remove"))
	v.until(`window.said.startsWith("Delete ")`)
	v.until(`document.getElementById('file-origin').textContent.startsWith('from built-in')`)

	v.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile))
	v.keep("files-phone.png")
	v.until(fits)
}

// The reference of behavior files stands beside that of the API: every class and condition, found by name, and no text is left of the Markdown.
func TestPageOfTheReference(t *testing.T) {
	t.Parallel()
	v := visitAt(t, flat)
	v.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('#panel-files a[href="/v1/reference"]').target = ''; location.href = '/v1/reference'`))
	v.until(`document.querySelectorAll('h3').length > 100 && document.querySelectorAll('pre').length > 100`)
	v.until(`!/\|---|` + "```" + `|\]\(#/.test(document.body.innerText)`)
	v.until(`[...document.querySelectorAll('td')].some((c) => c.innerText.includes('minTouchTime_s'))`)
	v.keep("reference.png")
	v.loadAxe()
	v.audit("reference")
	v.do(chromedp.Evaluate[chromedp.Void](`const field = document.querySelector('input'); field.value = 'GreetFace'; field.dispatchEvent(new Event('input'))`))
	v.until(`[...document.querySelectorAll('section:not([hidden]) > h3')].map((e) => e.innerText).join() === 'GreetFace'`)
	v.do(chromedp.Evaluate[chromedp.Void](`location.href = '/v1/docs'`))
	v.until(`document.querySelectorAll('details').length > 40`)
	v.until(`getComputedStyle(document.body).maxWidth === '1056px'`) // its style sheet is there
}
