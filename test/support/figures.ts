/** Writes what a long test has counted beside jest's report: how many attempts a promise was tested with. */
export const writeFigures = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
