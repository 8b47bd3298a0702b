"use strict";
// Leads one participant through a study: consent, instructions, practice, items, pauses, the end. What the participant does is kept in
// the browser until it was sent, so that nothing is lost when the page is closed, and the same address goes on where it ended.
const $ = (id) => document.getElementById(id);
const stage = $("stage"), pad = $("pad");
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const text = (s) => { const e = document.createElement("span"); e.textContent = s; return e.innerHTML; };
let config, code, store; // settings; the participant's code; what is kept in the browser

// A press is a key or a touch, with its time in ms since the page began. Whoever waits for one sets onPress.
const keyNames = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", " ": "space", Enter: "enter", Escape: "escape", Tab: "tab" };
let onPress = null;
addEventListener("keydown", (e) => {
	if (e.ctrlKey || e.metaKey || e.altKey || e.target.tagName === "INPUT") return;
	const key = keyNames[e.key] || e.key.toLowerCase();
	if (key === "tab" || key === "shift") return;
	if (e.repeat && (key === "enter" || key === "space")) e.preventDefault(); // a key that is held does not press a button
	if (!onPress) return;
	if (key !== "enter" || !(e.target.tagName === "BUTTON")) e.preventDefault();
	onPress({ key, at: e.timeStamp, held: e.repeat, by: "key" });
});
let hidden = 0;
document.addEventListener("visibilitychange", () => { if (document.hidden) hidden++; });

// card shows words or pictures and waits for one of its buttons. A button does nothing in the first 600 ms.
const cardTime = 600;
async function card(inside, buttons, beside) {
	pad.hidden = true;
	stage.innerHTML = `<section class="card">${inside}<div class="go"></div></section>`;
	if (beside) beside(stage.firstChild);
	const go = stage.querySelector(".go");
	const choice = await new Promise((done) => {
		const shown = performance.now();
		buttons.forEach((label, i) => {
			const b = document.createElement("button");
			b.className = i === 0 ? label.includes("<svg") ? "early" : "main early" : "";
			b.innerHTML = label;
			if (i === 0) b.setAttribute("aria-disabled", "true");
			b.addEventListener("click", () => { if (performance.now() - shown >= cardTime) done(i); });
			go.append(b);
		});
		setTimeout(() => { go.firstChild.classList.remove("early"); go.firstChild.removeAttribute("aria-disabled"); }, cardTime);
		onPress = (p) => { if (p.key === "enter" && !p.held && performance.now() - shown >= cardTime && document.activeElement.tagName !== "BUTTON") done(0); };
		(stage.querySelector("input") || stage).focus({ preventScroll: true });
	});
	onPress = null;
	return choice;
}
const small = (picture) => picture.replace('class="picture"', 'width="56" height="56"'); // in a button
const forwards = () => config.pictures ? `<span class="row">${small(pictures.go)}</span>` : `Next <kbd class="keysonly">Enter</kbd>`;
const words = (title, ...paragraphs) => `<h2>${text(title)}</h2>` + paragraphs.map((p) => `<p>${text(p)}</p>`).join("");
// told shows a card of pictures, or of words.
const told = (list, title, ...paragraphs) => card(config.pictures ? `<div class="row">${list.join("")}</div>` : words(title, ...paragraphs), [forwards()]);

// record keeps a row and sends it.
function record(kind, row) {
	store.row++;
	const full = { study: config.study, participant: code, session: store.session, row: store.row, kind, ...row, at: new Date().toISOString() };
	store.queue.push(JSON.stringify(full));
	keep();
	send();
}
const storeName = () => `achilles ${config.study} ${code}`;
function keep() { try { localStorage.setItem(storeName(), JSON.stringify(store)); } catch { /* a browser that keeps nothing: rows are still sent */ } }

