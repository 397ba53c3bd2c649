/** A range of ports; both ends are included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** Reads the lines with two numbers; an asterisk marks ranges that an administrator added. */
export function readExcludedRanges(lines: readonly string[]): readonly PortRange[] {
  return lines.flatMap((line) => {
    const [, first, last] = /^\s*(\d+)\s+(\d+)(?:\s*\*)?\s*$/.exec(line) ?? [];
    return first === undefined ? [] : [{ first: Number(first), last: Number(last) }];
  });
}
