// All black-box cases, by the file that has them.

import type { Case } from '../case.ts';
import { attachmentCases } from './attachments.ts';
import { capabilityCases } from './capabilities.ts';
import { chainingCases } from './chaining.ts';
import { checkCases } from './check.ts';
import { configurationCases } from './configuration.ts';
import { delCases } from './del.ts';
import { delegationCases } from './delegation.ts';
import { environmentCases } from './environment.ts';
import { gcCases } from './gc.ts';
import { lookupCases } from './lookup.ts';
import { processCases } from './process.ts';
import { resultCases } from './results.ts';
import { statusCases } from './status.ts';
import { stdinCases } from './stdin.ts';

/** A file of this folder with its cases. */
interface Area {
  readonly title: string;
  readonly file: string;
  readonly cases: readonly Case[];
}

export const areas: readonly Area[] = [
  { title: 'Process and VERSION', file: 'process.ts', cases: processCases },
  { title: 'Environment', file: 'environment.ts', cases: environmentCases },
  { title: 'Lookup on Windows', file: 'lookup.ts', cases: lookupCases },
  { title: 'Stdin', file: 'stdin.ts', cases: stdinCases },
  { title: 'Configuration and versions', file: 'configuration.ts', cases: configurationCases },
  { title: 'Result of ADD', file: 'results.ts', cases: resultCases },
  { title: 'IPAM plugin', file: 'delegation.ts', cases: delegationCases },
  { title: 'Attachments', file: 'attachments.ts', cases: attachmentCases },
  { title: 'Capabilities and arguments', file: 'capabilities.ts', cases: capabilityCases },
  { title: 'Chaining', file: 'chaining.ts', cases: chainingCases },
  { title: 'DEL', file: 'del.ts', cases: delCases },
  { title: 'CHECK', file: 'check.ts', cases: checkCases },
  { title: 'STATUS', file: 'status.ts', cases: statusCases },
  { title: 'GC', file: 'gc.ts', cases: gcCases },
];

/** In the order of their numbers. */
export const cases: readonly Case[] = areas
  .flatMap((area) => area.cases)
  .toSorted((a, b) => a.number - b.number);
