import { expect, test } from 'vitest';
import { zeroGuid } from '../simulator/object-id.ts';
import { type Attempt, attempt, documentOf, idOf } from './attempt.ts';
import { nat, overlay } from './documents.ts';

const created = async (kind: Parameters<typeof documentOf>[1], given: Attempt) =>
  documentOf((await attempt(given)).library, kind);

test('HNS completes an empty endpoint to this document [T hcnendpoint_test.go]', async () => {
  const networks = [{ ...nat, Dns: { ServerList: ['10.96.0.10'] } }];
  const { Health: _, ...rest } = await created('Endpoint', { networks, endpoints: [{}] });
  expect(rest).toEqual({
    ID: idOf('Endpoint'),
    Name: 'Ethernet',
    HostComputeNetwork: idOf('Network'),
    HostComputeNamespace: zeroGuid,
    IpConfigurations: [{ IpAddress: '192.168.100.2', PrefixLength: 24 }],
    Dns: { ServerList: ['10.96.0.10'] },
    Routes: [{ NextHop: '192.168.100.1', DestinationPrefix: '0.0.0.0/0' }],
    MacAddress: '00-15-5D-52-C0-00',
    State: 1,
    SchemaVersion: { Major: 2, Minor: 0 },
  });
});

test('HNS completes an overlay network to this document [T hcnnetwork_test.go]', async () => {
  const { Health: _, ...rest } = await created('Network', { networks: [overlay] });
  expect(rest).toEqual({
    ID: idOf('Network'),
    Name: 'flannel.4096',
    SchemaVersion: { Major: 2, Minor: 0 },
    State: 1,
    Type: 'Overlay',
    Flags: 8,
    Policies: [
      { Type: 'DrMacAddress', Settings: { Address: expect.stringMatching(/^00-15-5D-/) } },
      { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } },
    ],
    MacPool: { Ranges: [{ StartMacAddress: '00-15-5D-52-C0-00', EndMacAddress: '00-15-5D-52-CF-FF' }] },
    Dns: {},
    Ipams: [
      {
        Type: 'Static',
        Subnets: [
          {
            ID: expect.any(String),
            IpAddressPrefix: '10.244.3.0/24',
            Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }],
            Routes: [{ NextHop: '10.244.3.1', DestinationPrefix: '0.0.0.0/0' }],
            IpSubnets: [{ ID: expect.any(String), IpAddressPrefix: '10.244.3.0/24', Flags: 3 }],
          },
        ],
      },
    ],
  });
});

test('a load balancer is returned as in a response captured on a real host [O calico#7305]', async () => {
  const PortMappings = [{ Protocol: 6, InternalPort: 80, ExternalPort: 31416, Flags: 2 }];
  const loadBalancers = [{ SourceVIP: '10.10.253.194', PortMappings }];
  const document = await created('LoadBalancer', { networks: [nat], endpoints: [{}], loadBalancers });
  expect(JSON.stringify(document)).toBe(
    `{"ID":"${idOf('LoadBalancer')}","HostComputeEndpoints":["${idOf('Endpoint')}"],"SourceVIP":"10.10.253.194","PortMappings":[{"Protocol":6,"InternalPort":80,"ExternalPort":31416,"Flags":2}],"SchemaVersion":{"Major":2,"Minor":0}}`,
  );
});

test("the settings of a policy have the schema's order [O azure-container-networking#3550]", async () => {
  const Settings = { Action: 'Block', Direction: 'Out', RuleType: 'Switch', Protocols: '1', Priority: 2000 };
  const endpoints = [{ Policies: [{ Type: 'ACL', Settings }] }];
  const { Policies } = await created('Endpoint', { networks: [nat], endpoints });
  expect(JSON.stringify(Policies)).toBe(
    '[{"Type":"ACL","Settings":{"Protocols":"1","Priority":2000,"Action":"Block","Direction":"Out","RuleType":"Switch"}}]',
  );
});

test('a load balancer keeps the reference to a deleted endpoint [O k8s#112836]', async () => {
  const PortMappings = [{ Protocol: 6, InternalPort: 80, ExternalPort: 80 }];
  const { library } = await attempt({ networks: [nat], endpoints: [{}], loadBalancers: [{ PortMappings }] });
  expect(await library.delete('Endpoint', idOf('Endpoint'))).toMatchObject({ hresult: 0 });
  expect(await documentOf(library, 'LoadBalancer')).toMatchObject({
    HostComputeEndpoints: [idOf('Endpoint')],
  });
});
