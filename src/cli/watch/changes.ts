import type { Entry } from './view.ts';

/** One difference between two views, as a line: `+` for what has come, `-` for what has gone, `~` for what is different. */
export type Change = `${'+' | '-' | '~'} ${string}`;

/** What has become of the entries of one view in a later one: gone, different and come, in this order. */
export function changesBetween(before: readonly Entry[], after: readonly Entry[]): readonly Change[] {
  const earlier = new Map(before.map((entry) => [entry.key, entry]));
  const later = new Map(after.map((entry) => [entry.key, entry]));
  return [
    ...before.flatMap((entry): readonly Change[] => (later.has(entry.key) ? [] : [`- ${inFull(entry)}`])),
    ...after.flatMap((entry) => {
      const was = earlier.get(entry.key);
      return was === undefined ? [] : differences(was, entry);
    }),
    ...after.flatMap((entry): readonly Change[] => (earlier.has(entry.key) ? [] : [`+ ${inFull(entry)}`])),
  ];
}

function inFull({ name, cells }: Entry): string {
  return [name, ...Object.values(cells).filter((cell) => cell !== '-')].join(' ');
}

function differences(was: Entry, now: Entry): readonly Change[] {
  if (Object.keys(was.cells).join() !== Object.keys(now.cells).join()) return [`~ ${inFull(now)}`];
  const texts = Object.entries(now.cells).flatMap(([title, cell]) =>
    was.cells[title] === cell ? [] : [`${title} ${cell} (was ${was.cells[title]})`],
  );
  return texts.length === 0 ? [] : [`~ ${now.name}: ${texts.join(', ')}`];
}
