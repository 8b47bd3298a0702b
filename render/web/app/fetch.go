//go:build js && wasm

package main

import (
	"errors"
	"fmt"
	"syscall/js"
)

// get fetches a file of the page's server. It blocks, so it must not be called from an event handler of the page.
func get(path string) ([]byte, error) { return fetch(path, js.Undefined()) }

// post sends a text to the page's server.
func post(path, text string) error {
	_, err := fetch(path, js.ValueOf(map[string]any{"method": "POST", "body": text}))
	return err
}

func fetch(path string, options js.Value) ([]byte, error) {
	response, err := await(js.Global().Call("fetch", path, options))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if !response.Get("ok").Bool() {
		return nil, fmt.Errorf("%s: %s", path, response.Get("statusText").String())
	}
	buffer, err := await(response.Call("arrayBuffer"))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	array := js.Global().Get("Uint8Array").New(buffer)
	data := make([]byte, array.Length())
	js.CopyBytesToGo(data, array)
	return data, nil
}

// await waits until a promise is fulfilled or rejected.
func await(promise js.Value) (js.Value, error) {
	type outcome struct {
		value js.Value
		err   error
	}
	settled := make(chan outcome, 1)
	kept := js.FuncOf(func(_ js.Value, args []js.Value) any {
		settled <- outcome{value: args[0]}
		return nil
	})
	defer kept.Release()
	broken := js.FuncOf(func(_ js.Value, args []js.Value) any {
		settled <- outcome{err: errors.New(args[0].Call("toString").String())}
		return nil
	})
	defer broken.Release()
	promise.Call("then", kept, broken)
	o := <-settled
	return o.value, o.err
}
