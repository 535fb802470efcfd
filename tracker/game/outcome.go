package game

// Outcome is what a hand came to: three values and none, never a product of flags.
type Outcome uint8

// The outcomes of a hand.
const (
	NoOutcome Outcome = iota
	Player
	Banker
	Tie
)

// Letter is the outcome's token in shoe files and road vectors: P, B, T, or "-" for none.
func (o Outcome) Letter() string { return [...]string{"-", "P", "B", "T"}[o&3] }

// String is the outcome's word in records: "player", "banker", "tie" or "none".
func (o Outcome) String() string { return [...]string{"none", "player", "banker", "tie"}[o&3] }
