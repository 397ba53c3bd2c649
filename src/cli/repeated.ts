/** For an option that may be given more than once: what each text is parsed to, in their order. */
export function repeated<T>(
  parse: (text: string) => T,
): (text: string, previous?: readonly T[]) => readonly T[] {
  return (text, previous = []) => [...previous, parse(text)];
}
