"use strict";
// Starts the viewer and says in the page what went wrong, if anything does.
const note = document.getElementById("note");
const failed = (why) => { note.hidden = false; note.textContent = "The viewer stopped: " + why; };
addEventListener("unhandledrejection", (e) => failed(e.reason));
// The program puts its canvas at the end of the body: it belongs into the main landmark, and has a name for those who do not see it.
new MutationObserver((_, observer) => {
	const canvas = document.querySelector("body > canvas");
	if (!canvas) return;
	observer.disconnect();
	canvas.tabIndex = 0;
	canvas.setAttribute("role", "application");
	canvas.setAttribute("aria-label", "Picture; the question mark lists the keys");
	document.querySelector("main").append(canvas);
	canvas.focus();
}).observe(document.body, { childList: true });
const go = new Go();
WebAssembly.instantiateStreaming(fetch("viewer.wasm"), go.importObject)
	.then((r) => { note.hidden = true; return go.run(r.instance); })
	.then(() => failed("it has ended; close this page"), failed);
