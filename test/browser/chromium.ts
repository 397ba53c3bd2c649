import { existsSync } from 'node:fs';

/** Where Debian's chromium is. */
export const chromiumPath = '/usr/bin/chromium';

/** Why no browser can be run here, or undefined. */
export function chromiumMissing(): string | undefined {
  return existsSync(chromiumPath) ? undefined : `no ${chromiumPath}`;
}
