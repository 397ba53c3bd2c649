// Calls that a fault stops on their way, until a test lets them go on.

export class Holds {
  #held: { readonly name: string; readonly resolve: (isLost: boolean) => void }[] = [];
  #watchers: (() => void)[] = [];

  /** The functions whose calls stand still now. */
  get names(): readonly string[] {
    return this.#held.map(({ name }) => name);
  }

  /** Stands still until somebody ends it; answers whether the call is lost. */
  wait(name: string): Promise<boolean> {
    return new Promise((resolve) => {
      this.#held.push({ name, resolve });
      const watchers = this.#watchers;
      this.#watchers = [];
      for (const watcher of watchers) watcher();
    });
  }

  /** Ends every wait there is. */
  end(isLost: boolean): void {
    const held = this.#held;
    this.#held = [];
    for (const { resolve } of held) resolve(isLost);
  }

  /** Until the next call stands still. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#watchers.push(resolve));
  }
}
