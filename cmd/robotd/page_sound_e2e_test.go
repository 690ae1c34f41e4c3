//go:build e2e

package main

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestPageIsSilentUntilAskedAndRemembersIt checks that no sound is made before a person switched it on, that words then sound, that the mouth
// on the page moves with them, and that the choice is there after a reload.
func TestPageIsSilentUntilAskedAndRemembersIt(t *testing.T) {
	v := visitAt(t, flat)
	v.until(`document.querySelector('.w3')?.w3.sound.mode === 'off'`)
	v.do(chromedp.Click(".w3-sound"))
	v.do(chromedp.Click(".w3-sound"))
	v.until(`document.querySelector('.w3').w3.sound.mode === 'voice'`)
	v.post("/v1/world", `{"act":"face","name":"Ada"}`)
	v.post("/v1/run-behavior", `{"id":"GreetFace","times":1}`)
	v.until(`document.querySelector('.w3-says').textContent.length > 3`)
	v.until(`document.querySelector('.w3').w3.sound.played > 0`)
	v.until(`Number(document.querySelector('#face canvas').dataset.mouth) >= 2`)
	v.do(chromedp.Reload())
	v.until(`document.querySelector('.w3')?.w3.sound.mode === 'voice'`)
	v.until(`document.querySelector('.w3-sound').getAttribute('aria-pressed') === 'true'`)
}
