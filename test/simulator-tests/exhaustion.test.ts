import { expect, it } from 'vitest';
import { endpoint } from '../simulator/computenetwork.ts';
import { createEndpoint, createNetwork, hnsAroundEach, endpointId as id, remove } from './test-client.ts';

hnsAroundEach();

const small = (members: object) => ({
  Type: 'L2Bridge',
  Ipams: [
    {
      Subnets: [
        {
          IpAddressPrefix: '10.5.0.0/30',
          Routes: [{ NextHop: '10.5.0.1', DestinationPrefix: '0.0.0.0/0' }],
          ...members,
        },
      ],
    },
  ],
});
it('a subnet without a free address returns 0x803B002F [I]', async () => {
  const { id: bridge } = await createNetwork(small({}));
  expect((await createEndpoint(bridge, {})).document).toMatchObject({
    IpConfigurations: [{ IpAddress: '10.5.0.2' }],
  });
  expect((await createEndpoint(bridge, {})).hresult).toBe('0x803B002F');
});
it('a MAC pool without a free address returns 0x803B002F [I]', async () => {
  const Ranges = [{ StartMacAddress: '00-15-5D-00-00-01', EndMacAddress: '00-15-5D-00-00-01' }];
  const { id: hidden } = await createNetwork({ Type: 'Private', MacPool: { Ranges } });
  expect((await createEndpoint(hidden, {})).document).toMatchObject({ MacAddress: '00-15-5D-00-00-01' });
  expect((await createEndpoint(hidden, {})).hresult).toBe('0x803B002F');
});
it('DoNotReserveGatewayAddress makes the gateway address available, requested or automatic [D hcsshim#2525]', async () => {
  const { id: bridge } = await createNetwork(small({ Flags: 1 }));
  expect((await createEndpoint(bridge, { IpConfigurations: [{ IpAddress: '10.5.0.1' }] }, id)).hresult).toBe(
    '0x00000000',
  );
  await remove(endpoint, id);
  expect((await createEndpoint(bridge, {})).document).toMatchObject({
    IpConfigurations: [{ IpAddress: '10.5.0.1' }],
  });
});
