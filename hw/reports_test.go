package hw_test

import (
	"os"
	"strings"
	"testing"
)

// reports are the public bug reports of other people's drivers whose sequences are
// tried on ours, and the tests that do.
var reports = []struct {
	report string
	tests  []string // in folders below this one
}{
	{"periph/host 78, periph/conn 40: a wait without end spins", []string{
		"linux/gpio_test.go TestWaitEndsWithAnEdgeItsTimeOrItsContext", "matrix/matrix_test.go TestIdleKeypadRestsAndItsFirstPressWorks",
		"../systemd/dev/guest/figures_test.go TestIdleKeypadsTakeUnderOnePercentAndHearTheFirstPress"}},
	{"periph/host 70: a second name of a chip costs descriptor 0", []string{
		"linux/gpio_test.go TestSecondNameOfAChipIsLeftOutAndStandardInputStays", "../systemd/dev/guest/wires_test.go TestSecondNameOfAChipCostsNothing"}},
	{"periph/host 75: to read an output lets go of it", []string{
		"../systemd/dev/guest/wires_test.go TestReadingTheStateOfLinesLeavesOutputsAlone"}},
	{"raspberrypi/linux 6144, gpiozero 1166, SignalK 1788, WiringPi 280: the chip has another number", []string{
		"linux/gpio_test.go TestLinesAreFoundWhateverTheChipsNumber", "linux/gpio_test.go TestLineThatIsNotThereIsAClearError",
		"../systemd/dev/guest/wires_test.go TestChipThatComesBackUnderAnotherNumberIsFound"}},
	{"pad4pi 16 and 17: two keys of a row short two columns", []string{
		"matrix/matrix_test.go TestTwoKeysOfOneRowAreBothSeen", "../systemd/dev/guest/wires_test.go TestMatrixOnAGPIOChip"}},
	{"pad4pi 2 and 18: quick presses are doubled or told as others", []string{
		"matrix/matrix_test.go TestQuickPressesAreNeitherDoubledNorInvented", "../systemd/dev/guest/wires_test.go TestQuickPressesWithBounceAreEachToldOnce"}},
	{"pad4pi 5, arduino-mcp23017 13, home-assistant 23127, piface 8: the interrupt stays low", []string{
		"expander/expander_test.go TestInterruptThatIsLowAtTheStartSilencesNothing", "expander/expander_test.go TestTwoChangesBeforeServiceSilenceNothing",
		"expander/expander_test.go TestNAKDuringServiceSilencesNothing", "../systemd/dev/guest/wires_test.go TestInterruptThatIsLowAtTheStartSilencesNothing",
		"../systemd/dev/guest/wires_test.go TestInterruptsInQuickOrderAndNoAnswerSilenceNothing"}},
	{"input-remapper 486, tofi 129, neru 1385: NumLock about every key, or off", []string{
		"evdev/pad_test.go TestPadThatWrapsEachKeyInNumLock", "../systemd/dev/guest/pad_test.go TestNumLockIsNoKeyAndChangesNone"}},
	{"LazyTyper 95, bcon 10, logkeys 40: a key held while the plug is pulled", []string{
		"evdev/pad_test.go TestAnotherPadStandsIn", "../systemd/dev/guest/pad_test.go TestPlugPulledWhileAKeyIsHeld"}},
	{"consrv 3, jacobsa 51, bugst 13: the serial adapter vanishes and has another name", []string{
		"shoe/source_test.go TestAdapterThatVanishesAndReturnsLosesNoHandInSilence", "linux/serial_test.go TestUnpluggedPortIsAnError",
		"../systemd/dev/guest/shoe_test.go TestSerialAdapterVanishesAndReturnsUnderAnotherName"}},
	{"makerspace-auth 52, DoorPi 134, pikeyd 8: noise presses a key, or one for ever", []string{
		"matrix/matrix_test.go TestSpikeOnARowPressesNothing", "matrix/matrix_test.go TestRowThatTouchesGroundIsAFaultAndPressesNothing",
		"../systemd/dev/guest/wires_test.go TestSpikesPressNothingAndAGroundedRowIsNamed"}},
	{"a shoe reader's project: phantom rounds, a shoe that lasts for days", []string{
		"shoe/source_test.go TestRecordedSequencesMakeNoPhantomHand", "shoe/angeleye_test.go TestNoHandBeginsWithoutPlayersFirstCard",
		"shoe/angeleye_test.go TestNewShoeIsTheCutCardAndThenAStart", "shoe/angeleye_story_test.go TestEveningOfAHiddenShoe"}},
	{"google/periph 434: a badge that is read twice blocks", []string{
		"evdev/pad_test.go TestBadgeThatIsReadTwiceIsNoPressAndHoldsNoneUp"}},
}

func TestEveryPublicReportHasItsTests(t *testing.T) {
	if len(reports) != 13 {
		t.Errorf("%d reports, want 13", len(reports))
	}
	for _, r := range reports {
		for _, test := range r.tests {
			file, name, _ := strings.Cut(test, " ")
			text, err := os.ReadFile(file)
			if err != nil || !strings.Contains(string(text), "\nfunc "+name+"(t *testing.T)") {
				t.Errorf("%s: there is no %s, %v", r.report, test, err)
			}
		}
	}
}
