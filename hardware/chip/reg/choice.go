package reg

import "fmt"

// Choice is the place of v in a list of the values that a chip can do: the code that selects it. If v is not there the error
// names what it is for and the nearest value.
func Choice[T int | float64](list []T, v T, what string) (int, error) {
	nearest := list[0]
	for i, x := range list {
		if x == v {
			return i, nil
		}
		if max(x-v, v-x) < max(nearest-v, v-nearest) {
			nearest = x
		}
	}
	return 0, fmt.Errorf("%s %v is none of %v; nearest is %v", what, v, list, nearest)
}
