package main

import (
	"bytes"
	"testing"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/telemetry"
)

func TestTheReportListsEveryEventThatThereIs(t *testing.T) {
	runtime := cmdx.New(cmdx.Configuration{})
	var stdout bytes.Buffer
	(&Report{Tally: &Tally{}, Events: countEvents(runtime.Telemetry())}).Print(&stdout)
	o := outcome{stdout: stdout.String()}
	for _, name := range telemetry.Names() {
		o.wantRows(t, map[string]int{string(name): 0})
	}
}