// send posts the rows that were not sent, oldest first. Rows stay in the queue until the server has said that it has them.
let sending = null;
function send() {
	if (!config.endpoint || sending) return sending;
	sending = (async () => {
		let pause = 500;
		while (store.queue.length) {
			const rows = store.queue.slice(0, 200);
			try {
				const r = await fetch(config.endpoint, { method: "POST", headers: { "Content-Type": "text/plain" }, body: rows.join("\n") + "\n", keepalive: rows.length < 20 });
				if (!r.ok) throw new Error(r.status);
				store.queue.splice(0, rows.length);
				keep();
				pause = 500;
			} catch {
				await sleep(pause);
				pause = Math.min(pause * 2, 15000);
			}
		}
		sending = null;
	})();
	return sending;
}

// random returns a generator of numbers in [0, 1), the same for the same text.
function random(seed) {
	let h = 2166136261;
	for (const c of new TextEncoder().encode(seed)) h = Math.imul(h ^ c, 16777619);
	return () => {
		h = (h + 0x6d2b79f5) | 0;
		let t = Math.imul(h ^ (h >>> 15), 1 | h);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
	};
}
function shuffled(list, draw) {
	const out = list.slice();
	for (let i = out.length - 1; i > 0; i--) {
		const k = Math.floor(draw() * (i + 1));
		[out[i], out[k]] = [out[k], out[i]];
	}
	return out;
}

const keys = {
	turning: { up: "forward", w: "forward", left: "left", a: "left", right: "right", d: "right", space: "stay", s: "stay" },
	eight: { up: "north", w: "north", e: "north-east", right: "east", d: "east", c: "south-east", down: "south", x: "south", z: "south-west", left: "west", a: "west", q: "north-west", space: "stay", s: "stay" },
};
const pads = {
	turning: [["left", "↰", "turn left"], ["up", "▲", "go forward"], ["right", "↱", "turn right"], null, ["space", "❙❙", "wait"], null],
	eight: [["q", "↖", "north-west"], ["up", "↑", "north"], ["e", "↗", "north-east"], ["left", "←", "west"], ["space", "❙❙", "wait"], ["right", "→", "east"], ["z", "↙", "south-west"], ["down", "↓", "south"], ["c", "↘", "south-east"]],
};
function showPad(move) {
	pad.className = move;
	pad.hidden = false;
	pad.replaceChildren(...pads[move].map((k) => {
		if (!k) return document.createElement("span");
		const b = document.createElement("button");
		b.textContent = k[1];
		b.setAttribute("aria-label", k[2]);
		b.tabIndex = -1; // the keyboard has its own keys
		b.addEventListener("pointerdown", (e) => { e.preventDefault(); if (onPress) onPress({ key: k[0], at: e.timeStamp, held: false, by: "touch" }); });
		return b;
	}));
}

