import type { Exit } from '../../../src/system/spawn-program.ts';
import type { Fault } from '../../simulator/faults.ts';
import type { Place } from './places.ts';

/** A fault in a call to HCN or to the IP Helper, or in a run of the IPAM plugin. */
export interface Effect {
  readonly name: string;
  /** What win-hcn sees. expected-code.ts derives the expected code from it. */
  readonly reported: Reported;
  readonly of: Place['of'];
  /** The effect on a call. */
  readonly fault?: Fault['effect'];
  /** Which calls it applies to. Default: all. */
  readonly only?: 'calls that return a document' | 'successful calls with an error record';
  /** The effects on later calls, by their distance. */
  readonly again?: { readonly from: number; readonly to: number; readonly effect: Fault['effect'] };
  /** The effect on a run. */
  readonly ipam?: { readonly when: 'before' | 'after'; readonly exit: Exit };
  /** When HNS executes a call that win-hcn has abandoned. */
  readonly late?: 'after the command' | 'after the next command';
}

export type Reported =
  | 'success'
  | 'refused'
  | 'refused, then no response'
  | 'no response'
  | 'late'
  | 'timed out'
  | 'invalid response'
  | 'object not found'
  | 'object deleted'
  | 'buffer too small'
  | 'route not found'
  | 'refused by the plugin'
  | 'no response of the plugin'
  | 'invalid response of the plugin';

/** No effect. */
export const none: Effect = { name: 'goes as always', reported: 'success', of: 'HCN' };

const refusals = {
  E_FAIL: 0x80004005,
  E_ACCESSDENIED: 0x80070005,
  E_INVALIDARG: 0x80070057,
  E_OUTOFMEMORY: 0x8007000e,
  HCN_E_INVALID_POLICY: 0x803b000d,
  HCN_E_DEGRADED_OPERATION: 0x803b0017,
  HCN_E_NAMESPACE_ATTACH_FAILED: 0x803b002e,
};
const failures = {
  HCN_E_MANAGER_STOPPED: 0x803b0020,
  RPC_S_SERVER_UNAVAILABLE: 0x800706ba,
  RPC_S_CALL_FAILED: 0x800706be,
  EPT_S_NOT_REGISTERED: 0x800706d9,
};
const absences = {
  ERROR_NOT_FOUND: 0x80070490,
  HCN_E_NETWORK_NOT_FOUND: 0x803b0001,
  HCN_E_ENDPOINT_NOT_FOUND: 0x803b0002,
};

const returning = (hresults: Readonly<Record<string, number>>, reported: Reported): readonly Effect[] =>
  Object.entries(hresults).map(([symbol, hresult]) => ({
    name: `returns ${symbol}`,
    reported,
    of: 'HCN',
    fault: { hresult },
  }));

export const hresults: readonly Effect[] = [
  ...returning(refusals, 'refused'),
  ...returning(failures, 'no response'),
  ...returning({ ERROR_TIMEOUT: 0x800705b4 }, 'timed out'),
  ...returning(absences, 'object not found'),
  ...returning({ HCN_E_OBJECT_USED_AFTER_UNLOAD: 0x803b0031 }, 'object deleted'),
];

/** One HRESULT of each kind that win-hcn distinguishes. */
export const kindsOfHresults: readonly Effect[] = hresults.filter(
  ({ reported }, index) => hresults.findIndex((other) => other.reported === reported) === index,
);

export const missingAnswers: readonly Effect[] = [
  { name: 'hangs and never takes effect', reported: 'late', of: 'HCN', fault: { hang: true } },
  {
    name: 'takes effect after the time limit',
    reported: 'late',
    of: 'HCN',
    fault: { hold: 'before' },
    late: 'after the command',
  },
  { name: 'takes effect and hangs', reported: 'late', of: 'HCN', fault: { hold: 'after' } },
  { name: 'is lost on the way there', reported: 'no response', of: 'HCN', fault: { drop: 'before' } },
  { name: 'is lost on the way back', reported: 'no response', of: 'HCN', fault: { drop: 'after' } },
];

/** Of all that a runtime does, only GC can undo this. */
export const lateEffects: readonly Effect[] = [
  {
    name: 'takes effect after the next command',
    reported: 'late',
    of: 'HCN',
    fault: { hold: 'before' },
    late: 'after the next command',
  },
];

/** Invalid answers with S_OK. */
export const invalidAnswers: readonly Effect[] = [
  ...Object.entries({
    'nothing at all': '',
    'invalid JSON': '<html>',
    'half an object': '{"ID":"6a1f7a41-2e2f-4c5e-9ef4-',
    'half a list': '["6a1f7a41-2e2f-4c5e-9ef4-',
    'a number': '5',
    'a text': '"S_OK"',
    'a list with an invalid id': '[{"ID":5}]',
    'members of the wrong type':
      '{"Name":5,"Type":5,"Policies":5,"Ipams":{},"Resources":5,"Output":5,"IpConfigurations":5,"ManagementIP":5}',
  }).map(
    ([what, answer]): Effect => ({
      name: `returns ${what}`,
      reported: 'invalid response',
      of: 'HCN',
      fault: { answer },
      only: 'calls that return a document',
    }),
  ),
  {
    name: 'succeeds and returns an error record',
    reported: 'invalid response',
    of: 'HCN',
    fault: { errorRecord: '{"Success":false,"Error":"?","ErrorCode":2147500037}' },
    only: 'successful calls with an error record',
  },
  {
    name: 'is not done, with S_OK and an error',
    reported: 'invalid response',
    of: 'HCN',
    fault: { hresult: 0 },
  },
];

