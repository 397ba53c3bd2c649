// npm run size: prints the size of the project and fails above a limit. A change lowers the limits that it can; none grows.

import { globSync, readFileSync, statSync } from 'node:fs';

const lines = (...patterns: readonly string[]): number =>
  patterns
    .flatMap((pattern) => globSync(pattern, { exclude: ['**/generated/**'] }))
    .filter((file) => statSync(file).isFile())
    .reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0);
const files = (pattern: string): number => globSync(pattern, { exclude: ['**/generated/**'] }).length;
/** Words are tokens with a letter or digit. */
const words = (pattern: string): number =>
  globSync(pattern)
    .flatMap((file) => readFileSync(file, 'utf8').split(/\s+/))
    .filter((token) => /[A-Za-z0-9]/.test(token)).length;

/** Each measure with its value and its limit. */
const measures: readonly (readonly [name: string, value: number, limit: number])[] = [
  ['lines of src', lines('src/**/*.ts'), 30_000],
  ['files of src', files('src/**/*.ts'), 330],
  ['lines of src/cli', lines('src/cli/**/*.ts'), 16_000],
  ['lines of src/cli/probe', lines('src/cli/probe/**/*.ts'), 1_500],
  ['lines of test', lines('test/**/*'), 65_000],
  ['words of docs', words('docs/**/*.md'), 30_000],
  ['bytes of the bundle of the plugin', statSync('build/win-hcn-plugin.cjs').size, 200_000],
];

for (const [name, value, limit] of measures) {
  const isWithin = value <= limit;
  process.stdout.write(`${isWithin ? ' ' : '!'} ${String(value).padStart(7)} of ${limit} ${name}\n`);
  if (!isWithin) process.exitCode = 1;
}