// world lets the participant take a trial in a world, and returns what was done.
async function world(item, hints) {
	const call = (name, arg) => { const f = JSON.parse(achilles[name](arg)); if (f.error) throw new Error(f.error); return f; };
	let f = call("open", JSON.stringify(item));
	stage.innerHTML = '<p id="say" role="status"></p><svg class="world" role="img" aria-label="the room"></svg><progress id="time" max="1" value="1" aria-label="time left"></progress>';
	const svg = stage.querySelector("svg"), say = $("say"), time = $("time");
	const began = performance.now(), log = [], actions = [];
	let free = null, rt = null, by = "", note = "", signed = "";
	const show = () => {
		svg.setAttribute("viewBox", `0 0 ${f.width} ${f.height}`);
		svg.innerHTML = f.svg;
		time.max = f.limit; time.value = Math.max(0, f.limit - f.tick);
		const line = note || (f.outcome !== "running" ? "" : f.trapped ? "You fell in, and cannot get out." : f.held ? "Watch." : f.dark ? "The lights are out." : hints ? "Go to the ball." : "");
		say.className = note ? "warn" : "";
		const sign = f.held ? note ? pictures.wait : pictures.eyes : note || f.trapped ? pictures.again : "";
		if (!config.pictures) say.textContent = line; else if (sign !== signed) say.innerHTML = signed = sign;
	};
	showPad(f.move);
	show();
	while (f.outcome === "running") {
		if (f.held || f.trapped) { // nothing to do: it passes by itself, in a few seconds at most
			const each = f.trapped ? Math.min(40, 800 / Math.max(1, f.limit - f.tick)) : Math.min(150, (config.wait * 1000) / f.held);
			for (let n = f.trapped ? f.limit - f.tick : f.held; n > 0 && f.outcome === "running"; n--) {
				onPress = (p) => { log.push([p.at, p.key, p.held, ""]); if (!p.held) { note = f.trapped ? "" : "Not yet: watch."; show(); } };
				await sleep(each);
				actions.push("stay");
				f = call("step", "stay");
				show();
			}
			note = "";
			show();
			continue;
		}
		if (free === null) { await new Promise((done) => requestAnimationFrame(done)); free = performance.now(); }
		const p = await new Promise((done) => { onPress = done; });
		onPress = null;
		const action = p.held && rt === null ? "" : keys[f.move][p.key]; // a key that was down before is no first answer
		log.push([p.at, p.key, p.held, action || ""]);
		if (!action) {
			note = p.held ? note : p.key === "enter" ? "" : "That key does nothing here.";
			show();
			continue;
		}
		if (rt === null) rt = p.at - free;
		by = by && by !== p.by ? "both" : p.by;
		actions.push(action);
		f = call("step", action);
		note = f.blocked ? "Something is in the way." : "";
		show();
	}
	onPress = null;
	const ms = (x) => Math.round(x);
	return {
		success: f.outcome === "finished" ? 1 : 0, outcome: f.outcome, first: f.first, rt: rt === null ? null : Math.max(1, ms(rt)), duration: ms(performance.now() - began), ticks: f.tick, input: by,
		keys: log.map(([at, key, held, action]) => `${ms(at - began)}:${key}${held ? "*" : ""}${action ? "" : "-"}`).join(" "), actions: actions.join(" "),
	};
}

// question asks a question. In practice the right answer is known, and else it is not in the page.
async function question(item) {
	pad.hidden = true;
	const letters = item.options.every((o) => [...o].length === 1);
	const asked = letters && !item.question.includes(" ") ? [...item.question].join(" ") + " …" : item.question;
	stage.innerHTML = `<p id="say">${text(item.brief || "")}</p><p class="question">${text(asked)}</p><div class="options" role="group" aria-label="answers"></div>`;
	const log = [];
	await new Promise((done) => requestAnimationFrame(done));
	const began = performance.now();
	const [answer, rt, by] = await new Promise((done) => {
		item.options.forEach((o, i) => {
			const b = document.createElement("button");
			b.textContent = letters ? o : `${i + 1} ${o}`;
			b.addEventListener("click", (e) => { if (performance.now() - began > 150) { log.push([e.timeStamp, "touch"]); done([o, e.timeStamp - began, e.pointerType || e.detail ? "touch" : "key"]); } });
			stage.querySelector(".options").append(b);
		});
		onPress = (p) => {
			log.push([p.at, p.key + (p.held ? "*" : "")]);
			const o = letters ? item.options.find((o) => o === p.key) : item.options[Number(p.key) - 1];
			if (o !== undefined && !p.held) done([o, p.at - began, "key"]);
			else if (!p.held && p.key !== "enter" && p.key !== "space") { $("say").className = "warn"; $("say").textContent = "That is not one of the answers."; }
		};
	});
	onPress = null;
	const row = { answer, rt: Math.max(1, Math.round(rt)), duration: Math.round(performance.now() - began), input: by, keys: log.map(([at, key]) => `${Math.round(at - began)}:${key}`).join(" ") };
	if (item.answer) row.success = answer === item.answer ? 1 : 0;
	return row;
}

