import { expect, test } from 'vitest';
import { subnetsBeside } from '../../../../src/cli/probe/names.ts';
import { type Experiment, type Ground, NotTried, type Row, seen } from '../../../../src/cli/probe/row.ts';
import { type Permissions, runRows } from '../../../../src/cli/probe/run-rows.ts';
import { interceptHcnCalls } from '../../../../src/hcn/library.ts';
import { serviceLibrary } from '../../../properties/service-library.ts';
import { initialState } from '../../../simulator/hns.ts';
import { hresultOf } from '../../../simulator/hresults.ts';

const everything: Permissions = { adapter: 'Ethernet', nat: true, restart: true };
const grounds: readonly Ground[] = [
  'service',
  'NAT',
  'Transparent',
  'Overlay',
  'L2Tunnel',
  'L2Bridge',
  'base',
];

/** A row whose experiment uses the shared network, unless it is on another one. */
function rowOn(on: Ground, id: string = on, members: Partial<Experiment> = {}): Row {
  const run: Experiment['run'] = async (laboratory) => {
    await laboratory.base();
    return seen('usual');
  };
  const experiment = { on, expected: ['usual'], run, ...members };
  return { id, claim: `claim of ${id}`, evidence: 'I', handling: 'none', experiment };
}

interface Given {
  readonly permissions?: Permissions;
  /** Why the probe stops, asked before the first experiment and after each. */
  readonly stops?: readonly (string | undefined)[];
  /** What HCN returns for each enumeration. */
  readonly hresult?: number;
}

/** Runs rows, and returns the findings and what happened in order. */
async function run(rows: readonly Row[], { permissions = everything, stops = [], hresult }: Given = {}) {
  const log: string[] = [];
  const service = serviceLibrary(initialState({}));
  const library = interceptHcnCalls(
    async () => service,
    async ({ name, document }, make) => {
      if (/Create|Delete/.test(name)) log.push(`${name} ${document ? JSON.parse(document).Type : ''}`.trim());
      const response = await make();
      return hresult !== undefined && name.startsWith('HcnEnumerate') ? { ...response, hresult } : response;
    },
  );
  const left = [...stops];
  const findings = await runRows(rows, permissions, {
    adapter: permissions.adapter,
    library,
    doubt: () => undefined,
    openElsewhere: async () => 0,
    adapters: async () => [],
    powershell: async () => '',
    newSubnet:
      subnetsBeside('') ??
      (() => {
        throw new Error('no subnet');
      }),
    pause: async () => undefined,
    now: () => 0,
    onStart: (id) => void log.push(`start ${id}`),
    stopReason: async (isSuspect) => {
      if (isSuspect) log.push('suspect');
      return left.shift();
    },
  });
  const texts = findings.map(({ id, verdict, observed, reason, on }) =>
    [id, verdict, observed ?? reason, on].filter(Boolean).join(' | '),
  );
  return { texts, log };
}

test('experiments run ground by ground, and share the network of each; findings keep the order of the rows', async () => {
  expect(await run([...grounds.map((on) => rowOn(on)), rowOn('base', 'second')])).toEqual({
    texts: [
      'service | holds | usual | L2Bridge',
      'NAT | holds | usual | NAT',
      'Transparent | holds | usual | Transparent',
      'Overlay | holds | usual | Overlay',
      'L2Tunnel | holds | usual | L2Tunnel',
      'L2Bridge | holds | usual | L2Bridge',
      'base | holds | usual | L2Bridge',
      'second | holds | usual | L2Bridge',
    ],
    log: [
      'start base',
      'HcnCreateNetwork L2Bridge',
      'start second',
      'start L2Bridge',
      'start L2Tunnel',
      'HcnDeleteNetwork',
      'HcnCreateNetwork L2Tunnel',
      'start Overlay',
      'HcnDeleteNetwork',
      'HcnCreateNetwork Overlay',
      'start Transparent',
      'HcnDeleteNetwork',
      'HcnCreateNetwork Transparent',
      'start NAT',
      'HcnDeleteNetwork',
      'HcnCreateNetwork NAT',
      'start service',
      'HcnDeleteNetwork',
      'HcnCreateNetwork L2Bridge',
      'HcnDeleteNetwork',
    ],
  });
});

