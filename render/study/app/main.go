//go:build js && wasm

// Command app is the part of a study's page that runs the worlds. It gives the page two functions, achilles.open and
// achilles.step, which return a frame (package trial) as JSON, or an object with a key error. Package web builds it.
package main

import (
	"encoding/json"
	"syscall/js"

	"achilles/render/study/trial"
)

func main() {
	var now *trial.Trial
	answer := func(err error) any {
		if err != nil {
			b, _ := json.Marshal(map[string]string{"error": err.Error()}) // texts encode
			return string(b)
		}
		return now.Frame().JSON()
	}
	open := js.FuncOf(func(_ js.Value, args []js.Value) any {
		var x trial.World
		err := json.Unmarshal([]byte(args[0].String()), &x)
		if err == nil {
			now, err = trial.Open(x)
		}
		return answer(err)
	})
	step := js.FuncOf(func(_ js.Value, args []js.Value) any { return answer(now.Step(args[0].String())) })
	js.Global().Set("achilles", map[string]any{"open": open, "step": step})
	select {}
}
