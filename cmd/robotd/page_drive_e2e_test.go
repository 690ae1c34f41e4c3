//go:build e2e

package main

import "testing"

// TestPageDrivesWhileAnArrowIsHeld checks that the robot drives as long as an arrow is held, with another order before each ends, and stands when
// it is let go or the focus leaves.
func TestPageDrivesWhileAnArrowIsHeld(t *testing.T) {
	t.Parallel()
	v := visitAt(t, flat)
	v.post("/v1/world", `{"act":"place","x_mm":0,"y_mm":0}`)
	v.until(`document.querySelector('#drive') && !document.querySelector('#drive').inert`)
	v.until(`(document.querySelector('#drive button').focus(), true)`)
	key := func(kind, key string) {
		v.until(`(document.activeElement.dispatchEvent(new KeyboardEvent('` + kind + `', {key: '` + key + `', bubbles: true})), true)`)
	}
	answered := func(text string) { v.until(`document.querySelector('#drive').dataset.answer === '` + text + `'`) }
	press := `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowUp', bubbles: true}))`
	v.until(`(` + press + `, document.querySelector('#drive').dataset.answer === 'goes on')`) // refused until it stands where it was placed
	key("keydown", "ArrowLeft")
	answered("wheels 50 and 150 mm/s")
	key("keyup", "ArrowLeft")
	key("keyup", "ArrowUp")
	answered("stands")
	key("keydown", "ArrowDown")
	answered("goes on")
	v.until(`(document.activeElement.blur(), true)`)
	answered("stands")
}
