package table

import (
	"context"
	"time"

	"shoeboard/tracker/menu"
)

// runner does the errands of the technician's menu, one at a time, in the one
// goroutine of its run: whatever they wait for, the table does not.
type runner struct {
	do     func(context.Context, menu.Task) menu.Result
	jobs   chan errandJob // room for one: the desk sends none while one is out
	done   chan answered  // room for one, so that an answer to nobody holds nothing up
	over   chan struct{}
	cancel context.CancelFunc // of the errand that went out last
}

type errandJob struct {
	ctx    context.Context
	errand menu.Task
}

type answered struct {
	no     int
	answer menu.Result
}

func newRunner(do func(context.Context, menu.Task) menu.Result) *runner {
	if do == nil {
		do = func(context.Context, menu.Task) menu.Result {
			return menu.Result{Failed: true, Lines: []string{"Not on this unit"}}
		}
	}
	return &runner{do: do, jobs: make(chan errandJob, 1), done: make(chan answered, 1), over: make(chan struct{}), cancel: func() {}}
}

// run does errands until stop.
func (r *runner) run() {
	defer close(r.over)
	for j := range r.jobs {
		r.done <- answered{j.errand.No, r.do(j.ctx, j.errand)}
	}
}

// work sends the errand of a step, or calls back the one that is out.
func (r *runner) work(w Work) {
	if w.Recall {
		r.cancel()
	}
	if w.Errand != nil {
		ctx, cancel := context.WithCancel(context.Background())
		r.cancel()
		r.cancel = cancel
		r.jobs <- errandJob{ctx, *w.Errand}
	}
}

// stop calls back the errand that is out and takes no more.
func (r *runner) stop() {
	r.cancel()
	close(r.jobs)
}

// ended waits for the end of an errand that was called back, for as long as a stop may
// take, and says whether it has ended.
func (r *runner) ended() bool {
	select {
	case <-r.over:
		return true
	case <-time.After(closeWithin):
		return false
	}
}
