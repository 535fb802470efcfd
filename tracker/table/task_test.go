package table

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"shoeboard/hw"
	"shoeboard/tracker/journal/journaltest"
	"shoeboard/tracker/menu"
)

// hold presses a key for so long.
func (r *room) hold(name string, d time.Duration) {
	pos, _ := r.keys.Find(name)
	r.in <- hw.Press{Source: "pad", Pos: pos, Down: true, At: r.stamp().Mono}
	time.Sleep(d)
	r.in <- hw.Press{Source: "pad", Pos: pos, Down: false, At: r.stamp().Mono}
	time.Sleep(time.Second)
}

// shut closes the table and opens the menu.
func (r *room) shut() {
	time.Sleep(time.Minute)
	r.hold("NEW_SHOE", 2100*time.Millisecond)
	r.tap("OK", "FLOOR")
}

// A task runs beside the table: the loop takes keys while it is out, and its answer
// comes back to the page.
func TestErrandRunsBesideTheTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := openRoom(t, journaltest.New(), time.Now())
		r.does = func(_ context.Context, e menu.Task) menu.Result {
			time.Sleep(3 * time.Second)
			return menu.Result{Lines: []string{"asked for " + string(e.Kind)}}
		}
		r.shut()
		r.tap("1")
		if m := r.board().Menu; m == nil || !m.Working {
			t.Fatalf("the page is %+v", m)
		}
		r.tap("TIE")
		if m := r.board().Menu; m.Refused == "" {
			t.Errorf("a key meanwhile: %+v", m)
		}
		time.Sleep(3 * time.Second)
		if m := r.board().Menu; m.Working || len(m.Lines) != 1 || m.Lines[0] != "asked for status" {
			t.Errorf("the page is %+v", m)
		}
		r.close()
	})
}

// Leaving the page calls a task back. One that does not listen holds up neither the
// table nor, for long, its end.
func TestErrandThatDoesNotEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := openRoom(t, journaltest.New(), time.Now())
		called, release := false, make(chan struct{})
		r.does = func(ctx context.Context, e menu.Task) menu.Result {
			<-ctx.Done()
			called = true
			if e.Kind == menu.Doctor {
				<-release
			}
			return menu.Result{}
		}
		r.shut()
		r.tap("1", "CLEAR")
		synctest.Wait()
		if !called {
			t.Error("the task was not called back")
		}
		r.tap("2", "CLEAR", "1")
		if m := r.board().Menu; !m.Failed || m.Lines[0] != "Still busy: doctor" {
			t.Errorf("the next task: %+v", m)
		}
		from := time.Now()
		r.close()
		if took := time.Since(from); took > closeWithin {
			t.Errorf("the end took %v", took)
		}
		close(release)
		synctest.Wait()
	})
}

// CLEAR or FLOOR calls back what an OK has sent out, and the page stays until it says what
// came of that: it may have been too late. The next one leaves, whatever it comes to.
func TestWhatIsCalledBackIsTold(t *testing.T) {
	for _, key := range []string{"CLEAR", "FLOOR"} {
		synctest.Test(t, func(t *testing.T) {
			r := openRoom(t, journaltest.New(), time.Now())
			late := make(chan struct{})
			r.does = func(ctx context.Context, e menu.Task) menu.Result {
				<-ctx.Done()
				<-late
				return menu.Result{Failed: true, Lines: []string{"Too late: " + string(e.Kind)}}
			}
			r.shut()
			restart := func(keys ...string) {
				r.tap(keys...)
				time.Sleep(time.Second) // the question is to be read
				r.tap("OK", key)
			}
			restart("9", "2")
			if m := r.board().Menu; m == nil || !m.Working || m.Lines[0] != "Cancelling." {
				t.Errorf("%s: the page is %+v", key, m)
			}
			late <- struct{}{}
			synctest.Wait()
			if m := r.board().Menu; m == nil || m.Working || !m.Failed || m.Lines[0] != "Too late: reboot" {
				t.Errorf("%s: the page is %+v", key, m)
			}
			restart("CLEAR", "2")
			r.tap(key)
			if m := r.board().Menu; m != nil && m.Working {
				t.Errorf("%s twice: the page is %+v", key, m)
			}
			close(late)
			r.close()
		})
	}
}

// Without anything to ask the menu says so.
func TestErrandsOfNoUnit(t *testing.T) {
	r := newRunner(nil)
	go r.run()
	r.carryOut(Effects{Task: &menu.Task{No: 7}})
	if a := <-r.done; a.No != 7 || !a.Result.Failed || len(a.Result.Lines) != 1 {
		t.Errorf("answered %+v", a)
	}
	r.stop()
	if !r.wait() {
		t.Error("it does not end")
	}
}
