import { chromiumMissing } from './chromium.ts';

/** Reports skipped tests in one line; throws in CI. */
export function setup(): void {
  const missing = chromiumMissing();
  if (missing === undefined) return;
  const line = `browser tests skipped: ${missing}. On Debian, run test/browser/install.sh as root`;
  if (process.env['CI']) throw new Error(line);
  process.stderr.write(`${line}\n`);
}
