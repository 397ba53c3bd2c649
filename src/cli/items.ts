import { Help } from 'commander';

/** Named texts below one another, indented, each wrapped beside its name; those that are undefined or empty are left out. */
export function items(texts: Readonly<Record<string, string | undefined>>, width: number): string {
  const helper = new Help();
  helper.prepareContext({ helpWidth: width });
  const present = Object.entries(texts).filter(([, text]) => text);
  const longest = Math.max(...present.map(([name]) => name.length));
  return present.map(([name, text]) => helper.formatItem(name, longest, text ?? '', helper)).join('\n');
}
