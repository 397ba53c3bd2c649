import { expect, test } from 'vitest';
import type { HcnClient } from '../../../src/hcn/client.ts';
import { smallHcn } from './small-hcn.ts';

const id = '0b0e1a6c-6a5e-5c52-8f0c-7d7f1c6a2f10';
const network = '1c1f2b7d-7b6f-5d63-8a1d-8e8a2d7b3a21';
const SchemaVersion = { Major: 2, Minor: 0 };
const portMapping = (ExternalPort: number) => ({ Type: 'PortMapping', Settings: { ExternalPort } });
const pod = { Name: 'pod', HostComputeNetwork: network, SchemaVersion };
const [addressTaken, portTaken] = [0x803b002f, 0x803b0013];

test.each<readonly [string, number, (hcn: HcnClient) => Promise<unknown>, string]>([
  [
    'the first address of an endpoint',
    addressTaken,
    (hcn) =>
      hcn.createEndpoint(network, id, {
        ...pod,
        IpConfigurations: [{ IpAddress: '10.1.0.5' }, { IpAddress: '10.1.0.6' }],
      }),
    'Find the owner: win-hcn show ip 10.1.0.5.',
  ],
  [
    'each host port of an endpoint once',
    portTaken,
    (hcn) =>
      hcn.createEndpoint(network, id, {
        ...pod,
        Policies: [portMapping(8080), portMapping(8080), portMapping(53)],
      }),
    'win-hcn show port 8080 (or 53)',
  ],
  [
    'the port of a load balancer',
    portTaken,
    (hcn) =>
      hcn.createLoadBalancer(id, {
        HostComputeEndpoints: [],
        PortMappings: [{ Protocol: 6, InternalPort: 80, ExternalPort: 8081 }],
        SchemaVersion,
      }),
    'win-hcn show port 8081',
  ],
  [
    'a placeholder if the call has no host port',
    portTaken,
    (hcn) => hcn.addPolicies(id, [{ Type: 'ACL', Settings: { ExternalPort: 1 } }]),
    'win-hcn show port PORT',
  ],
])('a remedy names %s', async (_, hresult, run, command) => {
  const fault = (call: string) => (/^(create|modify)/.test(call) ? hresult : undefined);
  const { hcn } = smallHcn({ networks: [{ ID: network }], endpoints: [{ ID: id }], fault });
  const error = await run(hcn).catch((failure: unknown) => failure);
  expect(String(error)).toContain(command);
});
