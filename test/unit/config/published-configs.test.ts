import { expect, test } from 'vitest';
import { openConfig } from '../../../src/config/open-config.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { defaults, publishedConfigs } from './published-configs.ts';

test.each(publishedConfigs)('translates the configuration of $source', ({ config, translation }) => {
  const opened = openConfig(config, 'win-hcn.exe', '');
  const { behavior, ...read } = readNetworkConfig(opened.json, {}, opened);
  const {
    name,
    adapter,
    networkFlags,
    macPool,
    hostEndpoint,
    remoteSubnets,
    mtu,
    acls,
    sdnRoutes,
    ignoredDns,
    ...others
  } = read;
  const { defaultAction, prevResult, egressBytes, macAddress, addresses, ...translated } = others;
  const { gateways, additionalGateways, secondHostIsGateway, exceptOwnSubnets } = behavior;
  const changes = { gateways, additionalGateways, secondHostIsGateway, exceptOwnSubnets };
  expect({ ...translated, ...changes, ignored: opened.ignored }).toEqual({ ...defaults, ...translation });
  expect([adapter, hostEndpoint, mtu, defaultAction, prevResult, egressBytes, macAddress]).toEqual(
    Array(7).fill(undefined),
  );
  expect([networkFlags, macPool, remoteSubnets, acls, sdnRoutes, ignoredDns, addresses]).toEqual(
    Array(7).fill([]),
  );
  expect(behavior).toMatchObject({ existingNetwork: 'use as is', endpointName: 'without interface' });
});
