// Pairwise covering arrays.

export interface Parameter<Position> {
  readonly name: string;
  /** At least one position. */
  readonly positions: readonly Position[];
}

/** One position of each parameter, by name. */
export type Row<Position> = Readonly<Record<string, Position>>;

interface Choice<Position> {
  readonly name: string;
  readonly position: Position;
  /** Positions of other parameters that are not yet in a row with this one. */
  readonly missing: Set<Choice<Position>>;
}

/**
 * Returns rows that contain every pair of positions of two parameters at least once. Deterministic.
 * Greedy, one row at a time: returns few rows, but not always the fewest.
 */
export function coveringArray<Position>(parameters: readonly Parameter<Position>[]): Row<Position>[] {
  const choices = parameters.map(({ name, positions }) =>
    positions.map((position): Choice<Position> => ({ name, position, missing: new Set() })),
  );
  const [only = []] = choices;
  if (choices.length === 1) return only.map((choice) => named([choice]));
  for (const own of choices)
    for (const others of choices)
      if (own !== others) for (const choice of own) for (const other of others) choice.missing.add(other);
  const rows: Row<Position>[] = [];
  for (let row = nextRow(choices); row.length > 0; row = nextRow(choices)) {
    for (const choice of row) for (const other of row) choice.missing.delete(other);
    rows.push(named([...row].sort((one, other) => indexOf(choices, one) - indexOf(choices, other))));
  }
  return rows;
}

/** Returns an empty row when every pair is covered. */
function nextRow<Position>(choices: readonly (readonly Choice<Position>[])[]): Choice<Position>[] {
  const left = [...choices].sort((one, other) => missingOf(other) - missingOf(one));
  const row: Choice<Position>[] = [];
  for (const own of left) {
    const gain = (choice: Choice<Position>) => row.filter((other) => choice.missing.has(other)).length;
    const [best] = [...own].sort(
      (one, other) => gain(other) - gain(one) || other.missing.size - one.missing.size,
    );
    if (best) row.push(best);
  }
  const covers = row.some((choice) => row.some((other) => choice.missing.has(other)));
  return covers ? row : [];
}

function missingOf<Position>(choices: readonly Choice<Position>[]): number {
  return Math.max(...choices.map(({ missing }) => missing.size));
}

function indexOf<Position>(choices: readonly (readonly Choice<Position>[])[], choice: Choice<Position>) {
  return choices.findIndex((own) => own.includes(choice));
}

function named<Position>(row: readonly Choice<Position>[]): Row<Position> {
  return Object.fromEntries(row.map(({ name, position }) => [name, position]));
}