test('an experiment that is alone runs before the others of its ground, without their network', async () => {
  const rows = [rowOn('base'), rowOn('L2Bridge', 'sharing'), rowOn('L2Bridge', 'alone', { isAlone: true })];
  expect((await run(rows)).log).toEqual([
    'start base',
    'HcnCreateNetwork L2Bridge',
    'start alone',
    'HcnDeleteNetwork',
    'HcnCreateNetwork L2Bridge',
    'start sharing',
    'HcnDeleteNetwork',
  ]);
});

test.each<[string, Permissions, readonly string[]]>([
  [
    'no option',
    { adapter: undefined, nat: false, restart: false },
    [
      'service | not tried | requires --restart-hns',
      'NAT | not tried | requires --nat',
      'Transparent | not tried | requires --adapter',
      'Overlay | not tried | requires --adapter',
      'L2Tunnel | not tried | requires --adapter',
      'L2Bridge | not tried | requires --adapter',
      'base | holds | usual | Private',
      'never | not tried | needs a reboot',
    ],
  ],
  [
    '--nat and --restart-hns',
    { adapter: undefined, nat: true, restart: true },
    [
      'service | holds | usual | Private',
      'NAT | holds | usual | NAT',
      'Transparent | not tried | requires --adapter',
      'Overlay | not tried | requires --adapter',
      'L2Tunnel | not tried | requires --adapter',
      'L2Bridge | not tried | requires --adapter',
      'base | holds | usual | Private',
      'never | not tried | needs a reboot',
    ],
  ],
])('with %s, the other experiments name theirs', async (_, permissions, texts) => {
  const never: Row = { ...rowOn('base', 'never'), experiment: { impossible: 'needs a reboot' } };
  expect((await run([...grounds.map((on) => rowOn(on)), never], { permissions })).texts).toEqual(texts);
});

test('after a reason to stop, no experiment runs', async () => {
  const rows = [rowOn('base', 'one'), rowOn('base', 'two'), rowOn('NAT', 'three')];
  const permissions = { ...everything, nat: false };
  expect(await run(rows, { permissions, stops: ['interrupted'] })).toEqual({
    texts: [
      'one | not tried | interrupted',
      'two | not tried | interrupted',
      'three | not tried | requires --nat',
    ],
    log: [],
  });
  expect((await run(rows, { permissions, stops: [undefined, 'interrupted'] })).texts).toEqual([
    'one | holds | usual | L2Bridge',
    'two | not tried | interrupted',
    'three | not tried | requires --nat',
  ]);
});

test('the network is deleted after an unexpected failure, not if an experiment is impossible', async () => {
  const failing = (id: string, error: Error) =>
    rowOn('base', id, {
      run: async (laboratory) => {
        await laboratory.base();
        throw error;
      },
    });
  const rows = [
    failing('impossible', new NotTried('no way')),
    failing('failing', new Error('odd')),
    rowOn('base'),
  ];
  expect(await run(rows)).toEqual({
    texts: [
      'impossible | not tried | no way | L2Bridge',
      'failing | not tried | odd | L2Bridge',
      'base | holds | usual | L2Bridge',
    ],
    log: [
      'start impossible',
      'HcnCreateNetwork L2Bridge',
      'start failing',
      'HcnDeleteNetwork',
      'suspect',
      'start base',
      'HcnCreateNetwork L2Bridge',
      'HcnDeleteNetwork',
    ],
  });
});

test('a claim does not hold for an observation that it does not expect', async () => {
  const { texts } = await run([rowOn('base', 'row', { expected: ['other', 'third'] })]);
  expect(texts).toEqual(['row | does not hold | usual | L2Bridge']);
});

test('an unavailable service ends an experiment, except one that observes restarts', async () => {
  const asking: Partial<Experiment> = {
    run: async (laboratory) => seen(`${(await laboratory.enumerate('Network')).hresult}`),
  };
  const hresult = hresultOf('RPC_S_SERVER_UNAVAILABLE');
  const { texts, log } = await run([rowOn('base', 'one', asking), rowOn('service', 'two', asking)], {
    hresult,
  });
  expect(texts).toEqual([
    'one | not tried | HNS is not running. Run Start-Service hns. HcnEnumerateNetworks failed with RPC_S_SERVER_UNAVAILABLE (0x800706ba): The RPC server is unavailable. | L2Bridge',
    `two | does not hold | ${hresult} | L2Bridge`,
  ]);
  expect(log).toEqual(['start one', 'suspect', 'start two']);
});
