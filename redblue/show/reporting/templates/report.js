"use strict";
(() => {
  const charts = [...document.querySelectorAll("figure.chart")].map((figure) => ({
    figure,
    place: figure.querySelector(".moving"),
    buttons: [...figure.querySelectorAll(".legend button")],
    ...JSON.parse(figure.querySelector(".chart-data").textContent),
  }));
  const packed = document.getElementById("library");
  if (!packed || !charts.length || !("DecompressionStream" in window)) return;

  const variable = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const pause = () => new Promise((done) => setTimeout(done));

  async function load() {
    const bytes = Uint8Array.from(atob(packed.textContent), (letter) => letter.charCodeAt(0));
    packed.remove();
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const script = document.createElement("script");
    script.textContent = await new Response(plain).text();
    document.head.append(script);
  }

  const transparent = "rgba(0, 0, 0, 0)";
  const faded = (colour) => colour + "33"; // 20% of #rrggbb

  function traces(chart) {
    return chart.data.map((trace, index) => {
      const colour = variable(trace.meta.colour);
      if (trace.fill) return { ...trace, fillcolor: faded(colour) };
      const button = chart.buttons.find((one) => Number(one.dataset.trace) === index);
      return {
        ...trace,
        visible: button.getAttribute("aria-pressed") === "true",
        line: { ...trace.line, color: colour },
        marker: { ...trace.marker, color: colour, line: { color: variable("ground"), width: 1 } },
      };
    });
  }

  function axis(wanted, room) {
    const step = wanted.ticktext ? Math.ceil(wanted.ticktext.length / room) : 1;
    const every = (_, index) => index % step === 0;
    const ticks = wanted.ticktext
      ? { tickvals: wanted.tickvals.filter(every), ticktext: wanted.ticktext.filter(every), tickangle: 0 }
      : { nticks: room };
    const title = { ...wanted.title, standoff: 10, font: { size: 13 } };
    const rule = variable("rule");
    return { ...wanted, ...ticks, title, automargin: true, gridcolor: rule, zerolinecolor: rule, linecolor: variable("line"), showline: true, ticks: "outside", ticklen: 4, tickcolor: variable("line") };
  }

  function layout(chart) {
    const widest = Math.max(1, ...(chart.layout.xaxis.ticktext || ["12345678"]).map((text) => text.length));
    const room = Math.max(2, Math.floor((chart.place.clientWidth - 80) / (widest * 7.5 + 14)));
    return {
      ...chart.layout,
      xaxis: axis(chart.layout.xaxis, room),
      yaxis: axis(chart.layout.yaxis, 9),
      width: chart.place.clientWidth,
      height: chart.place.clientHeight,
      paper_bgcolor: transparent,
      plot_bgcolor: transparent,
      font: { color: variable("ink"), family: getComputedStyle(document.body).fontFamily, size: 12.5 },
      margin: { l: 10, r: 16, t: 10, b: 10 },
      hoverlabel: { bgcolor: variable("panel"), bordercolor: variable("line"), font: { color: variable("ink"), size: 12.5 }, align: "left", namelength: -1 },
    };
  }

  function draw(chart) {
    chart.figure.classList.add("drawn"); // first, for Plotly asks how large the place is
    return Plotly.react(chart.place, traces(chart), layout(chart), { displayModeBar: false, responsive: false });
  }

  const hidden = (chart) => chart.figure.closest("details.more:not([open])"); // has no width

  async function drawAll() {
    for (const chart of charts) {
      if (hidden(chart)) continue;
      await draw(chart);
      await pause(); // so that the page can be scrolled meanwhile
    }
  }

  function listen() {
    for (const chart of charts) {
      for (const button of chart.buttons) {
        button.disabled = false;
        button.addEventListener("click", () => {
          button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
          draw(chart);
        });
      }
    }
    for (const details of document.querySelectorAll("details.more")) {
      details.addEventListener("toggle", () => {
        for (const chart of charts) if (details.open && details.contains(chart.figure)) draw(chart);
      });
    }
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
    let width = innerWidth;
    let waiting = 0;
    addEventListener("resize", () => {
      if (innerWidth === width) return; // a phone's address bar
      width = innerWidth;
      clearTimeout(waiting);
      waiting = setTimeout(drawAll, 150);
    });
  }

  load()
    .then(drawAll)
    .then(listen)
    .then(() => document.documentElement.setAttribute("data-charts", "drawn"));
})();
