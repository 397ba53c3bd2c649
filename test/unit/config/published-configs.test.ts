import { describe, expect, test } from 'vitest';
import { openConfig } from '../../../src/config/open-config.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { publishedConfigs, saysNothing } from './published-configs.ts';

describe('a published configuration is read, and means this:', () => {
  test.each(publishedConfigs)('$source', ({ config, means }) => {
    const opened = openConfig(config, 'win-hcn.exe', '');
    const { behavior, ...read } = readNetworkConfig(opened.json, {}, opened);
    const { name, adapter, networkFlags, macPool, hostEndpoint, mtu, acls, sdnRoutes, ...meaning } = read;
    const { defaultAction, prevResult, egressBytes, macAddress, addresses, ...stated } = meaning;
    const { gateways, additionalGateways, secondHostIsGateway, exceptOwnSubnets } = behavior;
    const { ignored } = opened;
    expect({
      ...stated,
      gateways,
      additionalGateways,
      secondHostIsGateway,
      exceptOwnSubnets,
      ignored,
    }).toEqual({
      ...saysNothing,
      ...means,
    });
    expect([adapter, hostEndpoint, mtu, defaultAction, prevResult, egressBytes, macAddress]).toEqual(
      Array(7).fill(undefined),
    );
    expect([networkFlags, macPool, acls, sdnRoutes, addresses]).toEqual([[], [], [], [], []]);
    expect(behavior).toMatchObject({ existingNetwork: 'use as is', endpointName: 'without interface' });
  });
});
