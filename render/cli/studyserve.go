package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"

	"achilles/render/study"
	"achilles/scenarios/results"
	"achilles/scenarios/setting"
	"achilles/sim/num"
	"achilles/sim/store"
)

// A studyServing says where a study is served.
type studyServing struct {
	Address string `setting:"address,flag" doc:"address and port to listen on; 0.0.0.0:8080 lets other machines in"`
}

func studyServeCommand(a *app) *cobra.Command {
	s := &studyServing{Address: "127.0.0.1:8080"}
	c := &cobra.Command{
		Use:   "serve DIR",
		Short: "Show a study to a laboratory's browsers, and keep their answers",
		Long: `Serve shows DIR/site to any number of browsers and appends what they send to DIR/answers.jsonl. An answer is on disk before
it is acknowledged, and browsers resend until then, so that nothing is lost when something stops. A participant resumes in any
browser with the same code.`,
		Example: `  achilles study serve studies/ctest --address 127.0.0.1:0`,
		Args:    cobra.ExactArgs(1),
	}
	setting.Of(s).Flags(c.Flags())
	c.RunE = a.do(func(ctx context.Context, args []string) error { return s.serve(ctx, a, args[0]) })
	return c
}

// serve shows a study until the context ends.
func (s *studyServing) serve(ctx context.Context, a *app, dir string) error {
	lock, err := store.LockDir(dir)
	if err != nil {
		return err
	}
	defer lock.Release()
	d, c, err := openStudy(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	site, err := d.FS(studySite)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(d.Path(studyAnswers), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	log, err := study.OpenLog(f, c.Study, c.Order)
	if err != nil {
		return results.Hinted(fmt.Errorf("%s: %w", d.Path(studyAnswers), err), "answers of a site with other settings belong elsewhere: move the file away to start over")
	}
	defer log.Close()
	l, err := net.Listen("tcp", s.Address)
	if err != nil {
		return usagef("--address: %w", err)
	}
	server := &http.Server{Handler: study.Handler(site, c, log), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 5 * time.Minute, MaxHeaderBytes: 1 << 14}
	people, ended, items := log.Count()
	a.say("%s so far, %d of them to the end; %s taken", num.Counted(people, "participant"), ended, num.Counted(items, "item"))
	a.note("http://%s/?%s=CODE   (interrupt to end)", l.Addr(), c.Parameter)
	over := make(chan error, 1)
	go func() { over <- server.Serve(l) }()
	select {
	case err = <-over:
	case <-ctx.Done():
		err = server.Shutdown(context.WithoutCancel(ctx))
		<-over
	}
	people, ended, items = log.Count()
	a.say("%s, %d of them to the end; %s taken; answers in %s", num.Counted(people, "participant"), ended, num.Counted(items, "item"), d.Path(studyAnswers))
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
