/** Marks of tests that cannot run on Windows or under Wine. test/windows/unit-tests.ts counts them. */

import { test } from 'vitest';

/** Skips a test on Windows, and says why: `notOnWindows('Windows has no sh')('name', …)`. */
export function notOnWindows(reason: string) {
  return marked(process.platform === 'win32', reason);
}

/** Skips a test under Wine. On Windows it runs. */
export function notUnderWine(reason: string) {
  return marked(process.env['WIN_HCN_UNDER_WINE'] !== undefined, reason);
}

function marked(skip: boolean, reason: string) {
  return (name: string, run: () => unknown) =>
    test(name, { skip, meta: { cannotRun: reason } }, async () => {
      await run();
    });
}

declare module 'vitest' {
  interface TaskMeta {
    cannotRun?: string;
  }
}
