package testkit

// Two [[screen]] that differ in everything that can be chosen.
const TwoScreens = `bets = "off"
min_hand = 0
[[screen]]
name = "players"
[[screen]]
name = "pit"
languages = ["vi", "en"]
theme = "light"
rotation = 90
size = "1366x768"
bead_style = "chinese"
natural_marks = true
phase_bar = "top"
screen_inches = 15
pixel_shift = true
`
