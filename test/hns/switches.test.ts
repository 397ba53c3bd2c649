import { afterEach, describe, expect, it, test } from 'vitest';
import { type Hns, startHns } from './hns.ts';
import { switchesOf } from './profiles.ts';
import { endpointSwitches } from './switches/endpoints.ts';
import { answerSwitches, loadBalancerSwitches } from './switches/load-balancers.ts';
import { namespaceSwitches } from './switches/namespaces.ts';
import { networkSwitches } from './switches/networks.ts';
import { policySwitches } from './switches/policies.ts';
import type { SwitchRow } from './switches/row.ts';
import { hex } from './test-client.ts';

const rows: readonly SwitchRow[] = [
  ...networkSwitches,
  ...endpointSwitches,
  ...policySwitches,
  ...namespaceSwitches,
  ...loadBalancerSwitches,
  ...answerSwitches,
];
let hns: Hns | undefined;
afterEach(() => hns?.stop());

describe('the switch', () => {
  const positions = rows.flatMap((row) =>
    row.positions.map(([position, seen]) => {
      const shown = typeof position === 'number' ? hex(position) : position;
      return [row.name, shown, row.evidence, row, position, seen] as const;
    }),
  );
  test.each(positions)('$0 can be $1 [$2]', async (name, _, __, { options, see }, position, seen) => {
    hns = await startHns({ ...options, switches: { [name]: position } });
    process.env['WIN_HCN_SIMULATED_HNS'] = hns.address;
    expect(await see(hns)).toEqual(seen);
  });
});

it('every switch has a row, and its first position is what Windows Server 2022 does', () => {
  const firsts = rows.map(({ name, positions: [first] }) => [name, first?.[0]]);
  expect(Object.fromEntries(firsts)).toEqual(switchesOf.ws2022);
  expect(rows.every(({ positions }) => positions.length > 1)).toBe(true);
});
