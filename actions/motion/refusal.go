package motion

import "github.com/robotd/robotd/actions"

// refusal is why an action cannot be done as asked; "" if it can.
type refusal = actions.Unfit
