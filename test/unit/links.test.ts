import { existsSync, globSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { type Page, pages } from '../markdown/page.ts';

const isExternal = (target: string) => /^[a-z]+:/.test(target);

/** The problem of a link to a file or heading of the repository; undefined if it resolves. */
function problemOf(page: Page, target: string, all: readonly Page[]): string | undefined {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page.path : posix.join(posix.dirname(page.path), decodeURI(path));
  if (file.startsWith('..')) return 'is outside of the repository';
  const linked = all.find((one) => one.path === file);
  if (linked === undefined && !existsSync(file)) return 'does not exist';
  if (anchor === undefined || linked === undefined) return undefined;
  return linked.anchors.has(anchor) ? undefined : `has no heading #${anchor}`;
}

test('every link to a file or heading resolves', () => {
  const links = pages.flatMap((page) => page.links.map(({ place, text }) => ({ page, place, text })));
  const relative = links.filter(({ text }) => !isExternal(text));
  expect(relative.length).toBeGreaterThan(50);
  const broken = relative.flatMap(({ page, place, text }) => {
    const problem = problemOf(page, text, pages);
    return problem === undefined ? [] : [`${place}: ${text} ${problem}`];
  });
  expect(broken).toEqual([]);
});

test('the pages of a release link only to its own files', () => {
  const released = /^(?:docs|deploy|schemas|conflist-examples)(?:\/|$)|^[A-Z]+(?:\.md)?(?:#|$)/;
  const links = pages.filter(({ path }) => released.test(path)).flatMap((page) => page.links);
  const places = links.filter(({ page, text }) => {
    const file = posix.normalize(posix.join(posix.dirname(page), text));
    return !isExternal(text) && !text.startsWith('#') && !released.test(file);
  });
  expect(places.map(({ place, text }) => `${place}: ${text}`)).toEqual([]);
});

test('every external link is an https address, and always written in the same way', () => {
  const external = pages.flatMap(({ links }) => links).filter(({ text }) => isExternal(text));
  const invalid = external.filter(({ text }) => !URL.canParse(text) || new URL(text).protocol !== 'https:');
  expect(invalid.map(({ place, text }) => `${place}: ${text}`)).toEqual([]);
  const spellings = Map.groupBy(new Set(external.map(({ text }) => text)), (text) =>
    text
      .toLowerCase()
      .replace(/^https:\/\/www\./, 'https://')
      .replace(/\/$/, ''),
  );
  expect([...spellings.values()].filter((same) => same.length > 1)).toEqual([]);
});

/** Names in capitals stand for a name to choose. */
const placeholder = /\b(NAME|HASH|N|X|FILE|TEXT)\b/;
const rooted =
  /^(?:(?:docs|src|test|schemas|conflist-examples|packaging|deploy|\.ci|\.github)\/[\w./*{},-]*|(?:README|ARCHITECTURE|CONTRIBUTING|CHANGELOG|SECURITY)\.md)$/;

/** Files of other repositories, and a folder that the first profile creates. */
const elsewhere = ['docs/windows-dual-stack.md', 'src/koffi/src/ffi.hh', 'test/simulator/observed/'];

test('every path in backticks exists', () => {
  const paths = pages
    .flatMap(({ codes }) => codes)
    .filter(({ text }) => rooted.test(text) && !placeholder.test(text) && !elsewhere.includes(text));
  expect(paths.length).toBeGreaterThan(50);
  const missing = paths.filter(({ text }) => globSync(text.replace(/\/$/, '')).length === 0);
  expect(missing.map(({ place, text }) => `${place}: ${text}`)).toEqual([]);
});
