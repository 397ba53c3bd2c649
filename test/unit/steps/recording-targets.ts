import { expect } from 'vitest';
import type { IpamPlugin } from '../../../src/ipam/delegate.ts';
import { newNodeRoute } from '../../../src/net/node-route.ts';
import type { StepTargets } from '../../../src/steps/changes.ts';
import { aTurn } from '../hcn/small-hcn.ts';

export const id = '0b0e1a6c-6a5e-5c52-8f0c-7d7f1c6a2f10';
export const network = '1c1f2b7d-7b6f-5d63-8a1d-8e8a2d7b3a21';
export const namespace = '2d203c8e-8c70-4e74-9b2e-9f9b3e8c4b32';
export const SchemaVersion = { Major: 2, Minor: 0 };
export const networkDocument = { Name: 'cbr0', Type: 'L2Bridge', SchemaVersion };
export const endpointDocument = { Name: 'pod', HostComputeNetwork: network, SchemaVersion };
export const vips = (...FrontendVIPs: readonly string[]) => ({
  HostComputeEndpoints: [],
  FrontendVIPs,
  PortMappings: [],
  SchemaVersion,
});
export const policy = {
  Type: 'RemoteSubnetRoute',
  Settings: {
    DestinationPrefix: '10.244.2.0/24',
    IsolationId: 4096,
    ProviderAddress: '10.0.0.5',
    DistributedRouterMacAddress: '00-15-5D-0A-0B-0C',
  },
};
export const policies = [{ Type: 'ACL' }, { Type: 'PortMapping' }];
export const route = newNodeRoute(7, '10.244.2.0/24', '10.0.0.5');
export const attachment = { endpoint: id, name: 'pod', namespace };
export const addresses = ['10.244.1.5', '00-15-5D-0A-0B-0C'];
export const ofNetwork = { id: network, name: 'cbr0' };

/** Targets that record the calls which change something, with their arguments. What they read is empty unless given. */
export function recordingTargets(found: Readonly<Record<string, unknown>> = {}) {
  const calls: unknown[] = [];
  let isRunning = false;
  const functions = (names: readonly string[]) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        async (...given: readonly unknown[]) => {
          expect.soft(isRunning, `${name} begins before the end of another call`).toBe(false);
          isRunning = true;
          await aTurn();
          isRunning = false;
          if (!/^(find|read|open)/.test(name)) calls.push([name, ...given]);
          if (found[name] instanceof Error) throw found[name];
          return found[name] ?? (/s$|OfNetwork$|ByName$/.test(name) ? [] : undefined);
        },
      ]),
    );
  const plugin: IpamPlugin = {
    type: 'host-local',
    path: 'host-local.exe',
    environment: {},
    stdin: '{}',
    spawn: async (_path, { CNI_COMMAND: command }) => {
      await aTurn();
      calls.push(['host-local', command]);
      return { exitCode: 0, stdout: '{"cniVersion":"1.0.0","ips":[{"address":"10.244.1.5/24"}]}' };
    },
  };
  const targets = {
    hcn: {
      isCreatedEndpoint: () => found['isCreatedEndpoint'],
      ...functions([
        'createNetwork',
        'addNetworkPolicies',
        'removeNetworkPolicies',
        'deleteNetwork',
        'createEndpoint',
        'addPolicies',
        'deleteEndpoint',
        'createNamespace',
        'deleteNamespace',
        'addEndpoint',
        'removeEndpoint',
        'createLoadBalancer',
        'deleteLoadBalancer',
        'findNetworkById',
        'findEndpoint',
        'findEndpointsByName',
        'findEndpointsOfNetwork',
        'findNamespace',
        'findLoadBalancer',
        'findLoadBalancers',
        'openNamespace',
      ]),
      version: async () => found['version'],
    },
    ipHelper: functions(['readRoutes', 'createRoute', 'deleteRoute']),
    locateIpam: () => plugin,
    now: () => 0,
  } as unknown as StepTargets;
  return { targets, calls };
}
