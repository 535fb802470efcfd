package scene

import "shoeboard/stats"

// menuSpecimens are pages of the technician's menu, and the question of a take-over.
func menuSpecimens() []Specimen {
	page := func(name, title string, m stats.Menu) Specimen {
		return Specimen{Name: "menu-" + name, Title: "Technician's menu: " + title,
			Board: with(kind(panda8(""), stats.BarClosedTable), func(b *stats.Board) { b.Phase, b.Menu = "table-closed", &m })}
	}
	const items = "DIGIT = OPEN     CLEAR = BACK     FLOOR = LEAVE"
	return []Specimen{
		page("main", "first page", stats.Menu{Title: "MENU", At: -1, Hint: items, Lines: []string{
			"1  Status: address, serial number, versions", "2  Doctor: what is wrong and what to do", "3  Faults: list and acknowledge",
			"4  Screen test", "5  Keypad test", "6  Set the time", "7  Table number", "8  Stick: state, bundle, update, export", "9  Restart and power off"}}),
		page("doctor", "the doctor's findings", stats.Menu{Title: "DOCTOR", At: 2, Above: true, Below: true,
			Hint: "2 = DOWN   8 = UP   OK = AGAIN   CLEAR = BACK", Lines: []string{
				"FAULT keypad: the matrix pad does not answer:", "   look at the plug of its ribbon cable",
				"WARNING clock: not set since the start:", "   set it here, item 6", "WARNING space: 312 MB free: put a bigger",
				"   card in", "OK record: 48,311 records, chain whole", "OK index: 5 shoes today, in step", "OK display: HDMI-A-1, 1920x1080 at 60 Hz",
				"OK temperature: 51 degrees", "OK power: no under-voltage since the start", "OK program: as it was built"}}),
		page("working", "an errand is out", stats.Menu{Title: "BUNDLE", At: -1, Working: true, Hint: "CLEAR = BACK", Lines: []string{"Please wait."}}),
		page("failed", "an errand failed", stats.Menu{Title: "UPDATE", At: -1, Failed: true, Hint: "OK, CLEAR = BACK",
			Lines: []string{"No stick is plugged in"}}),
		page("time", "the time is keyed", stats.Menu{Title: "SET TIME", At: -1, Refused: "NO SUCH TIME", Hint: "DIGITS     OK = SET     CLEAR = BACK",
			Lines: []string{"2026-13-[3]0 06:58", "Year, month, day, hour, minute"}}),
		page("faults", "faults", stats.Menu{Title: "FAULTS: 2", At: 1, Hint: "DIGIT = ACKNOWLEDGE     OK = NEXT     CLEAR = BACK",
			Lines: []string{"1  keypad-missing  (seen)", "2  clock-not-set", "The clock is not set: times are not to be", "trusted"}}),
		page("take-over", "a card of another unit", stats.Menu{Title: "TAKE OVER TABLE 14?", At: -1, Asking: true, Hint: "OK = YES     CLEAR = NO",
			Lines: []string{"The card was written by unit 10000000abcd.", "Last hand: 2026-11-30 18:42, shoe 3, hand 51"}}),
	}
}
