// Package journal is the record of a unit: what was decided at the table, in
// the order it was decided, kept so that a pulled plug, a full card or a
// failing one neither loses a fact that was acknowledged nor doubles one.
//
// # Words
//
// A record is one fact: an event (one decision of the table) or a checkpoint
// (the whole state, so that a start need not read what came before). The
// journal does not know what is in it: payloads are opaque bytes of the
// caller. Records are numbered by their sequence number, from 1, without gaps.
// A segment is one file of records; it is named by its first sequence number
// and its first record is a checkpoint. The last segment is the one that
// grows; those before it are sealed and never touched again. To roll is to
// seal the last segment and begin another.
//
// # What a caller may assume
//
// When Append returns a sequence number, the record is on the medium: it was
// written once and synced once, and it will be read back by every later Open.
// An Append whose event id is already in the record since the last
// checkpoint writes nothing and returns the number it had.
//
// When Append or Roll returns an error that wraps ErrUnknown, nobody knows
// whether the record is on the medium. The journal then refuses to write
// (ErrFailed) until Repair. A sync that failed is never asked for again and
// believed: the kernel may have dropped the pages and would answer "fine".
// Repair reads the segment again and cuts it back to the last acknowledged
// record, with its bytes kept aside, and syncs what it wrote itself; where
// that cannot be done the segment is left as it is and the journal goes on in
// a fresh one. After Repair the record holds what was acknowledged and nothing
// else, so the caller offers the same event again under the same id. If the
// process dies before Repair, the record in question may come back as a good
// one at the next Open; the id makes the second offer harmless then too.
//
// Open never invents. A torn tail is cut to the last good record; a bad
// stretch in the middle is skipped, and the numbers missing there are
// reported; good records after it are still given. A last segment without a
// good checkpoint makes Open fall back to the one before it. Sequence numbers
// that may once have been given are not given again.
//
// Look, Records, Head and Verify take no lock and change nothing: another
// process may read beside the one that writes. Neither they nor Open look at
// more files than they need: with 54,000 segments the list of names is what a
// start pays.
//
// The journal deletes nothing. Bytes cut from a segment are kept beside it in
// a file whose name ends in .cut.
//
// The pending entry (SavePending) is a scratch file and not a fact: it is
// written without a sync, survives the death of the process, and may be lost
// in a power cut. A torn one is ignored.
//
// # What a caller may not assume
//
// That a checkpoint is verified against the events before it: the caller must
// hand in the state that those events fold to, and nothing more. That records
// found after a reported gap fold to the state that was: the caller marks the
// gap. That a flash card which acknowledges a sync it has not done keeps its
// last records: a start then finds fewer, and if none is torn only something
// that reaches further (the pending entry, see Acknowledged, and the index of shoes) can
// tell; Above then keeps their numbers from being given again. That a pending entry is
// still pending: see LoadPending.
//
// # The format, version 1
//
// All numbers are little-endian. CRC32C is the Castagnoli polynomial. A hash
// is the first 16 bytes of SHA-256.
//
// A segment is a file named by its first sequence number in 16 decimal digits
// and ".jrn". It begins with a header of 64 bytes:
//
//	 0  8  "SHOEJRNL"
//	 8  2  format version, 1
//	10  2  length of the unit id, 1 to 40
//	12  4  CRC32C of the header with these four bytes zero
//	16  8  sequence number of the first record
//	24 40  unit id, padded with zeros
//
// Records follow, one directly after the other:
//
//	 0  4  length of the whole record in bytes, 76 to 1048576
//	 4  4  CRC32C of the record without these four bytes
//	 8  8  sequence number
//	16 16  hash of the whole record before this one; for record 1, hash of the unit id
//	32  8  event id, zeros when there is none
//	40 16  boot id
//	56  8  boot clock, nanoseconds, signed
//	64  8  wall clock, nanoseconds since 1970 UTC, signed
//	72  1  kind: 1 event, 2 checkpoint
//	73  1  flags: bit 0 the wall clock was trusted; the others are zero
//	74  1  length of the source, 0 to 32
//	75  1  zero
//	76  …  source, then payload
//
// The envelope is thus 76 bytes and the source. Kinds and flags of format 1 never become
// more, for a program that reads it takes anything else for damage: what is new is another
// format, which an older program leaves as it is (versionError). What may be new in a
// payload is the caller's to say (package tracker).
//
// The pending entry is the file "pending", at most 4096 bytes: length of the
// entry (4), CRC32C of all that follows (4), last acknowledged sequence number
// (8), entry. A length of zero means that nothing is pending. The file "lock"
// is empty and is locked with flock by the process that writes. "roll.tmp" is
// a segment being made and counts for nothing.
package journal
