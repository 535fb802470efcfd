// Package config reads the one file that a venue writes, shoeboard.toml.
//
// Words: the file is the same on every card of a venue; its part above the
// first [table.N] is the common part, [table.14] overrides it for table 14; the
// table number is the one fact of a unit and does not stand in the file. A value
// is in force from the override, else from the common part, else built in.
// A section that is a list ([[limit]], [[screen]], [[keypad]], [[shoe]]) or a
// named one ([collections.NAME], [keymap.NAME]) is overridden as a whole.
//
// A caller may assume: exactly one file is in force (Find says which); a file
// is read whole or not at all, for all its tables, so a wrong value for table 15
// is found at table 14 too; every error has file, line, column, key, value and
// what was expected, and as many errors are told at once as can be told apart;
// a Config that came out of here is within all ranges and can be used unasked.
//
// A file that is refused changes nothing: Source.Read then gives the last good one,
// kept in the data folder (and in the usual one, where the file names another), with the
// fault to be shown; without one the defaults. What is wrong is told in words of this
// package, never in those of a parser, and lets who wrote the file put it right.
//
// A caller may not assume that the devices named in a Config are there, nor that
// a Config takes effect at once: each key says when it does (Value.Effect).
package config
