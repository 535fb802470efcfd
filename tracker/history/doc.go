// Package history is the index of the shoes that were dealt: one row a shoe,
// for the previous shoe, reports, recall and exports.
//
// # Words
//
// A row is one shoe: its key is the sequence number of its first record in the
// journal, its Last that of its last one. To rebuild is to make all rows anew
// from the journal, to catch up is to make those anew from the newest row on.
// A file is put aside when it is renamed to NAME.corrupt.N because it is
// damaged.
//
// # What a caller may assume
//
// The journal is the record and this is not: the file may be deleted,
// emptied, cut, altered or replaced at any moment before Open, and Open gives
// every row all the same, from the journal. Open looks through the whole file
// before bbolt does (bbolt keeps no checksums of its data pages, and damaged
// ones have made it panic, fault, or give altered rows without a word), and
// says in its Report what it did and why.
//
// Rows that the journal has lost stay where a caller says which they are (Reach.Gone, and
// Amend, which marks them): of these the index is the only witness, and they go when it is
// deleted, or damaged before them.
//
// Damage that shows later gives ErrDamaged, from this call and from every one
// after it, until Rebuild. No call panics, and none answers with a row whose
// checksum is wrong. Open does not wait for another process that has the file
// open: ErrInUse.
//
// When Put returns nil the row is on the medium. Put of the same shoe replaces
// its row, so it may be offered again after any error.
//
// Everything may be used from several goroutines. Another process uses Read,
// which needs no lock and tells when it may have missed rows.
//
// # What a caller may not assume
//
// That a row is there because the journal has its records: Put comes off the
// acknowledged path, and a start may have to catch up. That Open is quick
// after damage: it then waits for the whole journal to be read. That the file
// stays where it is while it is open: Put notices, and Check, and then Rebuild.
package history
