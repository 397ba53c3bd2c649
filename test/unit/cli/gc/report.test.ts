import { describe, expect, test } from 'vitest';
import { exitCodeFor } from '../../../../src/cli/gc/deletions.ts';
import type { Done } from '../../../../src/cli/gc/done.ts';
import type { Leftovers, Stale } from '../../../../src/cli/gc/find-leftovers.ts';
import {
  deletionTitle,
  expectedReport,
  notices,
  outcomeText,
  releaseTitle,
  reportText,
  reservationsText,
  summary,
  withResults,
} from '../../../../src/cli/gc/report.ts';
import { includesReservation, mayBeStarting, type Reservation } from '../../../../src/cli/gc/reservations.ts';
import type { EndpointRow } from '../../../../src/cli/inventory/endpoint-row.ts';
import type { Session } from '../../../../src/cli/terminal/session.ts';

const id = '5efcf8b5-0000-4000-8000-000000000001';
const endpoint: Stale<EndpointRow> = {
  id,
  name: 'web_l2bridge_eth0',
  network: 'l2bridge',
  addresses: ['10.244.1.2/24', 'fd00::2/64'],
  macAddress: '00-15-5D-00-00-01',
  state: 'created',
  health: 'ok',
  owner: 'win-hcn',
  remote: false,
  stale: 'in no namespace',
};
const reservation: Stale<Reservation> = {
  network: 'l2bridge',
  address: '10.244.1.2',
  file: "C:\\it's\\10.244.1.2",
  reserved: '2026-03-01T12:00:00.000Z',
  container: '0e12d1d5a8cfb0e12d1d5a8cfb',
  interface: 'eth0',
  stale: 'no endpoint',
};
const { container: _, interface: _ifname, ...ofNobody } = reservation;
const none: Leftovers = {
  endpoints: [],
  ofOtherPlugins: [],
  foreignRemotes: [],
  reservations: [],
  recent: { endpoints: 0, reservations: 0 },
  inventory: { networks: [], endpoints: [], namespaces: [], loadBalancers: [] },
  allReservations: [],
  problems: [],
};
const failed = (problem: string, hnsResponds = true): Done => ({ outcome: 'failed', problem, hnsResponds });

describe('gc names', () => {
  test.each<[string, Partial<EndpointRow>]>([
    [`delete endpoint ${id} (web_l2bridge_eth0 on l2bridge, 10.244.1.2/24, fd00::2/64): in no namespace`, {}],
    [`delete endpoint ${id} (web_l2bridge_eth0 on l2bridge): in no namespace`, { addresses: [] }],
    [
      `delete remote endpoint ${id} (0e12d1d5a8cfb on l2bridge): in no namespace`,
      { container: '0e12d1d5a8cfb', addresses: [], remote: true },
    ],
    [
      `delete endpoint ${id} (0e12d1d5a8cfb/eth1 on l2bridge): in no namespace`,
      { container: '0e12d1d5a8cfb', interface: 'eth1', addresses: [] },
    ],
    [
      `delete endpoint ${id} (pod shop/web on l2bridge): in no namespace`,
      { container: '0e12d1d5a8cfb', interface: 'eth1', pod: 'shop/web', addresses: [] },
    ],
  ])('an endpoint: %s', (title, members) => expect(deletionTitle({ ...endpoint, ...members })).toBe(title));

  test('a reservation', () => {
    expect(releaseTitle(reservation)).toBe(
      'release 10.244.1.2 through host-local (0e12d1d5a8cfb/eth0 on l2bridge): no endpoint',
    );
    expect(releaseTitle(ofNobody)).toBe('release 10.244.1.2 through host-local ( on l2bridge): no endpoint');
  });
});

