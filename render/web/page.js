"use strict";
// Shows the pictures that the server draws, and sends it what is pressed and pointed at.
const canvas = document.querySelector("canvas"), context = canvas.getContext("2d", {alpha: false});
const note = document.getElementById("note"), words = document.getElementById("words");
const failed = (why) => { note.hidden = false; note.textContent = "The viewer stopped: " + why; };
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
let page = "", have = 0;

// Input goes out in its order, one request after another; a movement replaces one that still waits.
let queue = [], sending = false, told = "";
const pointer = {x: 0, y: 0, down: false};
const size = () => ({width: innerWidth, height: innerHeight, ratio: devicePixelRatio});
const moved = (x) => !x.keys && !x.wheel;
async function send(what) {
	const last = queue[queue.length - 1], event = {...pointer, ...size(), ...what};
	told = JSON.stringify(size());
	if (last && moved(last) && moved(event) && last.down === event.down) queue.pop();
	queue.push(event);
	if (sending || !page) return;
	sending = true;
	while (queue.length) {
		const body = JSON.stringify(queue);
		queue = [];
		try { await fetch("input?page=" + page, {method: "POST", body}); } catch { break; } // look says that the server is gone
	}
	sending = false;
}

const names = {Enter: "enter", Escape: "escape", Backspace: "backspace", Tab: "tab", ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down",
	Home: "home", End: "end", PageUp: "page up", PageDown: "page down"};
addEventListener("keydown", (e) => {
	const graph = e.getModifierState("AltGraph"), name = names[e.key];
	if (e.isComposing || e.metaKey || e.altKey && !graph || e.key === "Tab" && e.shiftKey) return; // shift and tab leave the picture
	let key = e.key === " " ? "space" : e.key;
	if (name) key = (e.ctrlKey ? "control " : e.shiftKey ? "shift " : "") + name;
	else if ([...e.key].length > 1 || e.ctrlKey && !graph) return;
	e.preventDefault();
	send({keys: [key]});
});
for (const kind of ["pointerdown", "pointermove", "pointerup", "pointercancel"])
	canvas.addEventListener(kind, (e) => {
		const at = canvas.getBoundingClientRect();
		Object.assign(pointer, {x: e.clientX - at.left, y: e.clientY - at.top, down: kind !== "pointercancel" && (e.buttons & 1) === 1});
		if (kind === "pointerdown") { canvas.setPointerCapture(e.pointerId); canvas.focus(); }
		send({});
	});
canvas.addEventListener("wheel", (e) => { e.preventDefault(); send({wheel: -e.deltaY}); }, {passive: false});
addEventListener("resize", () => send({}));

// The address has the place, so that the page shows it again when it is loaded again. Browsers refuse more than about ten changes in a second.
let place = location.hash.slice(1), writing = false;
async function remember(at) {
	place = at || place;
	if (writing || location.hash.slice(1) === place) return;
	writing = true;
	await sleep(500);
	history.replaceState(null, "", "#" + place);
	writing = false;
}

async function open() {
	const answer = await fetch("open", {method: "POST", body: JSON.stringify({place})});
	if (!answer.ok) throw await answer.text();
	page = (await answer.json()).page;
	have = 0;
	send({});
}

async function look() {
	await open();
	for (let lost = 0; ;) {
		if (document.hidden) await new Promise((done) => document.addEventListener("visibilitychange", done, {once: true}));
		if (told !== JSON.stringify(size())) send({});
		let answer, bytes;
		try {
			answer = await fetch("frame?page=" + page + "&have=" + have);
			bytes = new Uint8Array(await answer.arrayBuffer());
			lost = 0;
		} catch {
			if (++lost > 3) throw "its server has ended";
			await sleep(1000);
			continue;
		}
		if (answer.status === 204) continue;
		if (answer.status === 404) { await open(); continue; } // after a long rest
		if (!answer.ok) throw new TextDecoder().decode(bytes);
		const end = bytes.indexOf(10), now = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))), side = now.side;
		if (canvas.width !== now.width || canvas.height !== now.height) [canvas.width, canvas.height] = [now.width, now.height];
		if (now.tiles) {
			const pixels = new ImageData(new Uint8ClampedArray(bytes.buffer, end + 1), side);
			for (let i = 0; 2 * i < now.tiles.length; i++) // they stand below each other
				context.putImageData(pixels, now.tiles[2 * i], now.tiles[2 * i + 1] - side * i, 0, side * i, side, side);
		}
		if (words.textContent !== now.words) words.textContent = now.words;
		if (now.place) remember(now.place);
		if (now.title) document.title = now.title;
		[have, window.revision, note.hidden] = [now.picture, now.revision, true];
		if (now.done) throw "it has ended; close this page";
	}
}
canvas.focus();
look().catch(failed);
