import { CniError, code } from '../cni/error.ts';

/** One thing that is wrong with a configuration; `path` is a JSON pointer. */
export type Problem =
  | { readonly kind: 'value'; readonly path: string; readonly found: unknown; readonly expected: string }
  | { readonly kind: 'missing'; readonly path: string; readonly expected: string }
  | { readonly kind: 'unsupported'; readonly path: string; readonly found: unknown; readonly reason: string }
  | {
      readonly kind: 'unknown key';
      readonly path: string;
      readonly found: unknown;
      readonly nearest: string | undefined;
    };

/** The problems found so far while a configuration is read. */
export class Problems {
  readonly #all: Problem[] = [];
  readonly #what: string;
  readonly #pathOf: (path: string) => string;

  /** `pathOf` tells where in what was given a path of ours leads. */
  constructor(what = 'network configuration', pathOf = (path: string) => path) {
    this.#what = what;
    this.#pathOf = pathOf;
  }

  add(problems: readonly Problem[]): void {
    this.#all.push(...problems);
  }

  value(path: string, found: unknown, expected: string): void {
    this.#all.push({ kind: 'value', path, found, expected });
  }

  unsupported(path: string, found: unknown, reason: string): void {
    this.#all.push({ kind: 'unsupported', path, found, reason });
  }

  throwIfAny(): void {
    const placed = this.#all.map((problem) => ({ ...problem, path: this.#pathOf(problem.path) }));
    throwIfAny(placed, this.#what);
  }
}

/** Throws the one error for a refused configuration, if there is a problem. */
export function throwIfAny(problems: readonly Problem[], what?: string): void {
  const [first, ...others] = problems;
  if (first !== undefined) throw refusal([first, ...others], what);
}

/** The one error for a refused configuration: the first problem is its message, the others are its details. */
export function refusal(
  problems: readonly [Problem, ...Problem[]],
  what = 'network configuration',
): CniError {
  const [first, ...others] = problems;
  return new CniError(
    first.kind === 'unknown key' || first.kind === 'unsupported' ? code.unsupportedField : code.invalidConfig,
    `${what} refused: ${describe(first)}`,
    {
      details: others.map(describe).join('; '),
      unquoted: `${what} refused: ${problems.map(({ kind, path }) => `${path} (${kind})`).join(', ')}`,
    },
  );
}

function describe(problem: Problem): string {
  switch (problem.kind) {
    case 'value':
      return `${problem.path} is ${show(problem.found)}, expected ${problem.expected}`;
    case 'missing':
      return `${problem.path} is missing, expected ${problem.expected}`;
    case 'unsupported':
      return `${problem.path} is ${show(problem.found)}, which win-hcn cannot do: ${problem.reason}`;
    case 'unknown key': {
      const hint = problem.nearest === undefined ? '' : `, did you mean "${problem.nearest}"?`;
      return `${problem.path} is not a key win-hcn knows (its value: ${show(problem.found)})${hint}`;
    }
  }
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
