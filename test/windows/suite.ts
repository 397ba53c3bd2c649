/** The one prefix that all the tests here share, or the reason why they are skipped. */

import { Prefix } from './prefix.ts';
import { findWine } from './wine.ts';

const wine = findWine();

/** Why the tests cannot run here, or undefined. */
export const missing = 'missing' in wine ? wine.missing : undefined;

/** Where setup.ts installs the shipped exe. */
export const exe = 'C:\\opt\\cni\\bin\\win-hcn.exe';

/** The prefix that setup.ts prepares: to be called where `missing` is undefined. */
export function suitePrefix(): Prefix {
  if ('missing' in wine) throw new Error(wine.missing);
  return new Prefix(wine, 'suite');
}
