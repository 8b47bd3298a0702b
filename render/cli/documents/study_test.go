package documents_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"achilles/render/cli"
	"achilles/render/cli/clitest"
)

// studied runs a command of a study: the server until it has said where it is, and collect on the answers of three made-up people.
func studied(t *testing.T, args []string) {
	t.Helper()
	if args[1] == "serve" {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		w := &listener{said: "interrupt to end", do: cancel}
		if code := cli.Run(ctx, cli.Host{}, args, io.Discard, w); code != 0 || ctx.Err() == nil {
			t.Errorf("exit %d\n%s", code, &w.text)
		}
		return
	}
	if args[1] == "collect" {
		var c struct {
			Study string
			Order []string
		}
		if err := json.Unmarshal(clitest.Read(t, args[2]+"/site/study.json"), &c); err != nil {
			t.Fatal(err)
		}
		var rows strings.Builder
		for p := range 3 {
			for i, item := range c.Order[:4] {
				fmt.Fprintf(&rows, "{\"study\":%q,\"participant\":\"P%d\",\"session\":\"s\",\"row\":%d,\"kind\":\"item\",\"item\":%q,\"position\":%d,\"answer\":%q,\"rt\":%d}\n", c.Study, p, i+1, item, i+1, string(rune('a'+p)), 800+100*p+50*i)
			}
		}
		clitest.Write(t, args[2]+"/answers.jsonl", []byte(rows.String()))
	}
	clitest.Must(t, args...)
}
