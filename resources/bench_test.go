package resources_test

import "testing"

// BenchmarkCheck is parsing, decoding and finishing one file of about 1 kB. This package's share of a reload, which
// reads 1000 definitions in 50 ms, follows from it.
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
