package resources

import (
	"strings"
	"unicode"
)

// maxWord bounds the words that are compared, in letters: longer ones are no typing slips of our names, and the
// rows of the comparison then fit on the stack.
const maxWord = 64

// Nearest finds the candidate that was probably meant by word, ignoring case. It takes the one with the smallest
// number of slips (letter added, left out, replaced, or two neighbors swapped: the optimal string alignment form of
// the Damerau-Levenshtein distance), if that number is small for the length of the word. Failing that, a candidate
// which continues the word after an underscore is taken, because a forgotten unit ("speed" for "speed_mmps") is the
// commonest slip that is not one of typing. Ties go to the alphabetically first candidate, so the answer does not
// depend on the order of candidates.
func Nearest(word string, candidates []string) (string, bool) {
	var mine, other letters
	w := fold(word, &mine)
	if len(w) == 0 || len(w) > maxWord {
		return "", false
	}
	limit := slips(len(w))
	best, bestDist := "", limit+1
	for _, c := range candidates {
		f := fold(c, &other)
		if len(f) == 0 || len(f) > maxWord {
			continue
		}
		if d := distance(w, f, min(bestDist, limit)); d < bestDist || d == bestDist && d <= limit && c < best {
			best, bestDist = c, d
		}
	}
	if bestDist <= limit {
		return best, true
	}
	return withUnit(word, candidates)
}

// slips is the number of slips that a word of n letters may contain and still be recognized: about one in four.
func slips(n int) int { return min(3, (n+2)/4) }

// withUnit finds the first candidate of the form word_unit.
func withUnit(word string, candidates []string) (string, bool) {
	best, found := "", false
	for _, c := range candidates {
		if len(c) > len(word) && c[len(word)] == '_' && strings.EqualFold(c[:len(word)], word) && (!found || c < best) {
			best, found = c, true
		}
	}
	return best, found
}

// letters has room for a word that is compared, and one letter more, by which a longer word is known.
type letters [maxWord + 1]rune

// fold returns the lower-case letters of s, as many as there is room for.
func fold(s string, room *letters) []rune {
	n := 0
	for _, c := range s {
		if n == len(room) {
			break
		}
		room[n] = unicode.ToLower(c)
		n++
	}
	return room[:n]
}

// distance is the optimal string alignment distance of a and b, or limit+1 if it is larger than limit. Both have at
// most maxWord letters. Only the cells at most limit beside the diagonal can be within the limit; the others stay out of it.
func distance(a, b []rune, limit int) int {
	if diff := len(a) - len(b); diff > limit || -diff > limit {
		return limit + 1
	}
	var rows [3][maxWord + 1]int // rows i-2, i-1 and i of the table
	before, prev, cur := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		first, last := max(1, i-limit), min(len(b), i+limit)
		cur[first-1] = limit + 1
		if first == 1 {
			cur[0] = i
		}
		low := cur[first-1]
		for j := first; j <= last; j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			cur[j] = d
			low = min(low, d)
		}
		if low > limit {
			return limit + 1
		}
		if last < len(b) {
			cur[last+1] = limit + 1
		}
		before, prev, cur = prev, cur, before
	}
	return min(prev[len(b)], limit+1)
}
