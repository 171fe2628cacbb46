/** Runs in a page before its own script: keeps its streams in `streams`, where a test can count them. */
export const COUNT_STREAMS = `
  window.streams = [];
  const Real = window.EventSource;
  window.EventSource = class extends Real {
    constructor(url) { super(url); window.streams.push(this); }
  };`;