test('the report of a dry run has the effect of --yes for each leftover', () => {
  const other = { ...endpoint, id: '5efcf8b5-0000-4000-8000-000000000002' };
  const given: Leftovers = {
    ...none,
    endpoints: [endpoint, other],
    ofOtherPlugins: [endpoint],
    reservations: [reservation, ofNobody],
  };
  const command = "Remove-Item -LiteralPath 'C:\\it''s\\10.244.1.2'";
  const endpoints = [
    { ...endpoint, outcome: 'would be deleted' },
    { ...other, outcome: 'in use' },
    { ...endpoint, outcome: 'kept' },
  ];
  const report = expectedReport(given, new Set([id]), true);
  expect(report).toEqual({
    endpoints,
    reservations: [
      { ...reservation, command, outcome: 'would be released' },
      { ...ofNobody, command, outcome: 'kept' },
    ],
  });
  expect(expectedReport(given, new Set([id]), false).reservations.map(({ outcome }) => outcome)).toEqual([
    'kept',
    'kept',
  ]);
  const results: readonly Done[] = [
    { outcome: 'deleted' },
    failed('HNS refuses it'),
    { outcome: 'released' },
  ];
  expect(withResults(report, results)).toEqual({
    endpoints: [
      { ...endpoint, outcome: 'deleted' },
      { ...other, outcome: 'failed', problem: 'HNS refuses it' },
      { ...endpoint, outcome: 'kept' },
    ],
    reservations: [
      { ...reservation, command, outcome: 'released' },
      { ...ofNobody, command, outcome: 'kept' },
    ],
  });
  expect(withResults(report, [])).toEqual(report);
});

test.each<[string, Partial<Leftovers>, readonly string[]]>([
  ['nothing', {}, []],
  [
    'one of each',
    {
      recent: { endpoints: 1, reservations: 0 },
      ofOtherPlugins: [endpoint],
      foreignRemotes: [endpoint],
    },
    [
      '1 leftover kept: an ADD of the last 11 minutes may need it',
      '1 endpoint of other plugins kept: include with --other-plugins',
      '1 remote endpoint of other programs kept, without load balancer: list with win-hcn ls endpoints --remote',
    ],
  ],
  [
    'several',
    {
      recent: { endpoints: 1, reservations: 2 },
      ofOtherPlugins: [endpoint, endpoint],
      foreignRemotes: [endpoint, endpoint],
    },
    [
      '3 leftovers kept: an ADD of the last 11 minutes may need them',
      '2 endpoints of other plugins kept: include with --other-plugins',
      '2 remote endpoints of other programs kept, without load balancer: list with win-hcn ls endpoints --remote',
    ],
  ],
])('notices about kept leftovers: %s', (_, given, texts) => {
  expect(notices({ ...none, ...given })).toEqual(texts);
});

const session = { style: (style: string, text: string) => `<${style}>${text}` } as Session;

