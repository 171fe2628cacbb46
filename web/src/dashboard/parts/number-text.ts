const numbers = new Intl.NumberFormat('en');

/** `1,234`. A formatter that is made once: `toLocaleString` takes ten times as long. */
export const numberText = (number: number): string => numbers.format(number);