// watch shows the films of an episode, the test last, and records each: how long the key was held, or how surprising the end was.
async function watch(id, item, position) {
	for (let i = 0; i < item.films.length; i++) {
		const test = i === item.films.length - 1, film = item.films[i], looks = config.answer === "look";
		const answer = await fetch(film.film);
		if (!answer.ok) throw new Error(film.film + ": " + answer.status);
		const bytes = new Uint8Array(await answer.arrayBuffer());
		await fixation();
		stage.innerHTML = `<p id="say">${looks && !config.pictures ? "Hold the space bar, or the button, while you look." : ""}</p><img class="film" alt="a film"><div class="options">${looks ? `<button aria-label="looking">${small(pictures.eyes)}</button>` : ""}</div>`;
		const img = stage.querySelector("img"), log = [];
		img.src = await new Promise((done) => { const r = new FileReader(); r.onload = () => done(r.result); r.readAsDataURL(new Blob([bytes], { type: "image/gif" })); });
		await img.decode();
		const began = performance.now(), over = began + film.ms;
		let since = null, away = began, held = 0, after = 0, number = 0;
		const down = (at) => { if (since === null) { since = Math.max(at, began); number++; log.push(`${Math.round(at - began)}:down`); } };
		const up = (at) => { if (since !== null) { held += at - since; after += Math.max(0, at - Math.max(since, over)); since = null; away = at; log.push(`${Math.round(at - began)}:up`); } };
		const keyup = (e) => { if (e.key === " ") up(e.timeStamp); }, blur = () => up(performance.now());
		if (looks) {
			onPress = (p) => { if (p.key === "space" && !p.held) down(p.at); };
			addEventListener("keyup", keyup); addEventListener("blur", blur); addEventListener("pointerup", blur);
			stage.querySelector("button").addEventListener("pointerdown", (e) => down(e.timeStamp));
		}
		for (let now = began; now < over || looks && now < over + 60000 && (since !== null || now - Math.max(away, over) < 2000); now = performance.now()) await sleep(20);
		up(performance.now());
		onPress = null;
		removeEventListener("keyup", keyup); removeEventListener("blur", blur); removeEventListener("pointerup", blur);
		const row = { item: id, video: id.slice(-1), phase: test ? "test" : "familiarisation", trial: i + 1, position, duration: Math.round(performance.now() - began), away: hidden };
		if (looks) Object.assign(row, { looking: Math.round(held), after: Math.round(after), looks: number, keys: log.join(" ") });
		if (test && !looks) Object.assign(row, await rate());
		if (test) store.done.push(id);
		record(test ? "item" : "trial", row);
	}
}

// rate asks how surprising the end was.
async function rate() {
	stage.innerHTML = `<section class="card">${config.pictures ? `<div class="row">${pictures.calm}${pictures.amazed}</div>` : "<h2>How surprising was the end?</h2>"}<div class="options"></div>${config.pictures ? "" : '<p class="small row"><span>1: not at all</span> <span>7: very</span></p>'}</section>`;
	const began = performance.now();
	const [rating, rt] = await new Promise((done) => {
		for (let n = 1; n <= 7; n++) {
			const b = document.createElement("button");
			b.textContent = n;
			b.addEventListener("click", (e) => done([n, e.timeStamp - began]));
			stage.querySelector(".options").append(b);
		}
		onPress = (p) => { if (/^[1-7]$/.test(p.key) && !p.held) done([Number(p.key), p.at - began]); };
	});
	onPress = null;
	return { rating, rt: Math.max(1, Math.round(rt)) };
}

const take = (item, hints) => item.world ? world(item, hints) : question(item);

async function countdown() {
	pad.hidden = true;
	for (const n of config.pictures ? ["●●●", "●●", "●"] : ["3", "2", "1"]) { stage.innerHTML = `<p class="fix">${n}</p>`; await sleep(600); }
}
async function fixation() { pad.hidden = true; stage.innerHTML = '<p class="fix" aria-hidden="true">+</p>'; await sleep(500); }

