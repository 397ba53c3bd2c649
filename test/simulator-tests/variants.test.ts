import { afterEach, describe, expect, it, test } from 'vitest';
import { type Hns, startHns } from '../simulator/hns.ts';
import { profileNames, switchesOf } from '../simulator/profiles.ts';
import { positionsOf, uncertainties, variantNames, variants } from '../simulator/variants/variants.ts';
import { answerProbes } from './probes/answers.ts';
import { endpointProbes } from './probes/endpoints.ts';
import { hostProbes } from './probes/host.ts';
import { loadBalancerProbes } from './probes/load-balancers.ts';
import { namespaceProbes } from './probes/namespaces.ts';
import { networkProbes } from './probes/networks.ts';
import { policyProbes } from './probes/policies.ts';
import type { Probe } from './probes/probe.ts';
import { hex } from './test-client.ts';

const probes: readonly Probe[] = [
  ...networkProbes,
  ...endpointProbes,
  ...policyProbes,
  ...namespaceProbes,
  ...hostProbes,
  ...loadBalancerProbes,
  ...answerProbes,
];
let hns: Hns | undefined;
afterEach(() => hns?.stop());

describe('the variant', () => {
  const positions = probes.flatMap((probe) =>
    probe.positions.map(([position, seen]) => {
      const shown = typeof position === 'number' ? hex(position) : position;
      return [probe.name, shown, variants[probe.name].evidence, probe, position, seen] as const;
    }),
  );
  test.each(positions)('$0 can be $1 [$2]', async (name, _, __, { options, see }, position, seen) => {
    hns = await startHns({ ...options, switches: { ...options?.switches, [name]: position } });
    process.env['WIN_HCN_SIMULATED_HNS'] = hns.address;
    expect(await see(hns)).toEqual(seen);
  });
});

it('every variant has a probe that distinguishes its positions', () => {
  const probed = probes.map(({ name, positions }) => [name, positions.map(([position]) => position)]);
  const known = uncertainties.map(({ name, positions }) => [name, positions]);
  expect(Object.fromEntries(probed)).toEqual(Object.fromEntries(known));
  expect(probes).toHaveLength(variantNames.length);
  for (const { positions } of probes)
    expect(new Set(positions.map(([, seen]) => JSON.stringify(seen))).size).toBe(positions.length);
});

it('every profile has one known position of each variant', () => {
  for (const profile of profileNames) {
    const chosen = Object.entries(switchesOf[profile]);
    const strangers = chosen.filter(([name, position]) => {
      const { positions } = variants[name as keyof typeof variants];
      return !positions.includes(position);
    });
    expect({ profile, strangers, count: chosen.length }).toEqual({
      profile,
      strangers: [],
      count: variantNames.length,
    });
  }
});

it('Windows Server 2022 has the first position of every variant', () => {
  expect(positionsOf('ws2022')).toEqual(
    Object.fromEntries(uncertainties.map(({ name, positions }) => [name, positions[0]])),
  );
});

it('variants that differ only in an error code are marked', () => {
  const codes = uncertainties.filter(({ isErrorCode }) => isErrorCode).map(({ name }) => name);
  expect(codes).toEqual([
    'subnetOverlap',
    'deleteMissingNetwork',
    'exhaustedMacPool',
    'duplicateEndpoint',
    'deleteMissingEndpoint',
    'addressConflict',
    'exhaustedSubnet',
    'earlyStaticAddress',
    'removeAbsentEndpoint',
    'attachMissingEndpoint',
    'earlyHostAttach',
    'loadBalancerConflict',
    'missingReference',
    'deleteMissingPolicyList',
    'unreleasedAdapter',
    'unknownEnumerationValue',
  ]);
});
