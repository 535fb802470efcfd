package transfer

import (
	"shoeboard/cmd/internal/config"
	"shoeboard/tracker/journal"
)

// TableOf is the table that a data folder is of: as the folder says; where that cannot
// be read as the record said last; "?" where there is neither. The error says why the
// folder does not say.
func TableOf(data string) (number string, err error) {
	if number, err = config.TableNumber(data); err == nil {
		return number, nil
	}
	state, _ := stateOf(journal.Dir(config.JournalDir(data))) // what is wrong with it is told when it is opened
	if number = state.Settings.Table; config.CheckTable(number) != nil {
		number = "?" // the record may be another's
	}
	return number, err
}
