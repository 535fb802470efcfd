package journal

// SetLimit makes a segment due for a roll at n bytes.
func (j *Journal) SetLimit(n int64) { j.limit = n }
