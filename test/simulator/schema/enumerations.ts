// Enumerations of HNS_Schema.md with their values.

import type { Schema } from './schema.ts';

function ordinals(...names: string[]): Schema {
  return {
    kind: 'enumeration',
    numeric: false,
    names: new Map(names.map((name, ordinal) => [name, ordinal])),
  };
}

/** Enumerations that answers contain as numbers: flags, protocols. */
function numbers(values: Readonly<Record<string, number>>): Schema {
  return { kind: 'enumeration', numeric: true, names: new Map(Object.entries(values)) };
}

export const networkMode = ordinals(
  ...['NAT', 'ICS', 'Transparent', 'L2Bridge', 'L2Tunnel', 'Overlay', 'Private', 'Internal'],
  ...['Mirrored', 'Infiniband', 'ConstrainedICS'],
);
export const ipamType = ordinals('Static', 'Dhcp');
export const namespaceType = ordinals('Host', 'HostDefault', 'Guest', 'GuestDefault');
export const namespaceResourceType = ordinals('Container', 'Endpoint');
export const endpointResourceType = ordinals('Port', 'Policy');
export const networkResourceType = ordinals('DNS', 'Extension', 'Policy', 'Subnet', 'IPSubnet');
export const modifyRequestType = ordinals('Add', 'Remove', 'Update', 'Refresh', 'Reset');
export const actionType = ordinals('Allow', 'Block', 'Pass');
export const directionType = ordinals('In', 'Out');
export const ruleType = ordinals('Host', 'Switch');
export const setPolicyType = ordinals('IPSET', 'NESTEDIPSET');
export const authenticationType = ordinals('PresharedKey', 'Certificate');
export const encryptionMethod = ordinals('Ipsec');
export const firewallVmType = ordinals('Invalid', 'Host', 'WSA', 'WSL');
export const subnetPolicyType = ordinals('VLAN', 'VSID');

export const protocolType = numbers({ Unknown: 0, ICMPv4: 1, IGMP: 2, TCP: 6, UDP: 17, ICMPv6: 58 });
export const distribution = numbers({ None: 0, SourceIPProtocol: 1, SourceIP: 2 });
export const interruptModeration = numbers({
  IovInterruptModerationDefault: 0,
  IovInterruptModerationAdaptive: 1,
  IovInterruptModerationOff: 2,
  IovInterruptModerationLow: 100,
  IovInterruptModerationMedium: 200,
  IovInterruptModerationHigh: 300,
});
