// Package assets is what the program carries with it: fonts with their
// licences, rule packs, languages and the manual, embedded at build time.
//
// Nothing here is read from the disk of the unit, so a program that starts has
// all of it. Callers get the bytes as they were built in and must not change
// them.
package assets