describe('the dry run prints', () => {
  const plain = (width = Number.POSITIVE_INFINITY) =>
    ({ width, style: (_: string, text: string) => text }) as Session;
  const rows = [
    { ...endpoint, container: '0e12d1d5a8cfb0e12d1d5a8cfb', interface: 'eth0', outcome: 'would be deleted' },
    { ...endpoint, name: '', remote: true, addresses: [], outcome: 'in use' },
  ] as const;
  const command = "Remove-Item -LiteralPath 'C:\\it''s\\10.244.1.2'";
  const kept = [
    { ...reservation, command, outcome: 'kept' },
    { ...ofNobody, command: 'second', outcome: 'kept' },
  ] as const;
  const released = [{ ...reservation, command, outcome: 'would be released' }] as const;
  const remedy =
    'gc does not delete files of host-local. Run gc with --conf FILE --ipam to release addresses through host-local, or delete the files while no pod is starting:';
  const endpointLines = [
    'endpoint  pod            interface  network   addresses                  owner             leftover         with --yes',
    '5efcf8b5  0e12d1d5a8cfb  eth0       l2bridge  10.244.1.2/24, fd00::2/64  win-hcn           in no namespace  deleted',
    '5efcf8b5  -              -          l2bridge  -                          win-hcn (remote)  in no namespace  kept',
  ];

  test('endpoints', () => {
    expect(reportText({ endpoints: rows, reservations: [] }, false, plain()).split('\n')).toEqual([
      ...endpointLines,
      '',
      'No changes made. Rerun with --yes to apply.',
    ]);
    expect(reportText({ endpoints: rows.slice(1), reservations: [] }, false, plain())).toMatch(
      /\n\nNo changes made\.$/,
    );
  });

  test('reservations that gc keeps, with a command for each', () => {
    expect(reservationsText(kept, false, plain()).split('\n')).toEqual([
      'Unused reservations of host-local:',
      'address     container      interface  network   leftover     with --yes',
      '10.244.1.2  0e12d1d5a8cfb  eth0       l2bridge  no endpoint  kept',
      '10.244.1.2  -              -          l2bridge  no endpoint  kept',
      '',
      remedy,
      `  ${command}`,
      '  second',
    ]);
    expect(reservationsText(kept, false, plain(60))).toContain(
      '\n\ngc does not delete files of host-local. Run gc with --conf\n',
    );
  });

  test('reservations that host-local releases', () => {
    expect(reservationsText(released, false, plain()).split('\n')).toEqual([
      'Unused reservations of host-local:',
      'address     container      interface  network   leftover     with --yes',
      '10.244.1.2  0e12d1d5a8cfb  eth0       l2bridge  no endpoint  released',
    ]);
    expect(reportText({ endpoints: [], reservations: released }, false, plain())).toMatch(
      /^Unused .*\n\nNo changes made\. Rerun with --yes to apply\.$/s,
    );
  });

  test('everything with -o wide, first the endpoints', () => {
    expect(reportText({ endpoints: rows, reservations: kept }, true, plain()).split('\n')).toEqual([
      'endpoint                              name               pod  container                   interface  network   addresses                  owner             leftover         with --yes',
      '5efcf8b5-0000-4000-8000-000000000001  web_l2bridge_eth0  -    0e12d1d5a8cfb0e12d1d5a8cfb  eth0       l2bridge  10.244.1.2/24, fd00::2/64  win-hcn           in no namespace  deleted',
      '5efcf8b5-0000-4000-8000-000000000001  -                  -    -                           -          l2bridge  -                          win-hcn (remote)  in no namespace  kept',
      '',
      'Unused reservations of host-local:',
      'address     container                   interface  network   leftover     with --yes  file',
      "10.244.1.2  0e12d1d5a8cfb0e12d1d5a8cfb  eth0       l2bridge  no endpoint  kept        C:\\it's\\10.244.1.2",
      "10.244.1.2  -                           -          l2bridge  no endpoint  kept        C:\\it's\\10.244.1.2",
      '',
      remedy,
      `  ${command}`,
      '  second',
      '',
      'No changes made. Rerun with --yes to apply.',
    ]);
  });

  test('that there are no leftovers', () => {
    expect(reportText({ endpoints: [], reservations: [] }, false, session)).toBe('No leftovers found.');
  });
});

test.each<[Done, string]>([
  [{ outcome: 'deleted' }, '<green>deleted'],
  [{ outcome: 'released' }, '<green>released'],
  [{ outcome: 'already gone' }, 'already gone'],
  [{ outcome: 'in use' }, 'in use: kept'],
  [{ outcome: 'skipped' }, '<yellow>skipped: the Host Network Service does not respond'],
  [failed('HNS refuses it'), '<red>failed: HNS refuses it'],
])('the outcome %j is the text %s', (done, text) => expect(outcomeText(done, session)).toBe(text));

test.each<[readonly Done[], string, number]>([
  [[], '', 0],
  [[{ outcome: 'deleted' }, { outcome: 'in use' }, { outcome: 'deleted' }], '2 deleted, 1 in use', 0],
  [[{ outcome: 'deleted' }, failed('a'), failed('b')], '1 deleted, 2 failed', 1],
  [[failed('a'), failed('b', false), { outcome: 'skipped' }], '2 failed, 1 skipped', 3],
])('the results %j are %s, with exit code %i', (results, text, code) => {
  expect([summary(results), exitCodeFor(results)]).toEqual([text, code]);
});

test.each([
  [0, true],
  [659_999, true],
  [660_000, false],
  [-659_999, true],
  [-660_000, false],
])('a reservation that is %i ms old may be that of an ADD in progress: %s', (age, expected) => {
  expect(mayBeStarting(reservation, new Date(Date.parse(reservation.reserved) + age))).toBe(expected);
});

test.each<[string, Partial<Reservation>, boolean]>([
  ['equal', {}, true],
  ['of another file', { file: 'C:\\other' }, false],
  ['of another container', { container: 'other' }, false],
  ['of another interface', { interface: 'eth1' }, false],
  ['made at another time', { reserved: '2026-03-01T12:00:00.001Z' }, false],
  ['with another address, in the same file', { address: '10.244.1.3' }, true],
])('a reservation is the same if it is %s: %s', (_, members, expected) => {
  const lists = [[{ ...reservation, ...members }], [ofNobody, { ...reservation, ...members }]];
  expect(lists.map((list) => includesReservation(list, reservation))).toEqual([expected, expected]);
});
