package scene

// Key names one text of the catalogues in assets/lang.
type Key uint8

// The texts of the board. Their words in each language are in the catalogues.
const (
	Language Key = iota
	HandNo
	TableName
	ShoeToday
	Clock
	AM
	PM
	ClockNotSet
	PlayerWord
	BankerWord
	TieWord
	PlayerShort
	BankerShort
	TieShort
	ThisShoe
	Incomplete
	Since
	NaturalWord
	NaturalShort
	PreviousShoe
	PreviousWord
	Hands
	HandsOne
	BeadPlate
	BigRoad
	BigEyeBoy
	SmallRoad
	Cockroach
	TableClosed
	Shuffling
	PlaceBets
	NoMoreBets
	PlayerWins
	BankerWins
	TieResult
	SidesPush
	PlayerPush
	BankerPush
	Pays
	NaturalOf
	NaturalOver
	NaturalBoth
	FreeHand
	NoBets
	HandVoid
	VoidMisdeal
	VoidExposed
	VoidFloor
	ShoeOver
	LastHand
	PausedWord
	ReviewWord
	CardsDecide
	Collection
	PlayerDealer
	DealerEntering
	DealerAsked
	DealerRefused
	DealerTold
	DealerSaved
	DealerWarned
	Staff
	Saving
	ConfigRefused
	ConfigPlace
	ConfigStays
	FaultOver
	FaultKnown
	Waiting
	TestPattern
	KeypadTest
	KeypadHint
	TestMode
	TestNext
	TestRotation
	TestUp
	TestUpIf
	TestOverscan
	TestSeeEdges
	TestGrid
	TestSeePixels
	TestColours
	TestSeeColours
	TestField
	TestSeeDots
	TestPhases
	TestLabels
	TestSeeWords
	TestMissing
	BetsPay
	Odds
	WinsPlayer
	WinsBanker
	WinsTie
	WinsDragon7
	WinsPanda8
	WinsOx6
	WinsTiger7
	WinsKill
	keyCount
)

// keyNames are the keys as they stand in a catalogue.
var keyNames = [keyCount]string{
	Language: "language",
	HandNo:   "hand", TableName: "table", ShoeToday: "shoe_today",
	Clock: "clock", AM: "am", PM: "pm", ClockNotSet: "clock_not_set",
	PlayerWord: "player", BankerWord: "banker", TieWord: "tie",
	PlayerShort: "player_short", BankerShort: "banker_short", TieShort: "tie_short",
	ThisShoe: "this_shoe", Incomplete: "incomplete", Since: "since", NaturalWord: "natural", NaturalShort: "natural_short",
	PreviousShoe: "previous_shoe", PreviousWord: "previous", Hands: "hands", HandsOne: "hands_one",
	BeadPlate: "bead_plate", BigRoad: "big_road", BigEyeBoy: "big_eye_boy", SmallRoad: "small_road", Cockroach: "cockroach",
	TableClosed: "table_closed", Shuffling: "shuffling", PlaceBets: "place_bets", NoMoreBets: "no_more_bets",
	PlayerWins: "player_wins", BankerWins: "banker_wins", TieResult: "tie_result",
	SidesPush: "sides_push", PlayerPush: "player_push", BankerPush: "banker_push", Pays: "pays",
	NaturalOf: "natural_of", NaturalOver: "natural_over", NaturalBoth: "natural_both",
	FreeHand: "free_hand", NoBets: "no_bets",
	HandVoid: "hand_void", VoidMisdeal: "void_misdeal", VoidExposed: "void_exposed", VoidFloor: "void_floor",
	ShoeOver: "shoe_over", LastHand: "last_hand", PausedWord: "paused", ReviewWord: "review", CardsDecide: "cards_decide",
	Collection: "collection", PlayerDealer: "player_dealer",
	DealerEntering: "dealer_entering", DealerAsked: "dealer_asked", DealerRefused: "dealer_refused",
	DealerTold: "dealer_told", DealerSaved: "dealer_saved", DealerWarned: "dealer_warned",
	Staff: "staff", Saving: "saving", ConfigRefused: "config_refused", ConfigPlace: "config_place", ConfigStays: "config_stays",
	FaultOver: "fault_over", FaultKnown: "fault_known",
	Waiting: "waiting", TestPattern: "test_pattern", KeypadTest: "keypad_test", KeypadHint: "keypad_hint",
	TestMode: "test_mode", TestNext: "test_next",
	TestRotation: "test_rotation", TestUp: "test_up", TestUpIf: "test_up_if",
	TestOverscan: "test_overscan", TestSeeEdges: "test_see_edges", TestGrid: "test_grid", TestSeePixels: "test_see_pixels",
	TestColours: "test_colours", TestSeeColours: "test_see_colours", TestField: "test_field", TestSeeDots: "test_see_dots",
	TestPhases: "test_phases", TestLabels: "test_labels", TestSeeWords: "test_see_words", TestMissing: "test_missing",
	BetsPay: "bets_pay", Odds: "odds",
	WinsPlayer: "wins_player", WinsBanker: "wins_banker", WinsTie: "wins_tie",
	WinsDragon7: "wins_dragon_7", WinsPanda8: "wins_panda_8",
	WinsOx6: "wins_ox_6", WinsTiger7: "wins_tiger_7", WinsKill: "wins_kill",
}

// winsOf is the text that says when a bet wins, by the bet's id.
var winsOf = map[string]Key{
	"player": WinsPlayer, "banker": WinsBanker, "tie": WinsTie,
	"dragon-7": WinsDragon7, "panda-8": WinsPanda8,
	"ox-6": WinsOx6, "tiger-7": WinsTiger7, "kill": WinsKill,
}

// reasonOf is the text for the reason of a void, by the word in the record.
var reasonOf = map[string]Key{"misdeal": VoidMisdeal, "exposed card": VoidExposed, "floor": VoidFloor}
