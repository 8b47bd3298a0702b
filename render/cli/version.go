package cli

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is the version that the next release has.
const release = "0.1.0"

// version returns the version of the program, with the commit that it was built from if the go command knew it, and the
// version of Go that built it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return release
	}
	return versionOf(info)
}

func versionOf(info *debug.BuildInfo) string {
	said := map[string]string{}
	for _, s := range info.Settings {
		said[s.Key] = s.Value
	}
	v := release
	if commit := said["vcs.revision"]; commit != "" {
		v += "+" + commit[:min(12, len(commit))]
		if said["vcs.modified"] == "true" {
			v += ".modified"
		}
	}
	return v + ", built with " + info.GoVersion
}

func versionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program",
		Long: `Version prints the version, the commit that the program was built from, where the go command knew it, and the version of
Go. So does --version.`,
		Example: `  achilles version`,
		Args:    cobra.NoArgs,
		RunE: a.do(func(context.Context, []string) error {
			_, err := fmt.Fprintf(a.stdout, "achilles version %s\n", version())
			return err
		}),
	}
}
