import { CniError, code } from '../cni/error.ts';

/** One problem of a configuration; `path` is a JSON pointer, or names a pair of CNI_ARGS. */
export type Problem =
  | { readonly kind: 'invalid'; readonly path: string; readonly found: unknown; readonly expected: string }
  | { readonly kind: 'missing'; readonly path: string; readonly expected: string }
  | { readonly kind: 'unsupported'; readonly path: string; readonly found: unknown; readonly reason: string }
  | {
      readonly kind: 'unknown key';
      readonly path: string;
      readonly found: unknown;
      /** What the key may stand for, as a phrase; empty if unknown. */
      readonly hint: string;
    };

/** An invalid configuration: the message has the first problem, the details have the others. */
export class InvalidConfig extends CniError {
  readonly problems: readonly Problem[];

  constructor(problems: readonly [Problem, ...Problem[]], subject = 'network configuration') {
    const [first, ...others] = problems;
    const ofArgs = first.path.startsWith('CNI_ARGS');
    const isUnsupported = first.kind === 'unknown key' || first.kind === 'unsupported';
    super(
      ofArgs ? code.invalidEnvironment : isUnsupported ? code.unsupportedField : code.invalidConfig,
      `${ofArgs ? '' : `invalid ${subject}: `}${describeProblem(first)}`,
      {
        details: others.map(describeProblem).join('; '),
        unquoted: `invalid ${subject}: ${problems.map(({ kind, path }) => `${path} (${kind})`).join(', ')}`,
      },
    );
    this.problems = problems;
  }
}

/** Collects the problems found while a configuration is read. */
export interface Problems {
  readonly add: (problems: readonly Problem[]) => void;
  readonly invalid: (path: string, found: unknown, expected: string) => void;
  readonly unsupported: (path: string, found: unknown, reason: string) => void;
  readonly found: () => readonly Problem[];
  /** Throws one `InvalidConfig` for all problems. */
  readonly throwIfAny: () => void;
}

/** `pathOf` returns the JSON pointer in the given configuration for one in the translated configuration. */
export function collectProblems(subject?: string, pathOf = (path: string) => path): Problems {
  const all: Problem[] = [];
  const found = () => all.map((problem) => ({ ...problem, path: pathOf(problem.path) }));
  return {
    // Not spread into `push`: a configuration may have more problems than a call may have arguments.
    add: (problems) => {
      for (const problem of problems) all.push(problem);
    },
    invalid: (path, value, expected) => all.push({ kind: 'invalid', path, found: value, expected }),
    unsupported: (path, value, reason) => all.push({ kind: 'unsupported', path, found: value, reason }),
    found,
    throwIfAny: () => {
      const [first, ...others] = found();
      if (first !== undefined) throw new InvalidConfig([first, ...others], subject);
    },
  };
}

/** One problem in words, with its path and the given value. */
export function describeProblem(problem: Problem): string {
  switch (problem.kind) {
    case 'invalid':
      return `${problem.path} is ${quote(problem.found)}, expected ${problem.expected}`;
    case 'missing':
      return `${problem.path} is missing, expected ${problem.expected}`;
    case 'unsupported':
      return `${problem.path} is ${quote(problem.found)}, which is not supported: ${problem.reason}`;
    case 'unknown key': {
      const key = `${problem.path} is an unknown key (value: ${quote(problem.found)})`;
      return [key, problem.hint].filter(Boolean).join(', ');
    }
  }
}

function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
