package stats

// Menu is a page of the technician's menu, or the question of a take-over, whole. It
// takes the place of the board while it is there.
type Menu struct {
	Title string   `json:"title"`
	Lines []string `json:"lines,omitempty"` // those in view, at most a dozen of 44 characters
	// At is the line that the dealer's echo shows, -1 when all lines are in view.
	At      int    `json:"at"`
	Above   bool   `json:"above,omitempty"` // there are lines before those in view
	Below   bool   `json:"below,omitempty"` // and after them
	Hint    string `json:"hint"`            // which key does what
	Working bool   `json:"working,omitempty"`
	Failed  bool   `json:"failed,omitempty"`  // Lines say why it came to nothing
	Asking  bool   `json:"asking,omitempty"`  // a question that must be answered
	Refused string `json:"refused,omitempty"` // why the last press was refused
}
