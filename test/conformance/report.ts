// node test/conformance/report.ts writes docs/conformance.md from build/test-results.json if every test passed.
// With --names it prints the page from the names of the tests.

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { collectNames, readResults } from './names.ts';
import { page } from './page.ts';

const root = resolve(import.meta.dirname, '../..');

if (process.argv.includes('--names')) {
  process.stdout.write(page(await collectNames()));
} else {
  const results = readResults(resolve(root, 'build/test-results.json'));
  const failed = results.filter(({ status }) => status !== 'passed');
  for (const { path, status } of failed) console.error(`${status}: ${path.join(' > ')}`);
  if (failed.length > 0 || results.length === 0) {
    console.error(
      'docs/conformance.md is left as it is: run npm ci && npm test with CI set, until all of its tests pass.',
    );
    process.exitCode = 1;
  } else {
    writeFileSync(resolve(root, 'docs/conformance.md'), page(results));
  }
}
