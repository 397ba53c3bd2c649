import { isUnavailable } from './hresults.ts';

/** What to do next about an HRESULT, in one sentence. */
export function remedyFor(hresult: number): string {
  if (isUnavailable(hresult)) {
    return 'The Host Network Service does not answer: look at it with Get-Service hns, start it with Start-Service hns.';
  }
  return (
    remedies.get(hresult) ??
    'Look at the service with Get-HnsNetwork and its log Microsoft-Windows-Host-Network-Service.'
  );
}

const remedies: ReadonlyMap<number, string> = new Map([
  [0x803b0001, 'Create the network, or let win-hcn do so with "createNetwork": "ifMissing".'],
  [0x803b0005, 'Give the network a subnet of the address family that the IPAM plugin assigns.'],
  [
    0x803b0006,
    'Check "adapter" against Get-NetAdapter: it must be up and not bound to another virtual switch.',
  ],
  [0x803b0007, 'An endpoint that was referred to is gone or has no switch port: look with Get-HnsEndpoint.'],
  [0x803b000a, 'Check "networkType", "subnets" and "networkPolicies" against what this Windows supports.'],
  [
    0x803b000d,
    'Check the policies or port mappings of the configuration; this Windows may not take all of their settings.',
  ],
  [0x803b000e, 'This Windows does not know one of the policy types in the configuration.'],
  [0x803b0010, 'Another network has this name or id: look at it with Get-HnsNetwork.'],
  [0x803b0016, 'A network of this type has no port mappings: take L2Bridge, Overlay or NAT.'],
  [0x803b0013, 'Another endpoint or a load balancer has this port.'],
  [0x803b001b, 'This Windows does not take a member of the document; the braces name it.'],
  [0x803b001e, 'The address is outside the network: make the IPAM plugin\'s subnet and "subnets" agree.'],
  [0x803b002b, 'The endpoint is in another namespace: delete that pod first.'],
  [
    0x803b002f,
    'Another endpoint has the address, or it is reserved: look with Get-HnsEndpoint for the one that is left over.',
  ],
  [
    0x80071392,
    'Another endpoint has the address, or it is reserved: look with Get-HnsEndpoint for the one that is left over.',
  ],
  [0x80070005, 'HCN needs an elevated caller: run as SYSTEM or as an administrator.'],
  [0x80070034, 'The subnet overlaps one this node already uses.'],
  [
    0x800700b7,
    'There is one with this id, or another load balancer has this frontend: look with Get-HnsPolicyList.',
  ],
  [0x80070490, 'It is gone since we looked: try again.'],
]);
