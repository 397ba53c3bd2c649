import { globSync, readFileSync } from 'node:fs';

/** The text of each conflist that the repository shows or installs, by its path; that of docs/install.md is the first JSON text of the page. */
export function conflistFiles(): Readonly<Record<string, string>> {
  const [, first = ''] = /```json\n(.*?)```/s.exec(readFileSync('docs/install.md', 'utf8')) ?? [];
  const paths = globSync('{conflist-examples,deploy,docs,packaging}/**/*.conflist').toSorted();
  return Object.fromEntries([
    ['docs/install.md', first],
    ...paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(path, 'utf8')]),
  ]);
}