// feedback says how a trial ended, by what happened: a ball that was found behind a wrong place is not called a success of practice.
async function feedback(r, practising) {
	const clean = r.success && r.first !== "wrong";
	let said = r.success ? clean ? "You have it." : "You got there, but not at once." : r.outcome === "died" ? "Ouch: that was lava." : r.outcome ? r.first === "wrong" ? "That was the wrong place." : "Time is up." : "Not quite.";
	if (!practising && r.success === undefined) return;
	const more = practising && !clean ? "Watch where the ball goes, and go straight there." : "";
	await told([clean ? pictures.star : pictures.again], said, ...(more && r.outcome ? [more] : []));
}

async function practise() {
	let row = 0;
	await told([pictures.eyes, pictures.hand], "First, some practice", "This part does not count.");
	for (let n = 0; n < config.attempts && row < config.practice; n++) {
		if (n === 0) await countdown(); else await fixation();
		const r = await take(config.trials[n % config.trials.length], true);
		row = r.success && r.first !== "wrong" ? row + 1 : 0;
		record("practice", { position: n + 1, ...r });
		await feedback(r, true);
	}
	store.practised = row >= config.practice ? "passed" : "failed";
	keep();
	record("event", { event: "practice " + store.practised });
}

// attention asks for a key that is shown, within eight seconds.
async function attention(n) {
	const draw = random(`${config.study} ${code} attention ${n}`);
	const list = config.pictures ? [["up", pictures.arrow(0, "up")], ["left", pictures.arrow(-90, "left")], ["right", pictures.arrow(90, "right")]] : [..."fghjk"].map((k) => [k, `<kbd style="">${k.toUpperCase()}</kbd>`.replace(' style=""', "")]);
	const [want, picture] = list[Math.floor(draw() * list.length)];
	pad.hidden = true;
	stage.innerHTML = `<section class="card">${config.pictures ? `<div class="row">${pictures.hand}${picture}</div>` : `<h2>Quick check</h2><p>Please press this key, or tap it below: ${picture}</p>`}<div class="options"></div></section>`;
	const began = performance.now();
	const [got, at] = await new Promise((done) => {
		shuffled(list, draw).forEach(([k, p]) => {
			const b = document.createElement("button");
			b.innerHTML = config.pictures ? small(p) : k.toUpperCase();
			b.addEventListener("click", (e) => done([k, e.timeStamp]));
			stage.querySelector(".options").append(b);
		});
		onPress = (p) => { if (!p.held && p.key !== "enter" && p.key !== "space") done([p.key, p.at]); };
		setTimeout(() => done(["", performance.now()]), 8000);
	});
	onPress = null;
	record("attention", { position: n, success: got === want ? 1 : 0, answer: got, rt: Math.max(1, Math.round(at - began)) });
}

