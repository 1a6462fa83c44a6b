  const VERBS = ["LOAD", "STORE", "COMPUTE", "DELETE"];
  const MOST_EMPTY_SLOTS = 48;
  const LEAST_SCALE = 0.68;
  const MOST_SCALE = 1.5;
  const ICONS = { play: "M7 4v16l13-8z", pause: "M6 4h4v16H6zM14 4h4v16h-4z" };
  const OWN_KEYS = { l: "load", s: "store", c: "compute", d: "delete" };
  const OWN_TEXT = "Click on a value, then LOAD, STORE, COMPUTE or DELETE it (keys L, S, C, D).";

  class Player {
    constructor(root) {
      this.root = root;
      this.best = JSON.parse(root.querySelector('script[type="application/json"]').textContent);
      this.mine = { ...this.best, ...counted(this.best, []) };
      this.data = this.best; // or `mine`, while the reader plays
      this.chosen = null;
      this.step = 0;
      this.timer = null;
      this.find();
      this.listen();
      this.size();
      root.classList.add("live");
      this.show(0);
      if (this.best.own && this.best.begun) this.change();
    }

    get last() {
      return this.data.steps.length;
    }

    find() {
      const all = (selector) => [...this.root.querySelectorAll(selector)];
      this.drawing = this.root.querySelector(".drawing");
      this.svg = this.drawing.querySelector("svg");
      this.vertices = [...this.svg.querySelectorAll(".vertex")];
      this.edges = this.data.names.map(() => []);
      for (const edge of this.svg.querySelectorAll(".edges path")) {
        this.edges[Number(edge.dataset.to)].push(edge);
      }
      this.shown = Object.fromEntries(all("[data-show]").map((node) => [node.dataset.show, node]));
      this.controls = Object.fromEntries(all("[data-do]").map((node) => [node.dataset.do, node]));
      this.live = this.root.querySelector(".move");
      this.slots = this.root.querySelector(".slots");
      this.list = this.root.querySelector(".moves");
      this.moves = all(".moves button");
      this.charts = all(".charts svg");
    }

    listen() {
      const actions = {
        first: () => this.go(0),
        back: () => this.go(this.step - 1),
        play: () => (this.timer === null ? this.play() : this.pause()),
        forward: () => this.go(this.step + 1),
        last: () => this.go(this.last),
      };
      if (this.best.own) Object.assign(actions, this.ownActions());
      this.actions = actions;
      for (const [name, action] of Object.entries(actions)) {
        this.controls[name].addEventListener("click", action);
      }
      this.controls.seek.addEventListener("input", () => this.go(Number(this.controls.seek.value)));
      this.controls.speed.addEventListener("change", () => this.timer !== null && this.play());
      this.list.addEventListener("click", (event) => {
        const place = this.moves.indexOf(event.target.closest("button"));
        if (place >= 0) this.go(place + 1);
      });
      for (const chart of this.charts) {
        chart.addEventListener("click", (event) => {
          const box = chart.getBoundingClientRect();
          this.go(Math.round(((event.clientX - box.left) / box.width) * this.last));
        });
      }
      this.vertices.forEach((node, vertex) => {
        node.addEventListener("click", () => this.choose(vertex));
      });
      // Paper shows the end of the play, and then the screen what it showed before.
      addEventListener("beforeprint", () => {
        if (this.data !== this.best) this.change();
        this.show(this.last);
      });
      addEventListener("afterprint", () => this.show(this.step));
    }

    ownActions() {
      const made = (move) => () => this.make(move);
      const [load, store, compute, remove] = [LOAD, STORE, COMPUTE, DELETE].map(made);
      return { own: () => this.change(), load, store, compute, delete: remove };
    }

    // The reader's own play takes the place of the one that is shown, and goes again.
    change() {
      this.pause();
      const own = this.data === this.best;
      this.data = own ? this.mine : this.best;
      this.root.classList.toggle("own", own);
      this.controls.own.textContent = own ? "Show the play" : "Play yourself";
      this.listMoves();
      this.go(own ? this.last : 0);
      if (own && this.last === 0) this.say("Your move", OWN_TEXT);
    }

    choose(vertex) {
      if (this.data !== this.mine) return;
      this.chosen = vertex;
      this.vertices.forEach((node, each) => node.classList.toggle("chosen", each === vertex));
      const [red, blue] = [this.state(this.step).red, this.state(this.step).blue];
      this.say(this.data.names[vertex], this.title(vertex, red, blue, 0));
    }

    // A legal move follows the step that is shown, and what came behind that is gone.
    make(move) {
      if (this.data !== this.mine) return;
      if (this.chosen === null) return this.say("No value is chosen", "Click on one first.");
      const state = this.state(this.step);
      const why = forbidden(this.data, state, move, this.chosen, this.data.occupancy[this.step]);
      if (why) return this.say(`${VERBS[move]} ${this.data.names[this.chosen]} is illegal`, why);
      const steps = [...this.mine.steps.slice(0, this.step), [move, this.chosen]];
      Object.assign(this.mine, counted(this.best, steps));
      this.listMoves();
      this.go(this.last);
    }

    say(move, why) {
      this.shown.move.textContent = move;
      this.shown.why.textContent = why;
    }

    listMoves() {
      this.items ??= [...this.list.children];
      const items = this.data === this.best ? this.items : this.mine.steps.map(([move, vertex]) => {
        const [item, button] = [document.createElement("li"), document.createElement("button")];
        button.type = "button";
        button.tabIndex = -1;
        button.className = VERBS[move].toLowerCase();
        button.textContent = `${VERBS[move]} ${this.data.names[vertex]}`;
        item.append(button);
        return item;
      });
      this.list.replaceChildren(...items);
      this.moves = items.map((item) => item.firstElementChild);
      this.controls.seek.max = this.last;
      this.shown.last.textContent = number.format(this.last);
    }

    // Neither so small that names cannot be read, nor so large that a circle fills the page.
    size() {
      const { width, height } = this.svg.viewBox.baseVal;
      this.svg.style.minWidth = `${width * LEAST_SCALE}px`;
      this.svg.style.minHeight = `${height * LEAST_SCALE}px`;
      this.svg.style.maxWidth = `${width * MOST_SCALE}px`;
    }

    go(step) {
      this.pause();
      this.step = Math.min(Math.max(step, 0), this.last);
      this.show(this.step);
    }

    play() {
      this.pause();
      if (this.step === this.last) this.step = 0;
      this.live.setAttribute("aria-live", "off"); // nobody listens to that many moves
      this.turn(ICONS.pause, "Pause");
      this.show(this.step);
      this.timer = setInterval(() => this.tick(), 1000 / Number(this.controls.speed.value));
    }

    tick() {
      this.step = Math.min(this.step + 1, this.last);
      if (this.step === this.last) this.pause();
      this.show(this.step);
    }

    pause() {
      if (this.timer === null) return;
      clearInterval(this.timer);
      this.timer = null;
      this.live.setAttribute("aria-live", "polite");
      this.turn(ICONS.play, "Play");
    }

    turn(icon, label) {
      this.controls.play.setAttribute("aria-label", label);
      this.controls.play.querySelector("path").setAttribute("d", icon);
    }

    // The places of the pebbles after so many steps; values in fast memory keep their slots.
    state(step) {
      const { names, inputs, steps, operands } = this.data;
      const slots = [];
      const blue = new Set(inputs);
      const computes = names.map(() => 0);
      const added = names.map(() => 0);
      const put = (vertex, slot) => (slots[slot < 0 ? slots.length : slot] = vertex);
      for (const [move, vertex, replaced, operand] of steps.slice(0, step)) {
        if (move === COMPUTE && operand !== undefined) {
          if (slots.includes(vertex)) blue.delete(vertex);
          else put(vertex, slots.indexOf(null));
        } else if (move === STORE) blue.add(vertex);
        else if (move === DELETE) slots[slots.indexOf(vertex)] = null;
        else put(vertex, slots.indexOf(replaced ?? null));
        if (move !== COMPUTE) continue;
        if (operand !== undefined) added[vertex] += 1;
        if (operand === undefined || added[vertex] === operands[vertex].length) {
          computes[vertex] += 1;
        }
      }
      return { slots, blue, computes, red: new Set(slots.filter((vertex) => vertex !== null)) };
    }

    show(step) {
      const state = this.state(step);
      this.showText(step);
      this.showVertices(state, step);
      this.showSlots(state, step);
      this.showPlace(step);
    }

    showText(step) {
      const { loads, stores, occupancy } = this.data;
      const [move, why] = this.words(step);
      const texts = { move, why, step, loads: loads[step], stores: stores[step] };
      texts.io = loads[step] + stores[step];
      texts.occupancy = occupancy[step];
      for (const [name, text] of Object.entries(texts)) {
        this.shown[name].textContent = typeof text === "number" ? number.format(text) : text;
      }
      this.controls.seek.value = step;
      this.controls.seek.setAttribute("aria-valuetext", `${step} of ${this.last}: ${move}`);
      this.controls.first.disabled = this.controls.back.disabled = step === 0;
      this.controls.last.disabled = this.controls.forward.disabled = step === this.last;
    }

    words(step) {
      const { names, words, operands, outputs, steps } = this.data;
      if (step === 0) return ["Start", "The inputs are in slow memory, fast memory is empty."];
      const [move, vertex, replaced, operand] = steps[step - 1];
      const name = names[vertex];
      const size = words[vertex] === 1 ? "1 word" : `${number.format(words[vertex])} words`;
      const place = (replaced ?? null) === null ? "" : ` in place of ${names[replaced]}`;
      const from = operand === undefined ? operands[vertex] : [operand];
      const why = {
        [LOAD]: `${size} from slow to fast memory.`,
        [STORE]: `${size} from fast to slow memory.`,
        [COMPUTE]: `from ${from.map((each) => names[each]).join(", ")}.`,
        [DELETE]: `${size} of fast memory free.`,
      }[move];
      const over = outputs.every((each) => this.state(step).blue.has(each));
      const end = over && step === this.last ? ` ${this.ending()}` : "";
      return [`${VERBS[move]} ${name}${place}`, why + end];
    }

    ending() {
      const text = "The play is over: all outputs are in slow memory.";
      if (this.data === this.best) return text;
      const moved = (play) => play.loads.at(-1) + play.stores.at(-1);
      const [own, best] = [moved(this.mine), moved(this.best)].map((io) => number.format(io));
      const { bound } = this.best;
      const least = bound === null ? "" : ` No play moves fewer than ${number.format(bound)}.`;
      return `${text} You moved ${own} words, the play of this page ${best}.${least}`;
    }

    showVertices({ red, blue, computes }, step) {
      const { names, steps, inputs } = this.data;
      const [move, active] = step ? steps[step - 1] : [];
      this.vertices.forEach((node, vertex) => {
        const isInput = node.classList.contains("input");
        node.classList.toggle("red", red.has(vertex));
        node.classList.toggle("blue", blue.has(vertex));
        node.classList.toggle("done", isInput || computes[vertex] > 0);
        node.classList.toggle("active", vertex === active);
        const times = computes[vertex] > 1 ? `${computes[vertex]}\u00d7` : "";
        node.querySelector(".again").textContent = times;
        node.querySelector("title").textContent = this.title(vertex, red, blue, computes[vertex]);
      });
      for (const edge of this.svg.querySelectorAll(".edges .active")) {
        edge.classList.remove("active");
      }
      if (move === COMPUTE) this.edges[active].forEach((edge) => edge.classList.add("active"));
    }

    title(vertex, red, blue, computes) {
      const where = [red.has(vertex) && "fast", blue.has(vertex) && "slow"].filter(Boolean);
      const place = where.length ? `in ${where.join(" and ")} memory` : "in no memory";
      const times = computes ? `, computed ${computes === 1 ? "once" : `${computes} times`}` : "";
      return `${this.data.names[vertex]}: ${place}${times}`;
    }

    showSlots({ slots }, step) {
      const { names, words, memory, steps } = this.data;
      const active = step ? steps[step - 1][1] : null;
      const whole = words.every((size) => size === 1) && memory <= MOST_EMPTY_SLOTS;
      const shown = whole ? Array.from({ length: memory }, (_, slot) => slots[slot] ?? null)
        : slots.filter((vertex) => vertex !== null);
      const items = shown.map((vertex) => {
        const item = document.createElement("li");
        if (vertex === null) {
          item.className = "empty";
          item.setAttribute("aria-hidden", "true");
          return item;
        }
        item.textContent = names[vertex];
        item.classList.toggle("active", vertex === active);
        if (words[vertex] !== 1) {
          const size = document.createElement("small");
          size.textContent = ` ${compact.format(words[vertex])}w`;
          item.append(size);
        }
        return item;
      });
      if (!whole) {
        const item = document.createElement("li");
        item.className = "free";
        const free = memory - this.data.occupancy[step];
        item.textContent = `${number.format(free)} ${free === 1 ? "word" : "words"} free`;
        items.push(item);
      }
      this.slots.replaceChildren(...items);
    }

    // Marks the step in the list and in the charts, and scrolls what is scrolled to it.
    showPlace(step) {
      const current = this.moves[step - 1];
      for (const button of this.list.querySelectorAll("[tabindex='0']")) {
        button.removeAttribute("aria-current");
        button.tabIndex = -1;
      }
      const reached = current ?? this.moves[0]; // by the tab key
      if (reached) reached.tabIndex = 0;
      if (current) {
        current.setAttribute("aria-current", "step");
        keepInView(this.list, current);
        keepInView(this.drawing, this.vertices[this.data.steps[step - 1][1]]);
      } else {
        this.list.scrollTop = 0;
      }
      for (const chart of this.data === this.best ? this.charts : []) {
        const now = chart.querySelector(".now");
        now.setAttribute("x1", step);
        now.setAttribute("x2", step);
      }
    }

    key(event) {
      const inList = this.list.contains(event.target);
      const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };
      if (inList) Object.assign(keys, { ArrowUp: "back", ArrowDown: "forward" });
      if (this.data === this.mine) Object.assign(keys, OWN_KEYS);
      const name = keys[event.key] ?? (event.key === " " ? "play" : undefined);
      if (name === undefined) return;
      event.preventDefault();
      this.actions[name]();
      if (inList) this.list.querySelector("[tabindex='0']").focus({ preventScroll: true });
    }
  }

  // Scrolls the box alone, never the page.
  function keepInView(box, node) {
    const outer = box.getBoundingClientRect();
    const inner = node.getBoundingClientRect();
    const room = 8;
    if (inner.top < outer.top + room) box.scrollTop -= outer.top + room - inner.top;
    if (inner.bottom > outer.bottom - room) box.scrollTop += inner.bottom - outer.bottom + room;
    if (inner.left < outer.left + room) box.scrollLeft -= outer.left + room - inner.left;
    if (inner.right > outer.right - room) box.scrollLeft += inner.right - outer.right + room;
  }

  // A link may name a step of the only player: player.html#step-12
  function openAtStep() {
    const [, step] = /^#step-(\d+)$/.exec(location.hash) ?? [];
    if (step !== undefined && players.length === 1) players[0].go(Number(step));
  }

  const players = [...document.querySelectorAll(".player")].map((root) => new Player(root));
  openAtStep();
  addEventListener("hashchange", openAtStep);

  // Keys go to the player that has the focus, or to the only one; fields keep their own.
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (target.closest("input, select, textarea, [contenteditable]")) return;
    if (event.key === " " && target.closest("button, a, summary")) return;
    const root = target.closest(".player");
    const player = players.find((one) => one.root === root) ?? (players.length === 1 && players[0]);
    if (player) player.key(event);
  });
