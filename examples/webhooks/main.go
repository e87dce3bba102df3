// Webhooks receives deliveries that arrive at least once, handles each of
// them exactly once, and checks that it did.
//
//	go run ./examples/webhooks
//	go run ./examples/webhooks -workers 32 -fail-rate 0.5 my-deliveries.jsonl
//	go run ./examples/webhooks -guards -fail-rate 0.6
//	go run ./examples/webhooks -store redis://localhost:6379/0 -ledger ledger.jsonl
//
// A simulated sender hands every line of a file to several workers and sends
// again what was not acknowledged. The file that comes with the example holds
// 324 deliveries with 204 distinct ids. The task is in task.go; with -guards it
// has a rate limit, a circuit breaker, places and a lock beside its claim, and
// the table shows what they refused, which comes again until it is done.
//
// Claims are kept in memory, which serves this one process, or in Redis, which
// serves as many as are started. Those share a ledger, too: the last line
// above, in several terminals at once, handles every id once between them.
// Redis then remembers the ids for a day, so a new ledger needs another
// database.
//
// It exits with 0 when every id was handled exactly once, 1 when one was not,
// 2 when the flags, a file or the store are no good, and 130 when it was
// interrupted.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9/logging"

	"github.com/cmdx-go/cmdx"
)

// The exit statuses.
const (
	exitDone        = 0
	exitWrong       = 1
	exitUsage       = 2
	exitInterrupted = 130
)

const (
	// shortestPause keeps the sender calm when work takes no time.
	shortestPause = 20 * time.Millisecond
	// longestWork with all its retries must end within the task's
	// ProcessingTTL.
	longestWork = time.Minute
)

func main() {
	logging.Disable() // errors of the client come back with the results
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is the program until its exit status; Ctrl-C ends it early.
func run(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	return simulate(ctx, args, stdout, stderr)
}

func simulate(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parseFlags(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitDone
	}
	if err != nil {
		return exitUsage
	}
	deliveries, bad, err := load(o.file)
	if err != nil {
		fmt.Fprintln(stderr, "webhooks:", err)
		return exitUsage
	}
	for _, line := range bad {
		fmt.Fprintln(stderr, line)
	}

	ledger, closeLedger, err := openLedger(o.ledger)
	if err != nil {
		fmt.Fprintln(stderr, "webhooks:", err)
		return exitUsage
	}
	defer closeLedger()
	store, closeStore, err := openStore(ctx, o.store)
	switch {
	case err != nil && ctx.Err() != nil:
		fmt.Fprintln(stderr, "webhooks: interrupted before it began")
		return exitInterrupted
	case err != nil:
		fmt.Fprintln(stderr, "webhooks:", err)
		return exitUsage
	}
	defer closeStore()

	runtime := cmdx.New(cmdx.Configuration{Store: store})
	ids := distinct(deliveries)
	report := &Report{
		Deliveries: len(deliveries), Distinct: len(ids), Skipped: len(bad),
		Tally: &Tally{}, Events: countEvents(runtime.Telemetry()), Guards: o.guards,
	}
	handle := HandleDelivery{
		Service: &Service{Takes: o.work, Fails: failing(o.failRate, o.seed)},
		Ledger:  ledger,
	}
	var task cmdx.Task = &handle
	if o.guards {
		task = &GuardedDelivery{handle}
	}
	sender := &Sender{
		Workers: o.workers, Redeliveries: o.redeliveries, Pause: max(o.work, shortestPause),
		Handle: func(ctx context.Context, d Delivery) *cmdx.Result { return runtime.Execute(ctx, task, d) },
		Tally:  report.Tally,
	}

	hide := func() {}
	if isTerminal(stderr) {
		hide = showProgress(stderr, report.Tally, len(deliveries))
	}
	start := time.Now()
	left := sender.Send(ctx, deliveries)
	report.Wall = time.Since(start)
	hide()

	report.Print(stdout)
	wrong, err := ledger.Check(ids)
	if err != nil {
		fmt.Fprintln(stderr, "webhooks:", err)
		return exitWrong
	}
	status := verdict(wrong, left, stdout, stderr)
	if status == exitWrong && o.store != inMemory && o.ledger == "" {
		fmt.Fprintln(stderr, "webhooks: the store may know ids that an earlier or another process handled: -ledger FILE joins what they did")
	}
	return status
}

// verdict tells what the ledger found. Of an interrupted run only what was
// handled too often is wrong.
func verdict(wrong []Wrong, left int, stdout, stderr io.Writer) int {
	if left > 0 {
		wrong = twice(wrong)
	}
	for _, w := range wrong {
		fmt.Fprintln(stderr, "webhooks:", w)
	}
	switch {
	case len(wrong) > 0:
		fmt.Fprintf(stderr, "webhooks: %d ids were not handled exactly once\n", len(wrong))
		return exitWrong
	case left > 0:
		fmt.Fprintf(stderr, "webhooks: interrupted with %d deliveries left; no id was handled twice\n", left)
		return exitInterrupted
	}
	fmt.Fprintln(stdout, "\nledger: every id was handled exactly once")
	return exitDone
}

type options struct {
	workers, redeliveries int
	failRate              float64
	seed                  uint64
	work                  time.Duration
	guards                bool
	store, ledger         string
	file                  string
}

// parseFlags reports what is wrong on stderr, as package flag does.
func parseFlags(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("webhooks", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&o.workers, "workers", 8, "how many deliveries are handled at once")
	flags.Float64Var(&o.failRate, "fail-rate", 0.2, "share of Work calls that fail, from 0 to 1")
	flags.Uint64Var(&o.seed, "seed", 1, "picks the calls that fail")
	flags.DurationVar(&o.work, "work", 20*time.Millisecond, "how long one Work takes, up to "+longestWork.String())
	flags.IntVar(&o.redeliveries, "redeliveries", 10, "how often a delivery is sent again before it is given up")
	flags.BoolVar(&o.guards, "guards", false, "put a rate limit, a circuit breaker, places and a lock before the work")
	flags.StringVar(&o.store, "store", inMemory, "where claims are kept: "+inMemory+", or a URL such as redis://localhost:6379/0")
	flags.StringVar(&o.ledger, "ledger", "", "a `file` that processes with one store share, to check what they did together")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: webhooks [flags] [file.jsonl]")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.file = flags.Arg(0)
	if err := o.check(flags.Args()); err != nil {
		fmt.Fprintln(stderr, "webhooks:", err)
		flags.Usage()
		return o, err
	}
	return o, nil
}

func (o options) check(files []string) error {
	switch {
	case o.workers < 1:
		return errors.New("-workers must be at least 1")
	case !(o.failRate >= 0 && o.failRate <= 1): // NaN is refused too
		return errors.New("-fail-rate must be from 0 to 1")
	case o.work < 0 || o.work > longestWork:
		return fmt.Errorf("-work must be from 0 to %v", longestWork)
	case o.redeliveries < 0:
		return errors.New("-redeliveries must not be negative")
	case len(files) > 1:
		return errors.New("there may be one file, after the flags")
	case len(files) == 1 && o.file == "":
		return errors.New("the name of the file is empty")
	}
	return nil
}