async function instructions() {
	if (config.watch) return told([pictures.eyes], "What to do", "You will watch short films in which a shape moves about. First come some to get to know it, and then one more.", config.answer === "look" ? "Hold the space bar, or the button below the film, as long as you look, and let go when you look away." : "Then say how surprising the last one was, from 1 to 7.");
	const worlds = !!config.trials[0].world;
	if (!worlds) return told([pictures.eyes, pictures.hand], "What to do", "You will see a row of letters. Find the letter that comes next.", "Press its key, or tap it.");
	await told([pictures.me, pictures.eyes, pictures.ball], "What to do", "You are the blue figure, seen from above. Find the ball, and go to it.", "First you can only watch: see where the ball goes. It may go behind something. Dark areas are out of your sight.");
	const turning = await moveOf(config.trials[0]) === "turning";
	const key = (k, does) => `<li><kbd>${k}</kbd> ${does}</li>`;
	const list = turning ? key("↑", "go forward") + key("←", "turn left") + key("→", "turn right") + key("Space", "wait") : key("↑ ↓ ← →", "go") + key("Q E Z C", "move diagonally") + key("Space", "wait");
	const touch = turning ? pads.turning.filter((k) => k).map((k) => key(k[1], k[2])).join("") : key("arrows", "go") + key("❙❙", "wait");
	const drawn = turning ? [pictures.turn(true), pictures.arrow(0, "go forward"), pictures.turn(false)] : [pictures.arrow(-90, "left"), pictures.arrow(0, "up"), pictures.arrow(180, "down"), pictures.arrow(90, "right")];
	await card(config.pictures ? `<div class="row">${drawn.join("")}</div>` : `<h2>How to move</h2><ul class="keysonly">${list}</ul><ul class="touchonly">${touch}</ul><p><span class="keysonly">You can also tap the buttons below the room.</span><span class="touchonly">Tap the buttons below the room.</span> One press is one step, and each item has a limited number of them: the bar below the room shows how many are left.</p><p>Keep off lava (orange) and out of holes without the ball.</p>`, [forwards()]);
}
const moveOf = async (item) => JSON.parse(achilles.open(JSON.stringify(item))).move;

// load starts the part of the page that runs worlds.
async function load() {
	if (config.watch || !config.trials[0].world) return; // films and questions need none
	await new Promise((done, failed) => {
		const s = document.createElement("script");
		s.src = "wasm_exec.js"; s.onload = done; s.onerror = () => failed(new Error("wasm_exec.js"));
		document.head.append(s);
	});
	const answer = await fetch("engine.wasm.gz");
	if (!answer.ok) throw new Error("engine.wasm.gz: " + answer.status);
	let bytes = new Uint8Array(await answer.arrayBuffer());
	if (bytes[0] === 0x1f && bytes[1] === 0x8b) bytes = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
	const go = new Go();
	go.run((await WebAssembly.instantiate(bytes, go.importObject)).instance);
}

async function fetched(address) {
	for (let pause = 500; ; pause = Math.min(2 * pause, 8000)) {
		try {
			const r = await fetch(address);
			if (!r.ok) throw new Error(address + ": " + r.status);
			return await r.json();
		} catch (e) {
			if (pause > 4000) throw e;
			await sleep(pause);
		}
	}
}

async function enter() {
	const address = new URLSearchParams(location.search);
	code = (address.get(config.parameter) || address.get("PROLIFIC_PID") || "").trim();
	while (!/^[\w.@-]{1,64}$/.test(code)) {
		let typed = code;
		await card(words("Welcome", "Please type the code that you were given."), ["Go on"], (c) => {
			const input = document.createElement("input");
			input.maxLength = 64; input.value = typed; input.setAttribute("aria-label", "participant code"); input.autocomplete = "off";
			input.addEventListener("input", () => { typed = input.value; });
			input.addEventListener("keydown", (e) => { if (e.key === "Enter" && !e.repeat) c.querySelector("button").click(); });
			c.insertBefore(input, c.querySelector(".go"));
			setTimeout(() => input.focus());
		});
		code = typed.trim();
	}
	store = { session: crypto.getRandomValues(new Uint32Array(2)).reduce((s, x) => s + x.toString(36), ""), row: 0, queue: [], done: [], practised: "" };
	try { store = JSON.parse(localStorage.getItem(storeName())) || store; } catch { /* begin anew */ }
	if (config.progress) { // what was done at another browser
		const known = await fetched(`${config.progress}?participant=${encodeURIComponent(code)}`);
		store.done = [...new Set([...store.done, ...known.items])];
		store.practised = store.practised || known.practised;
	}
}

async function consent() {
	if (!config.consent.length || store.agreed) return true;
	const choice = await card(words("Before you begin", ...config.consent), ["I agree", "I do not agree"]);
	store.agreed = choice === 0;
	record("event", { event: store.agreed ? "agreed" : "refused" });
	return store.agreed;
}

