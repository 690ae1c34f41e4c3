//go:build e2e

package main

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// pair is an expression for the value of a row of a list of pairs.
func pair(list, label string) string {
	return `[...document.querySelectorAll('#` + list + ` div')].find((d) => d.firstChild.textContent === '` + label + `')?.lastChild.textContent`
}

// TestPageShowsMoodFeatureAndServices checks that mood, feature, services and counts are shown, and that the operator's switches
// work, by keyboard too.
func TestPageShowsMoodFeatureAndServices(t *testing.T) {
	t.Parallel()
	v := visitAt(t, flat)
	v.until(`document.querySelectorAll('#mood [role=meter] .fill').length === 5`)
	v.until(`[...document.querySelectorAll('#mood [role=meter]')].every((m) => m.hasAttribute('aria-valuenow'))`)
	v.until(`['LowStim', 'MedStim', 'HighStim', 'Frustrated'].includes(document.getElementById('mind-sum').textContent)`)
	v.show("mind")
	v.until(pair("purpose", "stage") + ` === 'complete'`)
	v.until(pair("purpose", "boot") + ` === 'ModeSelector'`)
	v.until(pair("services", "trigger") + ` === 'listens'`)
	v.until(pair("services", "looks for") + ` !== 'nothing'`)
	v.until(`Number(` + pair("stats", "BehaviorActivated") + `) > 0`)

	v.show("tools")
	v.do(chromedp.SetValue("#run-id", "Wait"))
	v.do(chromedp.SetValue("#run-times", "-1"))
	v.do(chromedp.Click("#run-form button[type=submit]"))
	v.until(`document.getElementById('run-note').textContent === 'Runs Wait again and again.'`)
	v.do(chromedp.SetValue("#run-times", "4"))
	v.do(chromedp.SendKeys("#run-times", kb.Enter))
	v.until(`document.getElementById('run-note').textContent === 'Runs Wait and 3 more.'`)
	v.do(chromedp.Click("#cancel"))
	v.until(`document.getElementById('run-note').textContent.startsWith('-1 ')`)

	v.do(chromedp.Focus("#checks"))
	v.do(chromedp.KeyEvent(" "))
	v.until(`document.getElementById('checks').getAttribute('aria-pressed') === 'false'`)
	v.do(chromedp.KeyEvent(" "))
	v.until(`document.getElementById('checks').getAttribute('aria-pressed') === 'true'`)

	v.until(`[...document.getElementById('stage').options].map((o) => o.value).join(' ') === 'complete onboarding dev factory'`)
	v.do(chromedp.SetValue("#stage", "onboarding"))
	v.do(chromedp.Click("#stage-form button[type=submit]"))
	v.until(toast("the boot configuration has no onboardingBehavior"))
	v.until(`document.getElementById('stage').value === 'complete'`) // the robot's, as before
	v.do(chromedp.Click("#self-test"))
	v.until(toast("the boot configuration has no selfTestBehavior"))
	v.until(`document.getElementById('self-test').getAttribute('aria-pressed') === 'false'`)
}

// toast is an expression that tells whether an error is shown.
func toast(text string) string {
	return `[...document.querySelectorAll('.toast.error')].some((e) => e.textContent.includes('` + text + `'))`
}

// TestPageShowsFailures checks that a failure appears with its cause, and that nothing on the page moves because of it, wide or
// narrow.
func TestPageShowsFailures(t *testing.T) {
	t.Parallel()
	v := visitAt(t, flat)
	v.show("devices")
	v.until(`document.getElementById('failures').dataset.empty !== undefined`) // a busy machine may have failed already
	v.do(chromedp.Evaluate[chromedp.Void](`window.before = document.querySelector('.p-troubles').offsetHeight`))
	v.breakDevice("motors", "absent", "1")
	v.show("devices")
	v.until(`[...document.querySelectorAll('#failures li')].some((e) => e.textContent.includes('device/motors') && e.querySelector('.cause-text').textContent.includes('nack'))`)
	v.until(`document.getElementById('failures-sum').textContent.endsWith('since start')`)
	v.until(`document.querySelector('.p-troubles').offsetHeight === window.before`)
	v.until(fits)
	v.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile))
	v.until(fits)
	v.until(`[...document.querySelectorAll('#failures li, #noted li, .pairs div, #mood > div')].every((e) => e.scrollWidth <= e.clientWidth)`)
	v.keep("failures.png")
}

// TestPageChangesSettings switches a feature off and leaves it to the files again, by the list of choices.
func TestPageChangesSettings(t *testing.T) {
	t.Parallel()
	v := visitAt(t, flat)
	v.show("mind")
	const list = `document.querySelector('#settings select[aria-label=Exploring]')`
	v.until(list + `?.value === 'Default'`)
	for _, to := range []string{"Disabled", "Default"} {
		v.until(`(() => { ` + list + `.value = '` + to + `'; ` + list + `.dispatchEvent(new Event('change')); return true; })()`)
		v.until(`document.getElementById('settings-said').textContent.startsWith('feature Exploring is ')`)
		v.until(pair("purpose", "by hand") + map[string]string{"Disabled": ` === 'Exploring off'`, "Default": ` === 'nothing'`}[to])
		v.until(list + `.value === '` + to + `'`)
		v.keep("settings-" + to + ".png")
	}
	v.until(`(() => { const s = ` + list + `; s.append(new Option('Maybe')); s.value = 'Maybe'; s.dispatchEvent(new Event('change')); return true; })()`)
	v.until(`document.getElementById('settings-said').textContent.includes('there is no override "Maybe"')`)
	v.until(list + `.value === 'Default'`)
}
