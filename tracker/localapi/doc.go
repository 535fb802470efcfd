// Package localapi is the window of other processes of the unit into the core: HTTP
// over a Unix socket, JSON both ways, paths under /v1/.
//
// Words: the core is the process that owns the table; a Board is what players
// may see of it; a beat is an empty line in the stream of Boards that says the
// core still works; a peer is the process at the other end of the socket, known
// by the kernel and not by what it says.
//
//	GET  /v1/board                the newest Board
//	GET  /v1/boards               every newest Board as it comes, one a line
//	GET  /v1/version              the program (Version)
//	GET  /v1/health               whether the core works, and its faults (Health)
//	GET  /v1/shoes?from=N         every finished shoe from number N on, oldest first, as package
//	                              history stores it (history.Open reads it); no N: all
//	POST /v1/identify?seconds=N   flash the table number, 0 to 600 s, 0 stops
//	POST /v1/screen-test?page=P   a page of the screen's test (stats.TestPages), none: the board;
//	                              force=true: in the middle of a hand as well
//	POST /v1/drawn                a screen reports that it shows the board now
//	POST /v1/reload               read the configuration again
//	POST /v1/acknowledge?code=C   acknowledge a fault in the caller's name; root may do it in
//	                              another's: by=NAME
//	POST /v1/acted?act=A&was=W&is=I
//	                              record that a verb did something to the unit, by the caller's
//	                              user id; root may do it in another's: by=1000
//	POST /v1/hands                a correction by the floor (Correction), answered by its
//	                              result (Corrected); by as in acknowledge
//	POST /v1/press                {"key":"BANKER","down":true}
//
// An answer of 400 and above is {"error":"…"}, one sentence for people. Another POST
// answers 204 when it is done.
//
// A caller may assume that Publish never waits for a reader and that a slow
// reader is shown the newest Board next, having missed those between; that a
// Board is encoded once however many read it; that a beat is sent at least every
// two seconds and only while the core's own loop answers; that only root, the
// core's own user and those whom Guard names change anything; that only those
// whom Screens names are believed to be a screen; and that a socket file in use
// is never removed. It may not assume that it sees every Board, and it may not
// change a Board that it has published or been given.
//
// Reading is open to everybody who can open the socket (its mode is 0660), because
// neither a Board nor a finished shoe holds what players may not see.
//
// Another program of the unit can check who has connected in the same way: Guard.Check.
package localapi
