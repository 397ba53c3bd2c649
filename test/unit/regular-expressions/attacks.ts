import { type AST, RegExpParser } from '@eslint-community/regexpp';
import type { Expression } from './find-expressions.ts';

/** A text of any length: the start once, the middle as often as it fits, the end once. */
export interface Attack {
  readonly start: string;
  readonly middle: string;
  readonly end: string;
}

/** A quantifier with a higher limit than this counts as one without a limit. */
const fewTimes = 300;
const usual = ['a', 'A', '0', ' ', '\t', '\n', '\r', '-', '.', '_', '/', '\\', '"', "'", ':', '\0', '\u2028'];
/** Characters tried for each quantifier, at most. */
const mostPumps = 8;

/**
 * Texts on which a backtracking matcher takes long if the expression lets it. From the structure of the expression: for each
 * quantifier, what it repeats, after what leads to it and before what almost completes the match, and repetitions of that.
 * Empty if no part repeats.
 */
export function attacksOn({ source, flags }: Pick<Expression, 'source' | 'flags'>): readonly Attack[] {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const repeats = quantifiersIn(pattern);
  const alphabet = new Set([...usual, ...charactersIn(pattern)]);
  const words = new Words([...alphabet], flags);
  const attacks = new Map<string, Attack>();
  for (const repeat of repeats) {
    const before = words.before(repeat);
    const after = words.after(repeat);
    const least = words.of(repeat);
    const pumps = words.alternatives(repeat.element).slice(0, mostPumps);
    const almost = after.slice(0, -1);
    for (const pump of pumps) {
      const middles: readonly (readonly [start: string, middle: string])[] = [
        [before, pump],
        [`\n${before}${least}`, pump],
        ['', pump],
        ['', before + pump],
        [before, pump + least],
        [before, least + after],
        ['', before + least],
        ['', before + least + pump],
        ['', before + least + almost],
        ['', `${before}${least}${after} `],
        ['', `${pump} ${before}${least}`],
        ...pumps.slice(0, 4).map((other) => [before, pump + other] as const),
      ];
      const ends = new Set(['', '\0', '\n\0', almost, `${after}\0`, ...words.refused(repeat.element)]);
      for (const [start, middle] of middles)
        for (const end of middle === '' ? [] : ends)
          attacks.set(JSON.stringify([start, middle, end]), { start, middle, end });
    }
  }
  return [...attacks.values()];
}

export function textOf({ start, middle, end }: Attack, length: number): string {
  const text = start + middle.repeat(Math.max(1, Math.ceil(length / middle.length))) + end;
  // A concatenation is a tree in memory until something reads it, which would count as time of the expression.
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

function quantifiersIn(node: AST.Node): readonly AST.Quantifier[] {
  const inside = childrenOf(node).flatMap(quantifiersIn);
  return node.type === 'Quantifier' && node.max > fewTimes ? [node, ...inside] : inside;
}

function isCharacter({ type }: AST.Node): boolean {
  return type === 'Character' || type === 'CharacterSet' || type === 'CharacterClass';
}

function charactersIn(node: AST.Node): readonly string[] {
  if (node.type === 'Character') return [String.fromCodePoint(node.value)];
  return childrenOf(node).flatMap(charactersIn);
}

function childrenOf(node: AST.Node): readonly AST.Node[] {
  switch (node.type) {
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return node.alternatives;
    case 'Assertion':
      return node.kind === 'lookahead' || node.kind === 'lookbehind' ? node.alternatives : [];
    case 'Alternative':
    case 'CharacterClass':
      return node.elements;
    case 'CharacterClassRange':
      return [node.min, node.max];
    case 'Quantifier':
      return [node.element];
    default:
      return [];
  }
}

/** Short texts that parts of an expression accept. */
class Words {
  readonly #alphabet: readonly string[];
  readonly #flags: string;

  constructor(alphabet: readonly string[], flags: string) {
    this.#alphabet = alphabet;
    this.#flags = flags.replaceAll(/[gy]/g, '');
  }

  /** One text that a part accepts. */
  of(node: AST.Node): string {
    switch (node.type) {
      case 'Alternative':
        return node.elements.map((element) => this.of(element)).join('');
      case 'Quantifier':
        return this.of(node.element).repeat(Math.min(node.min, fewTimes));
      default:
        return this.alternatives(node)[0] ?? '';
    }
  }

  /** Texts that a part accepts: each kind of character, each alternative. */
  alternatives(node: AST.Node): readonly string[] {
    switch (node.type) {
      case 'Pattern':
      case 'Group':
      case 'CapturingGroup':
        return [...new Set(node.alternatives.map((one) => this.#repeated(one)).filter(Boolean))];
      case 'Alternative':
      case 'Quantifier':
        return [this.of(node)];
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass': {
        const accepts = new RegExp(`^(?:${node.raw})$`, this.#flags);
        return this.#alphabet.filter((character) => accepts.test(character));
      }
      default:
        return [];
    }
  }

  /** Characters that a part of one character refuses: one of each kind. */
  refused(node: AST.Node): readonly string[] {
    const accepted = this.alternatives(node);
    const refused = this.#alphabet.filter((character) => !accepted.includes(character));
    return isCharacter(node) ? refused.slice(0, 3) : [];
  }

  /** What leads to a part: all before it in each alternative around it. */
  before(node: AST.Node): string {
    return this.#beside(node, 'before');
  }

  after(node: AST.Node): string {
    return this.#beside(node, 'after');
  }

  #beside(node: AST.Node, side: 'before' | 'after'): string {
    const { parent } = node;
    if (parent === null) return '';
    const outer = this.#beside(parent, side);
    if (parent.type !== 'Alternative') return outer;
    const at = parent.elements.findIndex((one) => one.start === node.start);
    const elements = side === 'before' ? parent.elements.slice(0, at) : parent.elements.slice(at + 1);
    const own = elements.map((element) => this.of(element)).join('');
    return side === 'before' ? outer + own : own + outer;
  }

  /** An alternative with at least one character, where it may have none. */
  #repeated(alternative: AST.Alternative): string {
    const least = this.of(alternative);
    if (least !== '') return least;
    return (
      alternative.elements.flatMap((one) =>
        one.type === 'Quantifier' ? this.alternatives(one.element) : [],
      )[0] ?? ''
    );
  }
}
