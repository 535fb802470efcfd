package evdev

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"shoeboard/hw"
)

// Ranks of what a scan finds, best first. From any on lies the fitness of a numeric pad
// where any is welcome.
const (
	rankEnrolled = 0
	rankAny      = 1
	rankKeyboard = rankAny + fitnessKeyboard
	rankStandIn  = 9
	rankForeign  = 10
)

// offer is a device that a scan found and holds open.
type offer struct {
	path string
	dev  Device
	id   Identity
	rank int
}

// denialPatience is how long udev may take to give us a new node before the missing right is
// reported.
const denialPatience = 2 * time.Second

// scan inspects all nodes except the open one, attaches the best, and reports each of the
// others once, and when they have gone. It closes every device that it does not attach.
func (r *run) scan() {
	before := r.said
	r.said, r.another = map[string]hw.Change{}, false
	for _, o := range r.offers(before) {
		wanted := o.rank < r.wanted()
		if wanted && r.attach(o, before) {
			continue
		}
		o.dev.Close()
		if !wanted && o.id.isTyping() && !r.isOther(o.id) && !r.own(o.id) {
			r.strange = true
			r.ignore(before, o.id)
		}
	}
	if r.strange && !r.standsIn() && !r.strangers() {
		r.strange, r.idle = false, false
		r.notice(hw.Left, "", "no keyboard that is not enrolled is there any more")
	}
}

// strangers reports whether devices are there that are ignored.
func (r *run) strangers() bool {
	for _, c := range r.said {
		if c == hw.Unknown {
			return true
		}
	}
	return false
}

// wanted returns the rank from which on a device is not attached. A keyboard that stands in
// for a pad gives way to any, another pad only to the one that is meant: nobody takes the
// dealer's place by plugging something in.
func (r *run) wanted() int {
	switch {
	case r.open == nil:
		return rankForeign
	case r.standsIn():
		return rankStandIn
	case r.rankOpen == rankKeyboard:
		return rankKeyboard
	case r.accepted != Match{} && r.id.Match != r.accepted:
		return rankAny
	}
	return rankEnrolled // nothing is better
}

// ignore reports a device that is not attached. If it looks like a pad, somebody presses its
// keys in vain.
func (r *run) ignore(before map[string]hw.Change, id Identity) {
	text := fmt.Sprintf("keyboard %s is not enrolled and is ignored", id.called(r.set.Match))
	if before[text] != hw.Unknown && r.said[text] != hw.Unknown {
		pad := id.Numeric() && !id.isReader() && id.fitness() < fitnessKeyboard
		r.idle = r.idle || pad
		r.tell.Strange(r.ctx, text, pad, r.host.Now())
	}
	r.said[text] = hw.Unknown
}

// sayOnce sends a notice that was not sent before, or ceased to hold in between.
func (r *run) sayOnce(before map[string]hw.Change, c hw.Change, text string) {
	if before[text] != c && r.said[text] != c {
		r.notice(c, "", text)
	}
	r.said[text] = c
}

// offers opens all other nodes, best first.
func (r *run) offers(before map[string]hw.Change) []offer {
	paths, err := r.host.Nodes()
	if err != nil {
		r.sayOnce(before, hw.Faulty, fmt.Sprintf("input devices cannot be listed: %v", err))
	}
	denied := map[string]time.Duration{}
	var offers []offer
	for _, path := range paths {
		if path == r.path {
			continue
		}
		o, err := r.inspect(path)
		if errors.Is(err, fs.ErrPermission) {
			denied[path] = r.deniedSince(path)
			if r.wanted() > rankEnrolled && r.host.Now()-denied[path] >= denialPatience {
				r.sayOnce(before, hw.Faulty, fmt.Sprintf("%v (the program's user must be in group input)", err))
			}
		}
		if err == nil {
			offers = append(offers, o)
		}
	}
	r.denied = denied
	slices.SortFunc(offers, func(a, b offer) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), strings.Compare(a.id.Port, b.id.Port),
			strings.Compare(a.path, b.path))
	})
	return offers
}

func (r *run) deniedSince(path string) time.Duration {
	if since, ok := r.denied[path]; ok {
		return since
	}
	return r.host.Now()
}

// inspect opens and identifies a node. Errors other than missing rights mean that it has
// just gone or is no such device.
func (r *run) inspect(path string) (offer, error) {
	dev, err := r.host.Open(path)
	if err != nil {
		return offer{}, err
	}
	id, err := dev.Identity()
	if err != nil {
		dev.Close()
		return offer{}, err
	}
	return offer{path, dev, id, r.rank(id)}, nil
}

func (r *run) rank(id Identity) int {
	switch {
	case r.isOther(id):
		return rankForeign
	case id.Match == r.set.Match || id.Match == r.accepted:
		return rankEnrolled
	case !id.Numeric() || id.isReader() || r.own(id):
		return rankForeign
	case r.padSeen() && id.fitness() < fitnessKeyboard:
		return rankStandIn
	case r.set.Match.Fits(id.Match) && (id.fitness() < fitnessKeyboard || !r.set.PadsOnly && !r.padSeen()):
		return rankAny + id.fitness()
	case r.set.Match != Match{} && !r.set.PadsOnly &&
		(id.fitness() < fitnessKeyboard || id.SameModel(r.set.Match)): // somebody has enrolled that model
		return rankStandIn
	}
	return rankForeign
}

// padSeen reports whether a pad has been the one that is meant since the start: then no
// keyboard stands in for it.
func (r *run) padSeen() bool { return r.accepted != Match{} && r.meant < rankKeyboard }

// own reports whether id is another interface of the pad that is open or meant: no other
// keypad, and none that could stand in for it.
func (r *run) own(id Identity) bool {
	return id.isBeside(r.accepted) || r.open != nil && id.isBeside(r.id.Match)
}

func (r *run) isOther(id Identity) bool { return slices.Contains(r.set.Others, id.Match) }
