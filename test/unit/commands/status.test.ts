import { describe, expect, test } from 'vitest';
import { status } from '../../../src/commands/status.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { IpHelperTimeout } from '../../../src/iphlpapi/windows-errors.ts';
import { networkId } from '../../../src/model/identity.ts';
import { resolveNetwork } from '../../../src/plan/network-plan.ts';
import { example } from '../../e2e/example.ts';
import type { Fault } from '../hcn/small-hcn.ts';
import { hostAdapters } from '../plan/host-adapters.ts';
import { type SmallNodeOptions, smallNode } from './small-node.ts';

const nat = readNetworkConfig(example('nat'));

const succeeded = { exitCode: 0, stdout: '' };

/** Runs STATUS with an enumeration of this duration. Returns the notices and the time limit of the IPAM plugin in seconds. */
async function requested(options: SmallNodeOptions = {}, seconds = 0, config = nat, outcome = succeeded) {
  const limits: number[] = [];
  const ipam = {
    type: 'host-local',
    path: 'C:\\cni\\host-local.exe',
    environment: {},
    stdin: '{}',
    spawn: async (_path: string, _environment: object, _stdin: string, patience: number) => {
      limits.push(patience);
      return outcome;
    },
  };
  const { context, notices, pass } = smallNode({
    ...options,
    locateIpam: () => ipam,
    fault: (call, nth) => {
      if (call.startsWith('enumerate')) pass(seconds * 1000);
      return options.fault?.(call, nth);
    },
  });
  pass(1000);
  await status(config, context);
  return { notices, limits };
}

const failing = (fault: Fault): SmallNodeOptions => ({ fault: () => fault });

describe('STATUS with a slow HCN', () => {
  test.each<[string, Fault]>([
    ['does not respond', 'late'],
    ['reports a timeout of its own', 0x800705b4],
  ])('succeeds with a notice if HCN %s, and runs the IPAM plugin', async (_, fault) => {
    expect(await requested(failing(fault))).toEqual({
      notices: [expect.stringMatching(/^STATUS succeeds although HCN is late: \S/)],
      limits: [10],
    });
  });

  test('is code 50 with its cause if HCN is down', async () => {
    await expect(requested(failing(0x800706ba))).rejects.toMatchObject({
      code: 50,
      cause: expect.any(Error),
    });
  });

  test('succeeds with a notice if Windows does not list the adapters in time', async () => {
    const readAdapters = () => Promise.reject(new IpHelperTimeout('reading the network adapters', 10));
    const config = readNetworkConfig(example('l2bridge', { adapter: undefined }));
    const { notices } = await requested({ readAdapters }, 0, config);
    expect(notices).toEqual([
      expect.stringContaining('reading the network adapters: Windows did not respond'),
    ]);
  });
});

describe('the IPAM plugin', () => {
  test.each([
    [0, 10],
    [3, 7],
    [8, 5],
  ])('has what HCN leaves of 10 s, at least 5 s: after %d s it has %d s', async (seconds, limit) => {
    expect(await requested({}, seconds)).toEqual({ notices: [], limits: [limit] });
  });
});

describe('an ADD cannot succeed', () => {
  const overlay = readNetworkConfig(example('overlay'));
  const unready = { ...resolveNetwork(overlay, undefined, hostAdapters), Type: 'Overlay' };

  test.each([
    [50, 'without endpoints', []],
    [51, 'with endpoints', [{ ID: networkId('any'), Name: 'pod', HostComputeNetwork: unready.ID }]],
  ])('on an unfinished network, which is code %d %s', async (code, _, endpoints) => {
    await expect(requested({ networks: [unready], endpoints }, 0, overlay)).rejects.toMatchObject({
      code,
      message: 'network "overlay" has no usable ProviderAddress',
      details: 'check that the adapter is up and has an address: Get-NetIPAddress',
    });
  });

  test('if Windows lacks a feature of the network', async () => {
    const dualStack = readNetworkConfig(example('dual-stack', { loopbackDSR: false }));
    const answer = '{"Success":true,"Output":{"Major":9,"Minor":1}}';
    const fault = (call: string) => (call === 'HNSCall' ? { answer } : undefined);
    await expect(requested({ fault }, 0, dualStack)).rejects.toMatchObject({
      code: 50,
      message: expect.stringContaining('IPv6DualStack'),
    });
  });
});

test('STATUS is code 50 if the host endpoint cannot exist', async () => {
  const config = { ...readNetworkConfig(example('l2bridge')), hostEndpoint: { address: '192.0.2.9' } };
  const readAdapters = async () => hostAdapters;
  await expect(requested({ readAdapters }, 0, config)).rejects.toMatchObject({
    code: 50,
    message: expect.stringMatching(/^\/hostEndpoint: 192\.0\.2\.9 is not a usable address in /),
  });
});
