import { chromiumMissing } from './chromium.ts';

/** Says in one line what is skipped and why; in CI that is a failure. */
export function setup(): void {
  const missing = chromiumMissing();
  if (missing === undefined) return;
  const line = `The tests in a browser are skipped (${missing}): on Debian, as root, run test/browser/install.sh`;
  if (process.env['CI']) throw new Error(line);
  process.stderr.write(`${line}\n`);
}
