import type { Hresult } from './hresult.ts';

/** Networks, their subnets and what they are made on: https://learn.microsoft.com/virtualization/api/hcn/reference/hcnhresult */
export const networkHresults: readonly Hresult[] = [
  {
    hresult: 0x803b0001,
    symbol: 'HCN_E_NETWORK_NOT_FOUND',
    text: 'The network was not found',
    cause: 'Somebody deleted the network, or HNS lost it in a restart, after this request had found it.',
    remedy:
      'See what is left with win-hcn ls networks; the next ADD creates the network, with "createNetwork": "ifMissing".',
  },
  {
    hresult: 0x803b0003,
    symbol: 'HCN_E_LAYER_NOT_FOUND',
    text: "The network's underlying layer was not found",
    cause: 'HNS has the network, but no longer what it lies on in the virtual switch.',
    remedy:
      'Once no pod uses the network, delete it with win-hcn network delete NAME --yes; the next ADD creates it anew.',
  },
  {
    hresult: 0x803b0004,
    symbol: 'HCN_E_SWITCH_NOT_FOUND',
    text: 'The virtual switch was not found',
    cause: "The network's virtual switch was removed by hand, by Hyper-V or together with its adapter.",
    remedy:
      'Compare Get-VMSwitch with win-hcn ls networks; a network without its switch is deleted with win-hcn network delete NAME --yes, and the next ADD creates both.',
  },
  {
    hresult: 0x803b0005,
    symbol: 'HCN_E_SUBNET_NOT_FOUND',
    text: 'The network does not have a subnet for this endpoint',
    cause:
      'The endpoint has an address of a family that the network has no subnet of, as IPv6 on an IPv4 one.',
    remedy:
      'Give the network a subnet of the address family that the IPAM plugin assigns: compare "subnets" with win-hcn ls networks.',
  },
  {
    hresult: 0x803b0006,
    symbol: 'HCN_E_ADAPTER_NOT_FOUND',
    text: 'An adapter was not found',
    cause: 'The adapter has another name, is down, or belongs to another virtual switch already.',
    remedy:
      'Check "adapter" against Get-NetAdapter -Physical: it must be up, and in no other switch, as Get-NetAdapterBinding -ComponentID vms_pp shows.',
  },
  {
    hresult: 0x803b000a,
    symbol: 'HCN_E_INVALID_NETWORK',
    text: 'The provided network configuration is invalid or missing parameters',
    cause: 'Type, subnets, flags and policies of the network do not go together on this Windows.',
    remedy:
      'Check "networkType", "subnets", "networkFlags" and "networkPolicies" against what this Windows (cmd /c ver) supports.',
  },
  {
    hresult: 0x803b000b,
    symbol: 'HCN_E_INVALID_NETWORK_TYPE',
    text: 'Invalid network type',
    cause: 'This Windows has no networks of the type, or lacks the feature they come with.',
    remedy:
      'Take another "networkType", or install the feature: Get-WindowsOptionalFeature -Online -FeatureName Containers says whether it is there.',
  },
  {
    hresult: 0x803b0010,
    symbol: 'HCN_E_NETWORK_ALREADY_EXISTS',
    text: 'A network with this name already exists',
    cause:
      'A network of this id or a virtual switch of this name is there, though HNS lists no such network.',
    remedy:
      'Find what is in the way with win-hcn ls networks -o wide and Get-VMSwitch; remove it, or change "name".',
  },
  {
    hresult: 0x803b0011,
    symbol: 'HCN_E_LAYER_ALREADY_EXISTS',
    text: 'A network with this name already exists',
    cause: 'Something is left in the virtual switch of a network that was deleted.',
    remedy:
      'When win-hcn ls networks shows no network of this name, drain the node and clear what is left with Restart-Service hns, or change "name".',
  },
  {
    hresult: 0x803b0018,
    symbol: 'HCN_E_SHARED_SWITCH_MODIFICATION',
    text: 'Cannot modify a switch shared by multiple networks',
    cause: 'Another network is on the same adapter, and this one asks for other settings of their switch.',
    remedy:
      'See with win-hcn ls networks which of them are on the adapter; use the same "networkFlags" and "networkPolicies", or another "adapter".',
  },
  {
    hresult: 0x803b001f,
    symbol: 'HCN_E_SWITCH_EXTENSION_NOT_FOUND',
    text: 'The specified switch extension does not exist on this switch',
    cause: 'A VSwitchExtension policy names an extension that the virtual switch does not have.',
    remedy:
      'Look at Get-VMSwitch | Get-VMSwitchExtension, and correct or remove the VSwitchExtension policy in "networkPolicies".',
  },
  {
    hresult: 0x803b002a,
    symbol: 'HCN_E_ICS_DISABLED',
    text: 'Internet Connection Sharing service (SharedAccess) is disabled and cannot be started',
    cause:
      'An ICS network needs the service SharedAccess, which is disabled on this node, often by a policy.',
    remedy: 'Enable it with Set-Service SharedAccess -StartupType Manual, or take "networkType": "NAT".',
  },
  {
    hresult: 0x803b002c,
    symbol: 'HCN_E_ENTITY_HAS_REFERENCES',
    text: 'The specified entity cannot be removed while it still has references',
    cause: 'A network that is to be deleted has endpoints, or an endpoint has a load balancer.',
    remedy:
      'Delete what uses it first: win-hcn show network NAME shows the endpoints of a network, win-hcn show endpoint ID the load balancers of an endpoint.',
  },
  {
    hresult: 0x803b0030,
    symbol: 'HCN_E_INVALID_PREFIX',
    text: 'The prefix provided is invalid',
    cause: 'A subnet or a route has a prefix that HNS does not take, as one with bits behind its length.',
    remedy:
      'Write the prefixes of "subnets", "sdnRoutes" and "networkPolicies" with their first address, as 10.244.1.0/24, and compare with win-hcn ls networks.',
  },
  {
    hresult: 0x803b0032,
    symbol: 'HCN_E_INVALID_SUBNET',
    text: 'The provided subnet configuration is invalid or missing parameters',
    cause: 'A subnet lacks what its type of network needs, such as a gateway, or has what it cannot have.',
    remedy:
      'Check "gateway", "vsid" and "vlan" of each of "subnets"; win-hcn ls networks on a node that works shows what HNS takes.',
  },
  {
    hresult: 0x803b0033,
    symbol: 'HCN_E_INVALID_IP_SUBNET',
    text: 'The provided IP subnet configuration is invalid or missing parameters',
    cause: 'HNS cannot make the range of addresses within a subnet, as when two of them overlap.',
    remedy:
      'Make the prefixes of "subnets" disjoint from each other and from those of the same adapter, which win-hcn ls networks shows.',
  },
  {
    hresult: 0x803b0037,
    symbol: 'HCN_E_VFP_NOT_ALLOWED',
    text: 'A network of this type can not be created because VFP is not available',
    cause: 'The type needs VFP, the programmable switch, which a client edition of Windows does not have.',
    remedy: 'Use a Windows Server, or "networkType": "NAT"; Get-Service vfpext says whether VFP is there.',
  },
];
