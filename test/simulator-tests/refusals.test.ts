import { expect, test } from 'vitest';
import { type HresultName, hresultOf } from '../simulator/hresults.ts';
import { type Attempt, attempt, idOf } from './attempt.ts';
import { bridge, nat, overlay } from './documents.ts';

const onNat = (...endpoints: readonly object[]): Attempt => ({ networks: [nat], endpoints });
const at = (IpAddress: string) => onNat({ IpConfigurations: [{ IpAddress }] });
const withPolicy = (Type: string, Settings: object) => ({ Policies: [{ Type, Settings }] });
const policy = (Type: string, Settings: object) => onNat(withPolicy(Type, Settings));
const acl = { Action: 'Allow', Direction: 'In' };
const mapping = (Protocol: number) =>
  withPolicy('PortMapping', { Protocol, InternalPort: 80, ExternalPort: 31416 });
const without = (...networks: readonly object[]): Attempt => ({ networks, options: { adapters: [] } });
const balancer = { PortMappings: [{ Protocol: 6, InternalPort: 80, ExternalPort: 31416 }] };
const subnet = (Type: string, IpAddressPrefix: string) => ({
  Name: Type + IpAddressPrefix,
  Type,
  Ipams: [{ Subnets: [{ IpAddressPrefix }] }],
});
const onAdapter = (NetworkAdapterName: string) => withPolicy('NetAdapterName', { NetworkAdapterName });

