import { globSync, readFileSync } from 'node:fs';

/** The text of each conflist that the repository shows or installs, by its path; README's is the first JSON text of the page. */
export function conflistFiles(): Readonly<Record<string, string>> {
  const [, readme = ''] = /```json\n(.*?)```/s.exec(readFileSync('README.md', 'utf8')) ?? [];
  const paths = globSync('{conflist-examples,deploy,docs,packaging}/**/*.conflist').toSorted();
  return Object.fromEntries([
    ['README.md', readme],
    ...paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(path, 'utf8')]),
  ]);
}
