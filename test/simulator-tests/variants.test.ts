import { describe, expect, it, test } from 'vitest';
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
import { hex, startForTest } from './test-client.ts';

const probes: readonly Probe[] = [
  ...networkProbes,
  ...endpointProbes,
  ...policyProbes,
  ...namespaceProbes,
  ...hostProbes,
  ...loadBalancerProbes,
  ...answerProbes,
];

describe('the variant', () => {
  const rows = probes.flatMap((probe) =>
    variants[probe.name].positions.map((position) => {
      const shown = typeof position === 'number' ? hex(position) : position;
      return [probe.name, shown, probe, position] as const;
    }),
  );
  test.each(rows)('$0 can be $1', async (name, shown, { options, see, expected }, position) => {
    const hns = await startForTest({ ...options, switches: { ...options?.switches, [name]: position } });
    const seen = typeof expected === 'object' ? expected[shown] : (expected?.(shown) ?? shown);
    expect(await see(hns)).toEqual(seen);
  });
});

it('every variant has a probe that distinguishes its positions', () => {
  expect(probes.map(({ name }) => name).toSorted()).toEqual(variantNames.toSorted());
  for (const { name, expected } of probes.filter((probe) => typeof probe.expected === 'object')) {
    expect(Object.keys(expected ?? {}), name).toEqual(variants[name].positions);
    expect(new Set(Object.values(expected ?? {}).map((seen) => JSON.stringify(seen))).size).toBe(
      variants[name].positions.length,
    );
  }
});

it('every profile has one position of each variant', () => {
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

it('a variant is one of error codes if its probe expects a code', () => {
  const codes = probes.filter(({ expected }) => typeof expected !== 'object').map(({ name }) => name);
  const marked = uncertainties.filter(({ isErrorCode }) => isErrorCode).map(({ name }) => name);
  expect(marked.toSorted()).toEqual(codes.toSorted());
});
