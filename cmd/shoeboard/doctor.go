package main

import (
	"context"
	"fmt"

	"shoeboard/cmd/internal/doctor"
)

type doctorVerb struct{ lookFlags }

// Run looks at everything that a unit needs and says what to do. It changes
// nothing. It fails when there is a fault; a warning is no failure.
func (v *doctorVerb) Run(ctx context.Context, p *program, all *verbs) error {
	sick, err := v.meet(ctx, p, all)
	if err != nil {
		return err
	}
	found := doctor.Examine(sick)
	if v.JSON {
		err = writeJSON(p.out, found)
	} else {
		err = doctor.Report(p.out, found)
	}
	if err != nil {
		return err
	}
	if n := doctor.Count(found, doctor.Broken); n > 0 {
		return fmt.Errorf("%d of %d checks found a fault", n, len(found))
	}
	return nil
}
