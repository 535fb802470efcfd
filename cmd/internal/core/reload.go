package core

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"shoeboard/cmd/internal/config"
	"shoeboard/stats"
	"shoeboard/tracker"
	"shoeboard/tracker/table"
)

// Reload reads the configuration again. A bad one changes only the sentence on the board.
// Totals that cannot be keyed yet wait for the next start, and that is an error too.
func (c *Core) Reload(ctx context.Context) error {
	l, err := c.Set.Reload()
	if err != nil {
		return err
	}
	cfg, waits := c.Set.keyable(l.File.Table(c.Set.Table))
	var why error
	err = c.Table.Do(ctx, func(e *table.Engine, unit *stats.Board) {
		unit.ConfigFault = l.Fault
		e.SetFault(c.Set.Clock.Now(), stats.ConfigCode, configFault(l.Fault))
		if l.Fault != nil {
			why = errors.New(config.FaultText(l.Fault))
			return
		}
		pack, err := config.Pack(cfg.Game)
		if err != nil {
			why = err
			return
		}
		c.Pack, c.Set.Hash = pack, l.Hash()
		c.Set.Config.Zone, c.Set.Config.DayEnds = cfg.Zone, cfg.DayEnds
		unit.Zone = cfg.Zone
		e.Configure(c.Set.Clock.Now(), c.wanted(cfg))
	})
	if err != nil || why != nil {
		return errors.Join(err, why)
	}
	return errors.Join(waits, l.KeepGood(c.Set.Data))
}

// keyable returns a configuration without its totals, and says so, where the keypads lack
// keys for them: their maps are those of this start.
func (s Setup) keyable(cfg config.Config) (config.Config, error) {
	if cfg.Entry != string(tracker.EntryTotals) {
		return cfg, nil
	}
	for _, k := range s.Config.Keypads {
		if missing := s.Config.TotalsLack(k); len(missing) > 0 {
			cfg.Entry = string(tracker.EntryResults)
			return cfg, fmt.Errorf("entry = \"totals\" waits for the next start, all else is in force: "+
				"keypad %s has no key yet for %s: sudo systemctl restart shoeboard",
				k.Name, strings.Join(missing, ", "))
		}
	}
	return cfg, nil
}
