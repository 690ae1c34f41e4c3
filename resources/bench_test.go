package resources_test

import "testing"

// BenchmarkCheck is parsing, decoding and finishing one file of about 1 kB: the share of this package in goal/M14
// (1000 definitions in 50 ms) and goal/M16.
func BenchmarkCheck(b *testing.B) {
	src := []byte(sampleFile)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, diags := checkSample("f.json", src); len(diags) > 0 {
			b.Fatal(diags)
		}
	}
}
