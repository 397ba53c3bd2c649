// Reads a CPU profile of V8.

/** A profile as `--cpu-prof` writes it. */
export interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  /** The node of each sample. */
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

/** Lines and columns start at 0; -1 for native code. */
export interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** A function, and how long it ran itself. */
export interface SelfTime {
  readonly name: string;
  /** File and line; empty for native code. */
  readonly place: string;
  readonly milliseconds: number;
}

/** Returns all functions, the highest self time first. `locate` returns the place of a script's function. */
export function selfTimes(
  { nodes, samples, timeDeltas }: CpuProfile,
  locate: (frame: CallFrame) => string | undefined,
): readonly SelfTime[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map<string, SelfTime>();
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    if (frame === undefined) continue;
    const name = frame.functionName || '(anonymous)';
    const place = locate(frame) ?? placeOf(frame);
    const key = `${name} ${place}`;
    const before = times.get(key)?.milliseconds ?? 0;
    times.set(key, { name, place, milliseconds: before + Math.max(timeDeltas[index] ?? 0, 0) / 1000 });
  }
  return [...times.values()].toSorted((a, b) => b.milliseconds - a.milliseconds);
}

function placeOf({ url, lineNumber }: CallFrame): string {
  return url === '' ? '' : `${url}:${lineNumber + 1}`;
}
