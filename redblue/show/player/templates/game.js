  const [LOAD, STORE, COMPUTE, DELETE] = [0, 1, 2, 3];
  const number = new Intl.NumberFormat("en");
  const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

  // A play with the words that it has loaded, stored and holds at first and after each move.
  function counted({ words }, steps) {
    const play = { steps, loads: [0], stores: [0], occupancy: [0] };
    for (const [move, vertex] of steps) {
      const moved = (what) => (move === what ? words[vertex] : 0);
      play.loads.push(play.loads.at(-1) + moved(LOAD));
      play.stores.push(play.stores.at(-1) + moved(STORE));
      const taken = moved(LOAD) + moved(COMPUTE) - moved(DELETE);
      play.occupancy.push(play.occupancy.at(-1) + taken);
    }
    return play;
  }

  // Why a move is illegal, in a sentence; nothing where it is legal.
  function forbidden(data, { red, blue, computes }, move, vertex, used) {
    const { names, words, memory, inputs, operands, again } = data;
    const name = names[vertex];
    const free = memory - used;
    const missing = operands[vertex].filter((each) => !red.has(each)).map((each) => names[each]);
    const reasons = {
      [LOAD]: [
        [red.has(vertex), `${name} is in fast memory already.`],
        [!blue.has(vertex), `${name} is not in slow memory.`],
      ],
      [STORE]: [
        [!red.has(vertex), `${name} is not in fast memory.`],
        [blue.has(vertex), `${name} is in slow memory already.`],
      ],
      [COMPUTE]: [
        [inputs.includes(vertex), `${name} is an input: it is loaded, never computed.`],
        [red.has(vertex), `${name} is in fast memory already.`],
        [!again && computes[vertex] > 0, `${name} has been computed: one-shot rules allow that once.`],
        [missing.length > 0, `Not in fast memory: ${missing.join(", ")}.`],
      ],
      [DELETE]: [[!red.has(vertex), `${name} is not in fast memory.`]],
    }[move];
    if (move === LOAD || move === COMPUTE) {
      const room = `It takes ${number.format(words[vertex])} of ${number.format(memory)} words`;
      reasons.push([words[vertex] > free, `${room}, and ${number.format(free)} are free.`]);
    }
    return (reasons.find(([holds]) => holds) ?? [])[1];
  }

