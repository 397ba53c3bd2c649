/** Throws if a text is not the expected one, in which `…` stands for any text. */
export function expectText(what: string, actual: string, expected: string): void {
  const parts = expected.split(/ ?… ?/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (!new RegExp(`^${parts.join('.*')}$`, 's').test(actual))
    throw new Error(`${what}:\n  expected: ${expected}\n  actual:   ${actual}`);
}
