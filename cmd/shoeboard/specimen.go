package main

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/image/draw"

	"shoeboard/cmd/internal/view"
	"shoeboard/display/paint"
	"shoeboard/display/scene"
	"shoeboard/display/specimen"
)

type specimenVerb struct {
	Out  string `help:"Folder for the pictures." required:"" type:"path" placeholder:"DIR"`
	Only string `help:"Draw only the states whose name begins so." placeholder:"NAME"`
	pictureFlags
}

// Run draws every state of the board. It needs no display: the pictures are painted
// by the same code whose masks the window shows.
func (v *specimenVerb) Run(p *program) error {
	if err := v.check(); err != nil {
		return err
	}
	l, err := view.New(v.screen())
	if err != nil {
		return err
	}
	wanted := slices.DeleteFunc(specimen.All(), func(s specimen.Specimen) bool {
		return !strings.HasPrefix(s.Name, v.Only)
	})
	if len(wanted) == 0 {
		return wrongUse("--only %s: no state is called so", v.Only)
	}
	if err := os.MkdirAll(v.Out, 0o755); err != nil {
		return err
	}
	l.View.W, l.View.H, l.View.Corner = v.Width, v.Height, "SPECIMEN"
	l.View.Boot, l.View.Wall = specimen.Boot, specimen.Wall()
	painter := paint.New()
	var sheet []*image.RGBA
	for _, s := range wanted {
		l.View.Now, l.View.Waiting = s.Now, s.Waiting
		img := painter.Frame(scene.Build(&s.Board, l.View), v.Width, v.Height, l.Rotation)
		if err := view.WritePNG(filepath.Join(v.Out, s.Name+".png"), img); err != nil {
			return err
		}
		sheet = append(sheet, thumbnail(img))
	}
	path := filepath.Join(v.Out, "contact-sheet.png")
	if err := view.WritePNG(path, contactSheet(sheet)); err != nil {
		return err
	}
	fmt.Fprintf(p.out, "%d pictures in %s, all of them on %s\n", len(sheet), v.Out, path)
	return nil
}

const thumbWidth = 480

// thumbnail returns a picture 480 pixels wide.
func thumbnail(img *image.RGBA) *image.RGBA {
	b := img.Bounds()
	small := image.NewRGBA(image.Rect(0, 0, thumbWidth, b.Dy()*thumbWidth/b.Dx()))
	draw.ApproxBiLinear.Scale(small, small.Bounds(), img, b, draw.Src, nil)
	return small
}

// contactSheet lays thumbnails of one size out, four in a row.
func contactSheet(thumbs []*image.RGBA) *image.RGBA {
	const columns, gap = 4, 8
	w, h := thumbs[0].Bounds().Dx()+gap, thumbs[0].Bounds().Dy()+gap
	sheet := image.NewRGBA(image.Rect(0, 0, columns*w+gap, (len(thumbs)+columns-1)/columns*h+gap))
	draw.Draw(sheet, sheet.Bounds(), image.White, image.Point{}, draw.Src)
	for i, t := range thumbs {
		at := image.Pt(gap+i%columns*w, gap+i/columns*h)
		draw.Draw(sheet, t.Bounds().Add(at), t, image.Point{}, draw.Src)
	}
	return sheet
}
