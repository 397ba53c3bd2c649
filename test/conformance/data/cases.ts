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

/** The cases of a file of this folder. */
interface Area {
  readonly title: string;
  readonly cases: readonly Case[];
}

export const areas: readonly Area[] = [
  { title: 'Process and VERSION', cases: processCases },
  { title: 'Environment', cases: environmentCases },
  { title: 'Lookup on Windows', cases: lookupCases },
  { title: 'Stdin', cases: stdinCases },
  { title: 'Configuration and versions', cases: configurationCases },
  { title: 'Result of ADD', cases: resultCases },
  { title: 'IPAM plugin', cases: delegationCases },
  { title: 'Attachments', cases: attachmentCases },
  { title: 'Capabilities and arguments', cases: capabilityCases },
  { title: 'Chaining', cases: chainingCases },
  { title: 'DEL', cases: delCases },
  { title: 'CHECK', cases: checkCases },
  { title: 'STATUS', cases: statusCases },
  { title: 'GC', cases: gcCases },
];

export const cases: readonly Case[] = areas.flatMap((area) => area.cases);
