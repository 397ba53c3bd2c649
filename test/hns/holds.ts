// Calls that a fault stops on their way, until a test lets them go on.

export class Holds {
  #held: ((isLost: boolean) => void)[] = [];
  #watchers: (() => void)[] = [];

  /** How many calls stand still now. */
  get count(): number {
    return this.#held.length;
  }

  /** Stands still until somebody ends it; answers whether the call is lost. */
  wait(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#held.push(resolve);
      const watchers = this.#watchers;
      this.#watchers = [];
      for (const watcher of watchers) watcher();
    });
  }

  /** Ends every wait there is. */
  end(isLost: boolean): void {
    const held = this.#held;
    this.#held = [];
    for (const resolve of held) resolve(isLost);
  }

  /** Until the next call stands still. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#watchers.push(resolve));
  }
}
