package table

import (
	"cmp"
	"context"
	"errors"
	"time"

	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/menu"
)

// taskWithin is how long a maintenance task may take before the page says that there is no
// answer.
const taskWithin = 5 * time.Minute

// task is the maintenance task that runs, one at a time.
type task struct {
	menu.Task   // No 0: none runs
	since       time.Duration
	isCancelled bool // nothing waits for it any more
}

// startTask starts a task of the menu. While another runs, cancelled or not, it is refused.
func (e *Engine) startTask(t menu.Task) {
	if e.task.No != 0 {
		e.answerTask(t.No, failed("Still busy: "+string(e.task.Kind), "Try again later"))
		return
	}
	e.task = task{Task: t, since: e.now.Mono}
	e.effects.Task = &t
	if t.Kind.Acts() {
		act := tracker.Command{Kind: tracker.Acted, Code: string(t.Kind), Text: t.Arg, By: cmp.Or(t.By, "keypad")}
		if t.Kind == menu.SetTable {
			act.Was = e.state.Settings.Table
		}
		e.Request(e.now, "menu", act)
	}
}

// Act asks for something to be recorded that was done to the unit elsewhere. The error says
// why it cannot be.
func (e *Engine) Act(now tracker.Stamp, c tracker.Command) error {
	e.at(now)
	c.Kind, c.At = tracker.Acted, now
	if _, _, err := tracker.Decide(e.context().Projected, c); err != nil {
		return err
	}
	if !e.enqueue(pending{commands: []tracker.Command{c}, source: "verb", quiet: true}) {
		return errors.New("too much waits to be recorded: try again")
	}
	return nil
}

// recordSignIn records that somebody has signed in, or has tried to, and never a PIN.
func (e *Engine) recordSignIn(t menu.Task, r menu.Result) {
	text := "right"
	if r.Failed {
		text = "wrong"
	}
	e.Request(e.now, "menu", tracker.Command{Kind: tracker.Acted, Code: string(menu.SignIn), Text: text,
		By: t.Arg[:min(2, len(t.Arg))]})
}

// finishTask takes the result of a task.
func (e *Engine) finishTask(f Finished) {
	if f.No == e.task.No {
		if e.task.Kind == menu.SignIn {
			e.recordSignIn(e.task.Task, f.Result)
		}
		e.task = task{}
		e.answerTask(f.No, f.Result)
	}
}

func failed(lines ...string) menu.Result { return menu.Result{Failed: true, Lines: lines} }

func (e *Engine) answerTask(no int, r menu.Result) {
	c, out := e.console.Finish(e.context(), no, r)
	e.accept(c, out, "menu")
}

// taskDue returns when the task that runs will have run for too long. It may have been
// cancelled by a key that did not count after all: its page waits again.
func (e *Engine) taskDue() (time.Duration, bool) {
	return e.task.since + taskWithin, e.task.No != 0 && e.console.Task() == e.task.No
}

// giveUpTask answers for a task that has run for too long.
func (e *Engine) giveUpTask() {
	if due, runs := e.taskDue(); runs && e.now.Mono >= due {
		e.answerTask(e.task.No, failed("No answer", "Try again later"))
	}
}

// fillMenu fills in the technician's page of a Board.
func (e *Engine) fillMenu(b *stats.Board) {
	moved := e.console.FillMenu(e.context(), b)
	if b.Test == stats.KeypadTest {
		source := ""
		if len(moved) > 0 {
			source = moved[0].Source
		}
		b.Keypad = e.keysOf(source).States(e.state.Settings.Entry, moved)
	}
	if f := e.faults[notRecording]; f.here && b.Menu != nil && b.Menu.Refused == "" {
		b.Menu.Refused = f.text
	}
}

// runner does the maintenance tasks, one at a time, in the one goroutine of its run:
// whatever they wait for, the table does not.
type runner struct {
	do     func(context.Context, menu.Task) menu.Result
	jobs   chan taskJob  // room for one: none is sent while one runs
	done   chan Finished // room for one, so that a result that nobody waits for holds nothing up
	over   chan struct{}
	cancel context.CancelFunc // of the task that was started last
}

type taskJob struct {
	ctx  context.Context
	task menu.Task
}

func newRunner(do func(context.Context, menu.Task) menu.Result) *runner {
	if do == nil {
		do = func(context.Context, menu.Task) menu.Result {
			return failed("Not on this unit")
		}
	}
	return &runner{do: do, cancel: func() {},
		jobs: make(chan taskJob, 1), done: make(chan Finished, 1), over: make(chan struct{})}
}

// run does tasks until stop.
func (r *runner) run() {
	defer close(r.over)
	for j := range r.jobs {
		r.done <- Finished{j.task.No, r.do(j.ctx, j.task)}
	}
}

// carryOut cancels the task that runs or starts one.
func (r *runner) carryOut(fx Effects) {
	if fx.Cancel {
		r.cancel()
	}
	if fx.Task != nil {
		ctx, cancel := context.WithCancel(context.Background())
		r.cancel()
		r.cancel = cancel
		r.jobs <- taskJob{ctx, *fx.Task}
	}
}

// stop cancels the task that runs and takes no more.
func (r *runner) stop() {
	r.cancel()
	close(r.jobs)
}

// wait waits for the end of a task that was cancelled, for as long as a stop may take, and
// reports whether it has ended.
func (r *runner) wait() bool {
	select {
	case <-r.over:
		return true
	case <-time.After(closeWithin):
		return false
	}
}

// SetStaff says whether the unit has staff: some pages of the menu need somebody then.
func (e *Engine) SetStaff(now tracker.Stamp, has bool) {
	e.at(now)
	e.staff, e.known = has, nil
}
