(function () {
  "use strict";
  const root = document.currentScript.closest(".player");
  const sections = [...root.querySelectorAll("[data-episode]")];
  const tabs = [...root.querySelectorAll("[data-show]")];
  let timer = 0;

  // Every frame keeps elements at the beginning and at the end of the one before.
  function frames(data) {
    let before = [];
    return data.frames.map(frame => {
      if (frame.length === 0) return before;
      const [head, tail, ...between] = frame;
      return before = [...before.slice(0, head), ...between, ...before.slice(before.length - tail)];
    });
  }

  const players = sections.map(section => {
    const data = JSON.parse(section.querySelector("script").textContent), all = frames(data);
    const words = new Map(data.words);
    const elements = data.elements.map(e => Array.from(e, c => words.get(c) ?? c).join(""));
    const g = section.querySelector(".world > g"), slider = section.querySelector("input"), out = section.querySelector("output");
    const play = section.querySelector("[data-play]"), last = all.length - 1;
    section.querySelector(".controls").hidden = false;
    function draw() {
      const tick = +slider.value, event = data.events[tick];
      g.innerHTML = all[tick].map(k => elements[k]).join("");
      out.textContent = "tick " + tick + " of " + last + (event ? ": " + event : "");
      slider.setAttribute("aria-valuetext", out.textContent);
    }
    function move(tick) { slider.value = Math.max(0, Math.min(last, tick)); draw(); }
    function stop() { clearInterval(timer); timer = 0; play.textContent = "▶ play"; out.setAttribute("aria-live", "polite"); }
    function start() {
      if (+slider.value === last) move(0);
      play.textContent = "❚❚ pause";
      out.setAttribute("aria-live", "off");
      timer = setInterval(() => { if (+slider.value >= last) stop(); else move(+slider.value + 1); }, Math.min(1000 / data.rate, 15000 / (last + 1)));
    }
    slider.addEventListener("input", () => { stop(); draw(); });
    play.addEventListener("click", () => { if (timer) stop(); else start(); });
    for (const b of section.querySelectorAll("[data-step]")) b.addEventListener("click", () => { stop(); move(+slider.value + +b.dataset.step); });
    draw();
    return { stop };
  });

  function show(i) {
    players.forEach(p => p.stop());
    sections.forEach((s, k) => { s.hidden = k !== i; });
    tabs.forEach((t, k) => { if (k === i) t.setAttribute("aria-current", "true"); else t.removeAttribute("aria-current"); });
  }
  tabs.forEach((t, i) => t.addEventListener("click", () => show(i)));
  show(0);
})();