async function items() {
	const order = shuffled(config.order, random(`${config.study} ${code}`));
	const mine = config.items > 0 ? order.slice(0, config.items) : order;
	$("progress").hidden = false;
	let since = 0;
	for (let i = 0; i < mine.length; i++) {
		$("progress").value = i / mine.length;
		if (store.done.includes(mine[i])) continue;
		if (since > 0 && config.attention && since % config.attention === 0) await attention(i);
		const rests = since > 0 && config.pause && since % config.pause === 0;
		if (rests) await told([pictures.rest], "Time for a rest", `${i} of ${mine.length} are done. Go on when you are ready.`);
		const item = await fetched(`items/${mine[i]}.json`);
		if (since === 0 || rests) await countdown(); else await fixation();
		if (config.watch) { await watch(mine[i], item, i + 1); since++; continue; }
		const before = hidden;
		const r = await take(item);
		store.done.push(mine[i]);
		record("item", { item: mine[i], position: i + 1, ...r, away: hidden - before, width: innerWidth, height: innerHeight });
		since++;
		if (config.feedback) await feedback(r);
	}
	$("progress").value = 1;
}

// finish sends what is left, or lets the participant save it, and says goodbye.
async function finish(agreed) {
	pad.hidden = true;
	if (agreed && !store.ended) { store.ended = true; record("event", { event: "finished" }); }
	if (config.endpoint) {
		stage.innerHTML = '<p>Your answers are being sent …</p>';
		await Promise.race([send(), sleep(20000)]);
	}
	const left = config.endpoint ? store.queue.length : agreed;
	let inside = agreed ? words("That was all. Thank you!") : words("Thank you", "You did not agree, so there is nothing to do. You can close this page.");
	if (config.pictures && agreed) inside = `<div class="row">${pictures.star}</div>`;
	if (left) inside += `<p>${config.endpoint ? "Some answers could not be sent. " : ""}Please save your answers as a file, and hand it in.</p>`;
	if (agreed && config.completion) inside += `<p>Your completion code:</p><p class="code">${text(config.completion)}</p>`;
	const onward = agreed && config.return ? config.return.replaceAll("{participant}", encodeURIComponent(code)) : "";
	const buttons = [...(left ? ["Save my answers"] : []), ...(onward ? ["Finish"] : [])];
	for (;;) {
		if (!buttons.length) { stage.innerHTML = `<section class="card">${inside}</section>`; return; }
		const choice = await card(inside, buttons);
		if (buttons[choice] === "Finish") { location.assign(onward); return; }
		const a = document.createElement("a");
		a.href = URL.createObjectURL(new Blob([store.queue.join("\n") + "\n"], { type: "application/x-ndjson" }));
		a.download = `answers-${code}.jsonl`;
		a.click();
	}
}

async function main() {
	config = await (await fetch("study.json", { cache: "no-cache" })).json();
	document.title = $("title").textContent = config.title || document.title;
	const engine = load();
	await enter();
	const agreed = await consent();
	if (!agreed) return finish(false);
	stage.innerHTML = "<p>Loading …</p>";
	await engine;
	if (!store.ended) {
		record("event", { event: store.done.length || store.practised ? "resumed" : "began", agent: navigator.userAgent });
		if (store.done.length) await told([pictures.star, pictures.go], "Welcome back", "You continue where you stopped.");
		else await instructions();
		if (config.practice && !store.practised && !config.watch) await practise();
		if (!store.done.length && !config.watch) await told([pictures.go], "Ready?", "Now it counts. Try to get the ball each time.".replace(config.trials[0].world ? "" : " Try to get the ball each time.", ""));
		await items();
	}
	await finish(true);
}
main().catch((e) => { pad.hidden = true; stage.innerHTML = `<section class="card">${words("Something went wrong", "Your answers so far are kept. Load this page again to go on.", String(e))}</section>`; });
