package assets

import (
	"bytes"
	"slices"
	"testing"
)

func TestBothGamesAreBuiltIn(t *testing.T) {
	if got, want := PackIDs(), []string{"dai-bacc", "ez-baccarat-panda-8"}; !slices.Equal(got, want) {
		t.Errorf("built in are %v, want %v", got, want)
	}
	for _, id := range PackIDs() {
		file, data, ok := Pack(id)
		if !ok || file != "packs/"+id+".toml" || !bytes.Contains(data, []byte("id = \""+id+"\"")) {
			t.Errorf("pack %s is %s with %d bytes, %v", id, file, len(data), ok)
		}
	}
	if _, _, ok := Pack("no-such-game"); ok {
		t.Error("there is a pack of a game that does not exist")
	}
}
