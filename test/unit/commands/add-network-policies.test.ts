import { describe, expect, test } from 'vitest';
import { addNetworkPolicies } from '../../../src/commands/add-network-policies.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { example } from '../../e2e/example.ts';
import { smallHost } from './small-host.ts';

const id = '22222222-2222-3333-4444-555555555555';
const networks = [{ ID: id, Name: 'overlay' }];
const adding = `modify Network ${id} Add Policy`;

describe('HostRoute', () => {
  const overlay = readNetworkConfig(example('overlay'));

  test('is added to a network that was created', async () => {
    const { host, undo, calls, notices } = smallHost({ networks });
    await addNetworkPolicies(overlay, id, host, undo);
    expect({ calls, notices }).toEqual({ calls: [`open Network ${id}`, adding], notices: [] });
  });

  test('that HNS refuses is only told', async () => {
    const fault = (call: string) => (call === adding ? 0x80070057 : undefined);
    const { host, undo, notices } = smallHost({ networks, fault });
    await addNetworkPolicies(overlay, id, host, undo);
    expect(notices).toEqual([
      expect.stringContaining(
        `network "overlay" lacks HostRoute: adding policies to network ${id}: HCN returned E_INVALIDARG`,
      ),
    ]);
  });

  test('that is not configured costs no call', async () => {
    const { host, undo, calls } = smallHost({ networks });
    await addNetworkPolicies(readNetworkConfig(example('nat')), id, host, undo);
    expect(calls).toEqual([]);
  });
});
