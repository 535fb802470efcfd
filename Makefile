# make run and make test are all that a newcomer needs; make help says the rest.

dev := systemd/dev
fuzztime ?= 10s
suite ?= bookworm

# The program needs no C compiler: the libraries of the window are opened when it
# runs. Only the race detector does.
export CGO_ENABLED ?= 0

# On 32-bit ARM Go names a loader that Debian does not have; the last word counts.
armhf := -ldflags '-s -w -I /lib/ld-linux-armhf.so.3'

# The commit is stamped in where git will tell it (a clone of somebody else's is refused).
flags := -trimpath -ldflags '-s -w' $(if $(shell git rev-parse HEAD 2>/dev/null),,-buildvcs=false)

.PHONY: help
help: ## what there is to make
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 14

.PHONY: run
run: build ## install what is missing, build, and show a table dealt by itself
	@$(dev)/run.sh

.PHONY: build
build: net ## bin/shoeboard for this machine
	go build $(flags) $(if $(filter arm,$(shell go env GOARCH)),$(armhf)) -o bin/shoeboard ./cmd/shoeboard

.PHONY: cross
cross: net ## dist/shoeboard-ARCH for amd64, arm64 and arm
	GOARCH=amd64 go build $(flags) -o dist/shoeboard-amd64 ./cmd/shoeboard
	GOARCH=arm64 go build $(flags) -o dist/shoeboard-arm64 ./cmd/shoeboard
	GOARCH=arm GOARM=7 go build $(flags) $(armhf) -o dist/shoeboard-arm ./cmd/shoeboard

.PHONY: test
test: net ## install what is missing; vet, staticcheck, and all tests with the race detector
	@$(dev)/need.sh window xvfb test
	go vet ./...
	go tool staticcheck ./...
	CGO_ENABLED=1 go test -race -shuffle=on -timeout 9m ./...

.PHONY: walks
walks: net ## the long walks: all keypads, all bet modes, every byte, all screens in all languages (minutes)
	WALKS=all go test -timeout 30m ./tracker/table -rapid.checks=300
	WALKS=all go test -timeout 30m ./display/scene

.PHONY: faults
faults: net ## power cuts, lying cards and damaged folders for the real program, seconds=60 each (root)
	FAULTS_SECONDS=$(or $(seconds),60) go test -count 1 -timeout 60m -v ./cmd/internal/faults

.PHONY: soak
soak: net ## 72 hours of hands in simulated time: what the process holds does not grow (minutes)
	SOAK_HOURS=72 go test -count 1 -timeout 120m -v -run Soak ./cmd/internal/faults

.PHONY: test-guest
test-guest: net ## our drivers against a kernel's own, in a virtual machine (some minutes, apt)
	@$(dev)/need.sh guest
	systemd/dev/guest/run.sh

.PHONY: noise
noise: net ## five million damaged shoe frames: no wrong hand is certain
	FRAMES=1000000 go test -run NoiseMakes -v -timeout 30m ./hw/shoe

.PHONY: latency-panel
latency-panel: net ## from a key to its lamp and beep, and to the board on the socket: 500 presses
	go test -run '^$$' -bench '^BenchmarkKeyToPanel$$' -benchtime 500x ./cmd/internal/e2e

.PHONY: fuzz
fuzz: net ## every fuzz target for fuzztime=10s
	@$(dev)/need.sh window xvfb test
	$(dev)/fuzz.sh $(fuzztime)

.PHONY: bench
bench: net ## all benchmarks
	@$(dev)/need.sh window xvfb test
	go test -run '^$$' -bench . -benchmem ./...

.PHONY: idle
idle: build ## five minutes without a key: frames drawn and processor time (slow)
	@$(dev)/need.sh window xvfb
	$(dev)/idle.sh

.PHONY: scale
scale: net ## five years of one table: start, memory, export, index (minutes, 4 GB in TMPDIR)
	SCALE_SHOES=54000 go test -run '^$$' -bench Years -benchtime 1x -timeout 60m ./cmd/internal/e2e

.PHONY: latency
latency: net ## from a key event to a changed pixel: 500 presses three ways (slow)
	@$(dev)/need.sh window xvfb
	go test -run '^$$' -bench '^BenchmarkKeyToPixel$$' -benchtime 500x -timeout 40m ./cmd/internal/e2e

.PHONY: bench-frame
bench-frame: net ## a full redraw against an empty frame of the same size
	@$(dev)/need.sh window xvfb
	go test -run '^$$' -bench '^BenchmarkFullRedrawAgainstEmptyFrame$$' -benchtime 20x ./display

.PHONY: fonts
fonts: ## cut the embedded fonts anew from Debian's packages
	@$(dev)/need.sh fonts
	assets/fonts/subset.sh assets/lang assets/packs

.PHONY: specimen
specimen: build ## out/specimen: a picture of every state of the board
	bin/shoeboard specimen --out out/specimen

.PHONY: test-fresh
test-fresh: ## make run and make test in a new Debian root, suite=bookworm (slow, root)
	@$(dev)/need.sh fresh
	$(dev)/fresh.sh $(suite)

.PHONY: count
count: ## how large the program is, and how it is formed
	@go run ./systemd/dev/count -packages

.PHONY: net
net:
	@command -v go >/dev/null || { echo "There is no go command here; Go 1.26 or later is at https://go.dev/dl/" >&2; exit 1; }
	@$(dev)/need.sh net

.PHONY: clean
clean: ## remove what was built
	rm -rf bin dist out

.PHONY: deb
deb: net ## dist/shoeboard_VERSION_ARCH.deb for arm64, armhf and amd64
	systemd/deb/build.sh

.PHONY: test-unit
test-unit: net ## a unit's life from its package, in a container with a systemd (slow, root)
	@$(dev)/need.sh fresh
	@command -v systemd-nspawn >/dev/null || { echo "There is no systemd-nspawn here: apt-get install systemd-container" >&2; exit 1; }
	systemd/deb/test-unit.sh $(suite)

.PHONY: test-image
test-image: net ## the image's customisation and its two slots, in a container (slow, root)
	@$(dev)/need.sh fresh
	systemd/image/try.sh

.PHONY: evening
evening: net ## three shoes of 80 hands keyed through real X key events, with two kills (slow)
	@$(dev)/need.sh window xvfb test
	EVENING_HANDS=80 go test -run DealersEvening -v -timeout 40m ./cmd/internal/e2e
