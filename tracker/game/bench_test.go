package game

import "testing"

func BenchmarkLoad(b *testing.B) {
	data := changed(b, "id", "id")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load("f", data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPossibleKeyed(b *testing.B) {
	p := builtIn(b, "dai-bacc")
	r := keyed(p, Banker, "", "kill", "tiger-7")
	b.ReportAllocs()
	for b.Loop() {
		if !p.Possible(r) {
			b.Fatal("not possible")
		}
	}
}

func BenchmarkCompleteKeyed(b *testing.B) {
	p := builtIn(b, "dai-bacc")
	r := keyed(p, Banker, "", "kill", "tiger-7")
	b.ReportAllocs()
	for b.Loop() {
		p.Complete(r)
	}
}

func BenchmarkFromTotals(b *testing.B) {
	p := builtIn(b, "dai-bacc")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.FromTotals(6, 3, 7, 3); err != nil {
			b.Fatal(err)
		}
	}
}
