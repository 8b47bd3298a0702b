"use strict";
// Pictograms of the page, for those who do not read. Each is an svg with a name for screen readers.
const pictogram = (name, inside) => `<svg class="picture" viewBox="0 0 100 100" role="img" aria-label="${name}">${inside}</svg>`;
const pictures = {
	go: pictogram("go on", '<circle cx="50" cy="50" r="44" fill="#009e73"/><path d="M38 26 76 50 38 74Z" fill="#fff"/>'),
	ball: pictogram("ball", '<circle cx="50" cy="50" r="32" fill="#0a7f4f"/><circle cx="50" cy="50" r="29" fill="#00c76a"/><circle cx="40" cy="38" r="9" fill="#fff" opacity=".8"/>'),
	eyes: pictogram("look", '<ellipse cx="28" cy="50" rx="22" ry="26" fill="#fff" stroke="#1c2126" stroke-width="4"/><ellipse cx="72" cy="50" rx="22" ry="26" fill="#fff" stroke="#1c2126" stroke-width="4"/><circle cx="32" cy="54" r="9" fill="#0072b2"/><circle cx="68" cy="54" r="9" fill="#0072b2"/>'),
	me: pictogram("you", '<path d="M50 6 64 30H36Z" fill="#0072b2"/><circle cx="50" cy="54" r="34" fill="#0072b2"/><circle cx="38" cy="42" r="7" fill="#fff"/><circle cx="62" cy="42" r="7" fill="#fff"/>'),
	star: pictogram("well done", '<path d="M50 6 63 38 97 40 70 61 80 94 50 75 20 94 30 61 3 40 37 38Z" fill="#f0b400" stroke="#a86b00" stroke-width="3"/>'),
	again: pictogram("not this time", '<circle cx="50" cy="50" r="42" fill="#fff" stroke="#5d666e" stroke-width="5"/><circle cx="35" cy="42" r="6"/><circle cx="65" cy="42" r="6"/><path d="M34 68H66" stroke="#1c2126" stroke-width="6" stroke-linecap="round"/>'),
	calm: pictogram("1: not surprised", '<circle cx="50" cy="50" r="42" fill="#fff" stroke="#5d666e" stroke-width="5"/><circle cx="35" cy="42" r="6"/><circle cx="65" cy="42" r="6"/><path d="M36 66Q50 74 64 66" fill="none" stroke="#1c2126" stroke-width="6" stroke-linecap="round"/>'),
	amazed: pictogram("7: very surprised", '<circle cx="50" cy="50" r="42" fill="#fff" stroke="#5d666e" stroke-width="5"/><circle cx="35" cy="38" r="9"/><circle cx="65" cy="38" r="9"/><ellipse cx="50" cy="70" rx="11" ry="14"/>'),
	wait: pictogram("wait", '<path d="M28 12H72L54 50 72 88H28L46 50Z" fill="#fff" stroke="#1c2126" stroke-width="5"/><path d="M38 80H62L50 58Z" fill="#e69f00"/>'),
	rest: pictogram("rest", '<path d="M70 62A34 34 0 1 1 44 16 28 28 0 0 0 70 62Z" fill="#f0b400" stroke="#a86b00" stroke-width="3"/>'),
	hand: pictogram("press", '<path d="M40 92 22 62q-3-8 6-8l12 10V16q0-7 7-7t7 7v28l18 4q9 3 8 12l-4 32Z" fill="#ffd7b0" stroke="#1c2126" stroke-width="4" stroke-linejoin="round"/>'),
	arrow: (turn, name) => pictogram(name, `<rect x="6" y="6" width="88" height="88" rx="14" fill="#fff" stroke="#5d666e" stroke-width="5"/><path transform="rotate(${turn} 50 50)" d="M50 20 78 54H60V80H40V54H22Z" fill="#0072b2"/>`),
	turn: (left) => pictogram(left ? "turn left" : "turn right", `<rect x="6" y="6" width="88" height="88" rx="14" fill="#fff" stroke="#5d666e" stroke-width="5"/><g transform="${left ? "" : "translate(100 0) scale(-1 1)"}"><path d="M74 76V52A22 22 0 0 0 36 36" fill="none" stroke="#0072b2" stroke-width="10"/><path d="M46 20 22 36 46 54Z" fill="#0072b2"/></g>`),
};
