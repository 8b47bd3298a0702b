"use strict";
// Starts the viewer and says in the page what went wrong, if anything does.
const note = document.getElementById("note");
const failed = (why) => { note.hidden = false; note.textContent = "The viewer stopped: " + why; };
addEventListener("unhandledrejection", (e) => failed(e.reason));
const go = new Go();
WebAssembly.instantiateStreaming(fetch("viewer.wasm"), go.importObject)
	.then((r) => { note.hidden = true; return go.run(r.instance); })
	.then(() => failed("it has ended; close this page"), failed);
