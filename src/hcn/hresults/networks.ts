import type { HresultMeaning } from './meaning.ts';

/** Networks, their subnets and adapters, and the parts of HNS: https://learn.microsoft.com/virtualization/api/hcn/reference/hcnhresult */
export const networkHresults = {
  HCN_E_NETWORK_NOT_FOUND: {
    hresult: 0x803b0001,
    text: 'The network was not found',
    cause: 'Somebody deleted the network, or HNS lost it in a restart, after this request had found it.',
    remedy:
      'See what is left with win-hcn ls networks; the next ADD creates the network, with "createNetwork": "ifMissing".',
  },
  HCN_E_LAYER_NOT_FOUND: {
    hresult: 0x803b0003,
    text: "The network's underlying layer was not found",
    cause: 'HNS has the network, but no longer what it lies on in the virtual switch.',
    remedy:
      'Once no pod uses the network, delete it with win-hcn network delete NAME --yes; the next ADD creates it anew.',
  },
  HCN_E_SWITCH_NOT_FOUND: {
    hresult: 0x803b0004,
    text: 'The virtual switch was not found',
    cause: "The network's virtual switch was removed by hand, by Hyper-V or together with its adapter.",
    remedy:
      'Compare Get-VMSwitch with win-hcn ls networks; a network without its switch is deleted with win-hcn network delete NAME --yes, and the next ADD creates both.',
  },
  HCN_E_SUBNET_NOT_FOUND: {
    hresult: 0x803b0005,
    text: 'The network does not have a subnet for this endpoint',
    cause:
      'The endpoint has an address of a family that the network has no subnet of, as IPv6 on an IPv4 one.',
    remedy:
      'Give the network a subnet of the address family that the IPAM plugin assigns: compare "subnets" with win-hcn ls networks.',
  },
  HCN_E_ADAPTER_NOT_FOUND: {
    hresult: 0x803b0006,
    text: 'An adapter was not found',
    cause: 'The adapter has another name, is down, or belongs to another virtual switch already.',
    remedy:
      'Check "adapter" against Get-NetAdapter -Physical: it must be up, and in no other switch, as Get-NetAdapterBinding -ComponentID vms_pp shows.',
  },
  HCN_E_INVALID_NETWORK: {
    hresult: 0x803b000a,
    text: 'The provided network configuration is invalid or missing parameters',
    cause: 'Type, subnets, flags and policies of the network do not go together on this Windows.',
    remedy:
      'Check "networkType", "subnets", "networkFlags" and "networkPolicies" against what this Windows (cmd /c ver) supports.',
  },
  HCN_E_INVALID_NETWORK_TYPE: {
    hresult: 0x803b000b,
    text: 'Invalid network type',
    cause: 'This Windows has no networks of the type, or lacks the feature they come with.',
    remedy:
      'Take another "networkType", or install the feature: Get-WindowsOptionalFeature -Online -FeatureName Containers says whether it is there.',
  },
  HCN_E_NETWORK_ALREADY_EXISTS: {
    hresult: 0x803b0010,
    text: 'A network with this name already exists',
    cause:
      'A network of this id or a virtual switch of this name is there, though HNS lists no such network.',
    remedy:
      'Find what is in the way with win-hcn ls networks -o wide and Get-VMSwitch; remove it, or change "name".',
  },
  HCN_E_LAYER_ALREADY_EXISTS: {
    hresult: 0x803b0011,
    text: 'A network with this name already exists',
    cause: 'Something is left in the virtual switch of a network that was deleted.',
    remedy:
      'When win-hcn ls networks shows no network of this name, drain the node and clear what is left with Restart-Service hns, or change "name".',
  },
  HCN_E_SHARED_SWITCH_MODIFICATION: {
    hresult: 0x803b0018,
    text: 'Cannot modify a switch shared by multiple networks',
    cause: 'Another network is on the same adapter, and this one asks for other settings of their switch.',
    remedy:
      'See with win-hcn ls networks which of them are on the adapter; use the same "networkFlags" and "networkPolicies", or another "adapter".',
  },
  HCN_E_SWITCH_EXTENSION_NOT_FOUND: {
    hresult: 0x803b001f,
    text: 'The specified switch extension does not exist on this switch',
    cause: 'A VSwitchExtension policy names an extension that the virtual switch does not have.',
    remedy:
      'Look at Get-VMSwitch | Get-VMSwitchExtension, and correct or remove the VSwitchExtension policy in "networkPolicies".',
  },
  HCN_E_ICS_DISABLED: {
    hresult: 0x803b002a,
    text: 'Internet Connection Sharing service (SharedAccess) is disabled and cannot be started',
    cause:
      'An ICS network needs the service SharedAccess, which is disabled on this node, often by a policy.',
    remedy: 'Enable it with Set-Service SharedAccess -StartupType Manual, or take "networkType": "NAT".',
  },
  HCN_E_ENTITY_HAS_REFERENCES: {
    hresult: 0x803b002c,
    text: 'The specified entity cannot be removed while it still has references',
    cause: 'A network that is to be deleted has endpoints, or an endpoint has a load balancer.',
    remedy:
      'Delete what uses it first: win-hcn show network NAME shows the endpoints of a network, win-hcn show endpoint ID the load balancers of an endpoint.',
  },
  HCN_E_INVALID_PREFIX: {
    hresult: 0x803b0030,
    text: 'The prefix provided is invalid',
    cause: 'A subnet or a route has a prefix that HNS does not take, as one with bits behind its length.',
    remedy:
      'Write the prefixes of "subnets", "sdnRoutes" and "networkPolicies" with their first address, as 10.244.1.0/24, and compare with win-hcn ls networks.',
  },
  HCN_E_INVALID_SUBNET: {
    hresult: 0x803b0032,
    text: 'The provided subnet configuration is invalid or missing parameters',
    cause: 'A subnet lacks what its type of network needs, such as a gateway, or has what it cannot have.',
    remedy:
      'Check "gateway", "vsid" and "vlan" of each of "subnets"; win-hcn ls networks on a node that works shows what HNS takes.',
  },
  HCN_E_INVALID_IP_SUBNET: {
    hresult: 0x803b0033,
    text: 'The provided IP subnet configuration is invalid or missing parameters',
    cause: 'HNS cannot make the range of addresses within a subnet, as when two of them overlap.',
    remedy:
      'Make the prefixes of "subnets" disjoint from each other and from those of the same adapter, which win-hcn ls networks shows.',
  },
  HCN_E_VFP_NOT_ALLOWED: {
    hresult: 0x803b0037,
    text: 'A network of this type can not be created because VFP is not available',
    cause: 'The type needs VFP, the programmable switch, which a client edition of Windows does not have.',
    remedy: 'Use a Windows Server, or "networkType": "NAT"; Get-Service vfpext says whether VFP is there.',
  },
  GCN_E_MODULE_NOT_FOUND: {
    hresult: 0x803b0021,
    text: 'Operation cannot be performed while service module not found',
    cause: 'A part of HNS is not loaded: its feature is not installed, or an update is not finished.',
    remedy:
      'Look at Get-WindowsOptionalFeature -Online -FeatureName Containers, and restart the node if an update waits for that.',
  },
  GCN_E_NO_REQUEST_HANDLERS: {
    hresult: 0x803b0022,
    text: 'Request Handlers not present to handle the JSON request',
    cause: 'The part of HNS that is to do this has not registered yet, or has ended.',
    remedy:
      'Run the request again in a minute; if that does not help, drain the node and run Restart-Service hns.',
  },
  GCN_E_REQUEST_UNSUPPORTED: {
    hresult: 0x803b0023,
    text: 'The specified request is unsupported',
    cause: 'The Windows within a Hyper-V isolated pod does not know what was asked for.',
    remedy:
      "Use an image of the node's own build, which cmd /c ver shows, or leave out the policy that this pod's Windows does not know.",
  },
  GCN_E_RUNTIMEKEYS_FAILED: {
    hresult: 0x803b0024,
    text: 'Add runtime keys to container failed',
    cause: "HNS could not write the network's settings into a container that starts or ends just then.",
    remedy: 'Delete the pod and let it be made anew; crictl pods shows whether it is still ending.',
  },
  GCN_E_NETADAPTER_TIMEOUT: {
    hresult: 0x803b0025,
    text: 'Timeout while waiting for network adapter with the given instance id',
    cause:
      "The pod's adapter did not appear in time: the node is overloaded, or the container ended meanwhile.",
    remedy:
      'Run the request again once the node has less to do; Get-NetAdapter -IncludeHidden shows what has appeared.',
  },
  GCN_E_NETADAPTER_NOT_FOUND: {
    hresult: 0x803b0026,
    text: 'Network adapter not found for the given instance id',
    cause: "The endpoint's adapter went with its container.",
    remedy: 'Run DEL for the pod that ended; Get-NetAdapter -IncludeHidden shows the adapters that are left.',
  },
  GCN_E_NETCOMPARTMENT_NOT_FOUND: {
    hresult: 0x803b0027,
    text: 'Network compartment not found for the given id',
    cause: "The namespace's compartment went with its last container, or its pod has none yet.",
    remedy: 'Delete the pod and let it be made anew; Get-NetCompartment shows the compartments there are.',
  },
  GCN_E_NETINTERFACE_NOT_FOUND: {
    hresult: 0x803b0028,
    text: 'Network interface not found for the given id',
    cause: "The endpoint's interface is not in its compartment, or not any more.",
    remedy:
      'Run DEL and then ADD; Get-NetIPInterface -IncludeAllCompartments shows the interfaces there are.',
  },
  GCN_E_DEFAULTNAMESPACE_EXISTS: {
    hresult: 0x803b0029,
    text: 'Default Namespace already exists',
    cause: 'A second default namespace was to be made, which win-hcn itself never asks for.',
    remedy: 'Find what makes it; win-hcn ls namespaces shows those there are, with their types.',
  },
  HCN_E_MANAGER_STOPPED: {
    hresult: 0x803b0020,
    text: 'Operation cannot be performed while service is stopping',
    cause: 'HNS is stopping, as in a restart or an update.',
    remedy: 'Wait until Get-Service hns says Running; Start-Service hns, if it stays Stopped.',
  },
} as const satisfies Readonly<Record<string, HresultMeaning>>;