/** With its evidence, as in docs/notes/uncertain-hns.md. */
test.each<[string, HresultName, Attempt]>([
  [
    'a network with the name of another one [O hcsshim#850]',
    'HCN_E_NETWORK_ALREADY_EXISTS',
    { networks: [nat, { ...overlay, Name: 'nat' }] },
  ],
  [
    'an unknown adapter [O SDN#269]',
    'HCN_E_ADAPTER_NOT_FOUND',
    { networks: [{ ...bridge, ...onAdapter('Ethernet 7') }] },
  ],
  ['L2Bridge without an adapter [O moby#41094]', 'HCN_E_ADAPTER_NOT_FOUND', without(bridge)],
  ['Overlay without an adapter [O moby#41094]', 'HCN_E_ADAPTER_NOT_FOUND', without(overlay)],
  [
    'an adapter with a switch of another type [O SDN#269]',
    'HCN_E_ADAPTER_NOT_FOUND',
    { networks: [overlay, bridge] },
  ],
  [
    "a NAT subnet that contains the host's address [C AppSandbox]",
    'ERROR_DUP_NAME',
    { networks: [subnet('NAT', '10.0.0.0/24')] },
  ],
  [
    'overlapping subnets of NAT and ICS [C AppSandbox, O wsl2-boot#3]',
    'ERROR_DUP_NAME',
    { networks: [subnet('NAT', '172.20.48.0/20'), subnet('ICS', '172.20.0.0/16')] },
  ],
  [
    'a second NAT network on ws2019 [O docker-for-win#10279, code I]',
    'E_INVALIDARG',
    { networks: [nat, { Type: 'NAT' }], options: { profile: 'ws2019' } },
  ],
  [
    'an unknown network policy type [O hcsshim#470]',
    'HCN_E_INVALID_POLICY_TYPE',
    { networks: [{ ...nat, ...withPolicy('Routing', {}) }] },
  ],
  ['the gateway address [O sig-windows-tools#71]', 'HCN_E_ADDR_INVALID_OR_RESERVED', at('192.168.100.1')],
  [
    'the network address [O azure-container-networking#2060]',
    'HCN_E_ADDR_INVALID_OR_RESERVED',
    at('192.168.100.0'),
  ],
  [
    'the broadcast address [O azure-container-networking#2060]',
    'HCN_E_ADDR_INVALID_OR_RESERVED',
    at('192.168.100.255'),
  ],
  ['an address outside of every subnet [O]', 'HCN_E_INVALID_IP', at('192.168.101.5')],
  ['a family without a subnet [O Windows-Containers#82]', 'HCN_E_SUBNET_NOT_FOUND', at('fd00::5')],
  [
    'an unknown member [O tunbury.org 2025-06-27]',
    'HCN_E_INVALID_JSON',
    onNat({ IPAddress: '192.168.100.9' }),
  ],
  [
    'an invalid GUID [D HCNHResult.md]',
    'HCN_E_GUID_CONVERSION_FAILURE',
    onNat({ HostComputeNamespace: 'none' }),
  ],
  ['an unknown endpoint policy type [O hcsshim#470]', 'HCN_E_INVALID_POLICY_TYPE', policy('NAT', {})],
  [
    'a port mapping without internal port [D HCNHResult.md]',
    'HCN_E_INVALID_INTERNAL_PORT',
    policy('PortMapping', { Protocol: 6, ExternalPort: 80 }),
  ],
  [
    'OutBoundNAT with host bits [O hcsshim#1951]',
    'HCN_E_INVALID_POLICY',
    policy('OutBoundNAT', { Exceptions: ['172.17.0.1/16'] }),
  ],
  [
    'OutBoundNAT with exceptions of two families [O AgentBaker#3049]',
    'HCN_E_INVALID_POLICY',
    policy('OutBoundNAT', { Exceptions: ['10.0.0.0/8', 'fd00::/8'] }),
  ],
  ['an unknown NatFlag [D]', 'HCN_E_INVALID_POLICY', policy('OutBoundNAT', { Flags: 8 })],
  [
    'an ACL with the address Any [O hcsshim#1059]',
    'HCN_E_INVALID_POLICY',
    policy('ACL', { LocalAddresses: 'Any', ...acl }),
  ],
  [
    'an ACL with a numeric protocol list [D]',
    'HCN_E_INVALID_POLICY',
    policy('ACL', { Protocols: 6, ...acl }),
  ],
  [
    'an unsigned number that is too large [D]',
    'HCN_E_INVALID_POLICY',
    policy('EncapOverhead', { Overhead: 65536 }),
  ],
  [
    'a load balancer with a missing endpoint [O hcsshim#1043]',
    'HCN_E_PORT_NOT_FOUND',
    { ...onNat(), loadBalancers: [{ ...balancer, HostComputeEndpoints: [idOf('Endpoint')] }] },
  ],
  [
    'a load balancer on the port of a mapping [O kubernetes/community#8883]',
    'HCN_E_PORT_ALREADY_EXISTS',
    { ...onNat(mapping(6)), loadBalancers: [{ ...balancer, FrontendVIPs: ['10.0.0.4'] }] },
  ],
])('%s is refused with %s', async (_, name, given) => {
  const { hresults } = await attempt(given);
  expect(hresults).toEqual([...Array(hresults.length - 1).fill(0), hresultOf(name)]);
});

test.each<[string, Attempt]>([
  [
    'several overlay networks on an adapter [O flannel#1111]',
    { networks: [overlay, { ...overlay, Name: 'External' }] },
  ],
  [
    'several L2Bridge networks on an adapter [O SDN start.ps1]',
    { networks: [bridge, { ...bridge, Name: 'b' }] },
  ],
  [
    'a second NAT network on ws2022 [O docker-netrestore]',
    { networks: [nat, { Type: 'NAT' }], options: { profile: 'ws2022' } },
  ],
  [
    'a load balancer for another address on the port of a mapping',
    { ...onNat(mapping(6), mapping(17)), loadBalancers: [{ ...balancer, FrontendVIPs: ['1.1.1.2'] }] },
  ],
  [
    'a SourceVIP of no subnet [T hcnloadbalancer_test.go]',
    { ...onNat({}), loadBalancers: [{ ...balancer, SourceVIP: '10.0.0.1' }] },
  ],
])('%s is accepted', async (_, given) => {
  const { hresults } = await attempt(given);
  expect(hresults).toEqual(Array(hresults.length).fill(0));
});