const unavailable = { hresult: 0x800706ba };
const unspecified = { hresult: 0x80004005 };

/** Effects that last longer than one call. */
export const outages: readonly Effect[] = [
  {
    name: 'and all later ones find no service',
    reported: 'no response',
    of: 'HCN',
    fault: unavailable,
    again: { from: 1, to: 30, effect: unavailable },
  },
  {
    name: 'and all later ones lose their answers',
    reported: 'no response',
    of: 'HCN',
    fault: { drop: 'after' },
    again: { from: 1, to: 30, effect: { drop: 'after' } },
  },
  {
    name: 'and all later ones hang',
    reported: 'late',
    of: 'HCN',
    fault: { hang: true },
    again: { from: 1, to: 30, effect: { hang: true } },
  },
];

/** Effects on two calls: a second one on the query or rollback after the first. */
export const pairs: readonly Effect[] = [1, 2, 3].flatMap((from): readonly Effect[] => [
  {
    name: `returns E_FAIL, and so does number ${from} after it`,
    reported: 'refused',
    of: 'HCN',
    fault: unspecified,
    again: { from, to: from, effect: unspecified },
  },
  {
    name: `returns E_FAIL, and number ${from} after it hangs`,
    reported: 'refused, then no response',
    of: 'HCN',
    fault: unspecified,
    again: { from, to: from, effect: { hang: true } },
  },
  {
    name: `loses its answer, and number ${from} after it takes effect too late`,
    reported: 'no response',
    of: 'HCN',
    fault: { drop: 'after' },
    again: { from, to: from, effect: { hold: 'before' } },
    late: 'after the command',
  },
]);

/** Errors of the IP Helper, in the low 16 bits, and other effects on its calls. */
export const ofIpHelper: readonly Effect[] = [
  ...returning({ ERROR_ACCESS_DENIED: 5, ERROR_NOT_SUPPORTED: 50 }, 'refused'),
  ...returning({ ERROR_BUFFER_OVERFLOW: 111 }, 'buffer too small'),
  ...returning({ ERROR_NOT_FOUND: 1168 }, 'route not found'),
  ...returning({ RPC_S_SERVER_UNAVAILABLE: 1722 }, 'no response'),
  ...missingAnswers,
].map((effect) => ({ ...effect, of: 'IP Helper' }));

const killed = { exitCode: null, stdout: '' };

export const plugin: readonly Effect[] = (['before', 'after'] as const).flatMap((when): readonly Effect[] => [
  {
    name: `refuses ${when} its work`,
    reported: 'refused by the plugin',
    of: 'IPAM plugin',
    ipam: { when, exit: { exitCode: 1, stdout: '{"code":11,"msg":"try again later"}' } },
  },
  {
    name: `fails without output ${when} its work`,
    reported: 'no response of the plugin',
    of: 'IPAM plugin',
    ipam: { when, exit: { exitCode: 2, stdout: '' } },
  },
  {
    name: `is killed ${when} its work`,
    reported: 'no response of the plugin',
    of: 'IPAM plugin',
    ipam: { when, exit: killed },
  },
  {
    name: `prints invalid JSON ${when} its work`,
    reported: 'invalid response of the plugin',
    of: 'IPAM plugin',
    ipam: { when, exit: { exitCode: 0, stdout: 'panic' } },
  },
  {
    name: `prints half an object ${when} its work`,
    reported: 'invalid response of the plugin',
    of: 'IPAM plugin',
    ipam: { when, exit: { exitCode: 0, stdout: '{"cniVersion":"1.1.0","ips":[{"addr' } },
  },
]);

const byReported = (effects: readonly Effect[]): readonly (readonly Effect[])[] => [
  ...Map.groupBy(effects, ({ reported }) => reported).values(),
];
const byOnly = (effects: readonly Effect[]): readonly (readonly Effect[])[] => [
  ...Map.groupBy(effects, ({ only }) => only).values(),
];
const eachAlone = (effects: readonly Effect[]): readonly (readonly Effect[])[] =>
  effects.map((effect) => [effect]);

/** All effects. win-hcn treats those of a group alike. */
export const groups: readonly (readonly Effect[])[] = [
  ...byReported(hresults),
  ...byReported(pairs),
  ...byReported(ofIpHelper),
  ...byOnly(invalidAnswers),
  ...eachAlone([...missingAnswers, ...lateEffects, ...outages, ...plugin]),
];
