/** A binary heap: `pop` returns the least item. */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #compare: (a: T, b: T) => number;

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let index = items.length;
    items.push(item);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = items[parent];
      if (above === undefined || this.#compare(above, item) <= 0) break;
      items[index] = above;
      index = parent;
    }
    items[index] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const least = items[0];
    const last = items.pop();
    if (last !== undefined && items.length > 0) this.#sink(last);
    return least;
  }

  /** Moves the item down from the root to its place. */
  #sink(item: T): void {
    const items = this.#items;
    let index = 0;
    for (;;) {
      const left = items[2 * index + 1];
      if (left === undefined) break;
      const right = items[2 * index + 2];
      const isRight = right !== undefined && this.#compare(right, left) < 0;
      const child = isRight ? right : left;
      if (this.#compare(item, child) <= 0) break;
      items[index] = child;
      index = 2 * index + (isRight ? 2 : 1);
    }
    items[index] = item;
  }
}
