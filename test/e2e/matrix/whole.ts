import {
  type Effect,
  hresults,
  invalidAnswers,
  kindsOfHresults,
  lateEffects,
  missingAnswers,
  ofIpHelper,
  outages,
  pairs,
  plugin,
} from './effects.ts';
import type { Part } from './matrix.ts';
import type { Next } from './scenario.ts';

/** Whether the whole matrix runs, as with `npm run matrix` and each night. */
export const isWhole = process.env['WIN_HCN_TIER'] === 'nightly';

/**
 * Scenarios with the calls of another one. On the default HNS every effect on them is tried, and the covering array has the central ones: on
 * another HNS only the whole matrix runs them.
 */
const withCallsOfAnother: readonly string[] = [
  'ADD with an address of each family',
  'ADD with exceptions of both families',
  'ADD with a host port',
  'ADD on an Overlay network',
  'DEL of an endpoint with a host port',
  'DEL on an Overlay network',
];

/** Whether a scenario of this name runs on another HNS. */
export function isOnOtherHns(name: string): boolean {
  return isWhole || !withCallsOfAnother.includes(name);
}

/** All effects on an ADD. On the default HNS, several files share them. */
const wholeAdd: readonly Part[] = [
  { effects: hresults, nexts: ['DEL'] },
  { effects: kindsOfHresults, nexts: ['ADD', 'GC'] },
  { effects: invalidAnswers, nexts: ['DEL'] },
  { effects: outages, nexts: ['DEL', 'ADD', 'GC'] },
  { effects: pairs, nexts: ['DEL'] },
  { effects: [...missingAnswers, ...plugin], nexts: ['DEL', 'ADD', 'GC'] },
  { effects: lateEffects, nexts: ['DEL', 'ADD'] },
  { effects: ofIpHelper, nexts: ['DEL', 'ADD'] },
];

const wholeOther: readonly Effect[] = [
  ...hresults,
  ...missingAnswers,
  ...lateEffects,
  ...invalidAnswers,
  ...outages,
  ...pairs,
  ...plugin,
];

/** One HRESULT of each kind, every missing answer, and one of each other kind of effect. */
export const central: readonly Effect[] = [
  ...kindsOfHresults,
  ...missingAnswers,
  ...invalidAnswers.filter(({ only }) => only !== 'calls that return a document'),
  ...outages.slice(0, 1),
  ...pairs.slice(0, 3),
  ...plugin.filter(({ reported }) => reported === 'no response of the plugin'),
];

/** The effects on an ADD on another HNS. */
export const partsOfAdd: readonly Part[] = isWhole
  ? wholeAdd
  : [
      { effects: central, nexts: ['DEL'] },
      { effects: ofIpHelper.slice(-2), nexts: ['ADD'] },
    ];

/** The effects on other commands on another HNS. */
export function partsOf(...nexts: readonly Next[]): readonly Part[] {
  return [isWhole ? { effects: wholeOther, nexts } : { effects: central, nexts: nexts.slice(0, 1) }];
}
