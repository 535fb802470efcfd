// Package menu holds the technician's menu: its pages, as data, on the dealer's keypad,
// on the echo, and whole on the screen. It opens on a closed table only.
//
// A page that needs something done asks for a Task; its Result comes back as one more
// input. Tasks that only look start when their page opens, all others by an OK on what
// was shown. CLEAR or FLOOR cancels a task that an OK has started.
//
// A caller may assume: every press acts or is refused with a reason; CLEAR leads out of
// every page, and a minute without a press closes the menu; whatever a result says, every
// line fits its page and its echo. The menu records only that somebody has seen a fault.
// A Menu is a value: a copy is a snapshot.
package menu
