// Package history keeps the finished shoes of a table in bbolt, one row a shoe, and reads
// the record for them: the state that it comes to, and every shoe that ended in it.
//
// # Words
//
// A row holds a whole shoe: its totals, its hands, and its notes (corrections and
// faults). Its key is the sequence number of the shoe's first record in the journal. To
// rebuild is to make the file again, to catch up is to add what the journal has since. A
// damaged file is put in quarantine: it is renamed to NAME.corrupt.N. A row that the record
// has lost is marked, and is then the only witness of its shoe.
//
// # What a caller may assume
//
// The journal is the write-ahead log of the shoe in play and the evidence from which the
// file is made: the file may be deleted, emptied, cut, altered or replaced at any moment
// before Keeper.Run, and every shoe that the journal still has comes back. Rows of shoes
// that the journal no longer has stay, as long as the file can be read.
//
// bbolt has no checksums of its data pages, and damaged ones have made it panic, fault,
// search in a circle and return altered rows. So nobody opens a file that bbolt's own check
// has not passed in a process of its own, with limits of memory and time (Dump, which the
// hidden verb index-check runs); every row has a checksum, all rows have a sum, and a panic
// of bbolt is recovered around every call.
//
// Neither a start nor a record waits for the file: how far it reaches, by which a start finds
// that the record has lost its end, is noted in a file beside it. What is wrong with it is repaired from
// the journal, or reported as a fault and tried again.
//
// Another process reads through the core's socket, or from the file when no core has it
// open (Open). Both carry the same stream.
//
// # What a caller may not assume
//
// That a shoe is in the file when it has just ended: a start may have to catch up. That
// rows of another program version can be unpacked.
//
// # The stream
//
// Frames follow one another: length of the value (4 bytes, big-endian), key (8), value. A
// stream begins with two frames of JSON, a head and a verdict, whose keys are 0; rows as they
// are stored follow, oldest first; an empty frame with key 0 ends it.
package history
