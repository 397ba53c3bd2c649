import { describe, expect, it, test } from 'vitest';
import { limitsPerCall, newLimit } from '../../src/hcn/deadline.ts';
import { interceptIpHelperCalls, limitIpHelperCalls } from '../../src/iphlpapi/ip-helper.ts';
import { loadIpHelper } from '../../src/iphlpapi/load-ip-helper.ts';
import { IpHelperError, IpHelperTimeout } from '../../src/iphlpapi/windows-errors.ts';
import { system } from '../../src/system.ts';
import { buildLinuxStub } from '../simulator/stub/build.ts';
import { bridge } from './documents.ts';
import { hnsAroundEach } from './hns-around-each.ts';

const service = hnsAroundEach();
const helper = loadIpHelper(buildLinuxStub());

const physical = {
  index: 5,
  alias: 'Ethernet',
  description: 'Microsoft Hyper-V Network Adapter',
  mac: '00-0D-3A-00-00-04',
  mtu: 1500,
  isUp: true,
  mediaType: 6,
  addresses: [{ address: '10.0.0.4', length: 24 }],
  gateways: ['10.0.0.1'],
  metric: 15,
};
const virtual = {
  ...physical,
  index: 6,
  alias: 'vEthernet (Ethernet)',
  description: 'Hyper-V Virtual Ethernet Adapter',
};
const bound = { ...physical, addresses: [], gateways: [] };

describe('the adapters of the host', () => {
  it('consist of one by default', async () => {
    expect(await helper.readAdapters()).toEqual([physical]);
  });

  it('include one per virtual switch, which has the addresses [D]', async () => {
    service.hns.others.createNetwork(bridge);
    expect(await helper.readAdapters()).toEqual([bound, virtual]);
  });
});

describe('forwarding', () => {
  it('is disabled by default, and enabled once', async () => {
    expect(forwarding(5)).toBe(false);
    await helper.enableForwarding(5);
    expect(forwarding(5)).toBe(true);
    service.hns.inject({ function: 'SetIpInterfaceEntry', effect: { hresult: 0x80070005 } });
    await expect(helper.enableForwarding(5)).resolves.toBeUndefined();
  });

  test('of a missing interface fails with an error that names the interface', async () => {
    await expect(helper.enableForwarding(77)).rejects.toThrow(
      'reading IPv4 forwarding of interface 77: Windows returned ERROR_NOT_FOUND (1168). ' +
        'The interface was removed, or is bound to a virtual switch.',
    );
  });
});

describe('default routes', () => {
  it('of one interface are removed, if there are any', async () => {
    const { index } = await hostEndpoint();
    await helper.removeDefaultRoutes(index);
    expect((await helper.readAdapters()).map(({ gateways }) => gateways)).toEqual([[], ['10.0.0.1'], []]);
    await helper.removeDefaultRoutes(index);
    await helper.removeDefaultRoutes(77);
  });
});

test('an error without a symbol has its number', async () => {
  service.hns.inject({ function: 'GetAdaptersAddresses', effect: { hresult: 0x80071234 } });
  await expect(helper.readAdapters()).rejects.toThrow(
    new IpHelperError('listing the network adapters of this host', 0x1234),
  );
});

describe('with a deadline', () => {
  const limited = interceptIpHelperCalls(
    async () => helper,
    limitIpHelperCalls(newLimit(limitsPerCall(0.2), system.timer, system.now)),
  );

  test('a call that hangs fails with a timeout that names the operation', async () => {
    service.hns.inject({ function: 'GetIpInterfaceEntry', effect: { hang: true } });
    const late = limited.enableForwarding(5);
    await expect(late).rejects.toThrow(IpHelperTimeout);
    await expect(late).rejects.toThrow(
      'enabling IPv4 forwarding on interface 5: Windows did not respond within 0.2 s.',
    );
  });
});

async function hostEndpoint() {
  const network = service.hns.others.createNetwork(bridge);
  service.hns.others.createHostEndpoint(network, {
    Name: 'bridge_ep',
    MacAddress: '0E-2A-C0-A8-64-02',
    IpConfigurations: [{ IpAddress: '192.168.100.2' }],
  });
  const adapter = (await helper.readAdapters()).find(({ alias }) => alias === 'vEthernet (bridge_ep)');
  if (!adapter) throw new Error('The endpoint is not an adapter of the host.');
  return adapter;
}

function forwarding(index: number): boolean | undefined {
  return service.hns.hostInterfaces().find((one) => one.index === index)?.forwarding;
}
