// All black-box cases, in the order of their numbers.

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

export const cases: readonly Case[] = [
  ...processCases,
  ...environmentCases,
  ...stdinCases,
  ...lookupCases,
  ...configurationCases,
  ...resultCases,
  ...delegationCases,
  ...attachmentCases,
  ...capabilityCases,
  ...chainingCases,
  ...delCases,
  ...checkCases,
  ...statusCases,
  ...gcCases,
].toSorted((a, b) => a.number - b.number);
