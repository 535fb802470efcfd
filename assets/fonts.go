package assets

import (
	"embed"
	"fmt"
)

//go:embed fonts/*.otf
var fontFiles embed.FS

// Font is one font file with what is needed to choose it.
type Font struct {
	Family string
	Weight int    // on the OpenType scale: 500 medium, 600 semi-bold, 700 bold, 800 extra bold
	Data   []byte // the OpenType file, not to be changed
}

// fontTable lists the files that fonts/subset.sh writes, the family to be tried
// first at the top.
var fontTable = []struct {
	family string
	weight int
	file   string
}{
	{"Inter", 500, "Inter-Medium"},
	{"Inter", 600, "Inter-SemiBold"},
	{"Inter", 700, "Inter-Bold"},
	{"Inter", 800, "Inter-ExtraBold"},
	{"Noto Sans CJK", 500, "NotoSansCJK-Medium"},
	{"Noto Sans CJK", 700, "NotoSansCJK-Bold"},
}

// Fonts returns the fonts of the board, the Latin family before the one for
// Chinese and Korean. The licence of each stands beside its file.
func Fonts() []Font {
	out := make([]Font, 0, len(fontTable))
	for _, f := range fontTable {
		data, err := fontFiles.ReadFile("fonts/" + f.file + ".otf")
		if err != nil {
			panic(fmt.Sprintf("font %s was not built in: %v", f.file, err)) // a test would have failed
		}
		out = append(out, Font{f.family, f.weight, data})
	}
	return out
}
