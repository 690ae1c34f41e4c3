package sim

import "reflect"

func equal(a, b any) bool { return reflect.DeepEqual(a, b) }
