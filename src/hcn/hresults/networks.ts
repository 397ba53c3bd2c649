import { type HresultMeaning, notRunning, recreatePod, restartHns } from './meaning.ts';
import type { HresultSymbol } from './numbers.ts';

/** Networks, their subnets and adapters, and the parts of HNS: https://learn.microsoft.com/virtualization/api/hcn/reference/hcnhresult */
export const networkTexts = {
  HCN_E_NETWORK_NOT_FOUND: {
    text: 'The network was not found',
    cause: 'The network was deleted, or HNS lost it in a restart, during this request.',
    remedy:
      'Run win-hcn ls networks to list the networks. With "createNetwork": "ifMissing", the next ADD creates the network.',
  },
  HCN_E_LAYER_NOT_FOUND: {
    text: "The network's underlying layer was not found",
    cause: 'HNS has the network, but its layer in the virtual switch is missing.',
    remedy:
      'When no pod uses the network, delete it with win-hcn network delete NAME --yes; the next ADD creates it.',
  },
  HCN_E_SWITCH_NOT_FOUND: {
    text: 'The virtual switch was not found',
    cause: "The network's virtual switch was removed: manually, by Hyper-V, or together with its adapter.",
    remedy:
      'Compare Get-VMSwitch with win-hcn ls networks; delete a network without a switch with win-hcn network delete NAME --yes. The next ADD creates both.',
  },
  HCN_E_SUBNET_NOT_FOUND: {
    text: 'The network does not have a subnet for this endpoint',
    cause:
      "The network has no subnet of the endpoint's address family, for example an IPv6 address on an IPv4 network.",
    remedy:
      'Add a subnet of the address family that the IPAM plugin assigns: compare "subnets" with win-hcn ls networks.',
  },
  HCN_E_ADAPTER_NOT_FOUND: {
    text: 'An adapter was not found',
    cause: 'The adapter has another name, is down, or belongs to another virtual switch.',
    remedy:
      'Check "adapter" against Get-NetAdapter -Physical: the adapter must be up and in no other switch (Get-NetAdapterBinding -ComponentID vms_pp). HNS may take up to 70 s to release the adapter of a deleted network.',
  },
  HCN_E_INVALID_NETWORK: {
    text: 'The provided network configuration is invalid or missing parameters',
    cause:
      'This version of Windows does not support this combination of network type, subnets, flags and policies.',
    remedy:
      'Check "networkType", "subnets", "networkFlags" and "networkPolicies". cmd /c ver shows the Windows build.',
  },
  HCN_E_INVALID_NETWORK_TYPE: {
    text: 'Invalid network type',
    cause:
      'This version of Windows does not support the network type, or the required feature is not installed.',
    remedy:
      'Use another "networkType", or run Enable-WindowsOptionalFeature -Online -FeatureName Containers.',
  },
  HCN_E_NETWORK_ALREADY_EXISTS: {
    text: 'A network with this name already exists',
    cause:
      'A network with this ID or a virtual switch with this name exists, but HNS does not list the network.',
    remedy:
      'Find the conflict with win-hcn ls networks -o wide and Get-VMSwitch. Remove it, or change "name".',
  },
  HCN_E_LAYER_ALREADY_EXISTS: {
    text: 'A network with this name already exists',
    cause: 'The layer of a deleted network still exists in the virtual switch.',
    remedy: `If win-hcn ls networks shows no network with this name, ${restartHns}, or change "name".`,
  },
  HCN_E_SHARED_SWITCH_MODIFICATION: {
    text: 'Cannot modify a switch shared by multiple networks',
    cause: 'Another network on the same adapter uses other settings for the shared switch.',
    remedy:
      'Find that network with win-hcn ls networks. Use the same "networkFlags" and "networkPolicies", or another "adapter".',
  },
  HCN_E_SWITCH_EXTENSION_NOT_FOUND: {
    text: 'The specified switch extension does not exist on this switch',
    cause: 'A VSwitchExtension policy names an extension that the virtual switch does not have.',
    remedy:
      'List the extensions with Get-VMSwitch | Get-VMSwitchExtension, and correct or remove the VSwitchExtension policy in "networkPolicies".',
  },
  HCN_E_ICS_DISABLED: {
    text: 'Internet Connection Sharing service (SharedAccess) is disabled and cannot be started',
    cause:
      'An ICS network needs the SharedAccess service, which is disabled on this node, often by Group Policy.',
    remedy: 'Enable it with Set-Service SharedAccess -StartupType Manual, or use "networkType": "NAT".',
  },
  HCN_E_ENTITY_HAS_REFERENCES: {
    text: 'The specified entity cannot be removed while it still has references',
    cause: 'The network still has endpoints, or a load balancer still uses the endpoint.',
    remedy:
      'Delete these first. win-hcn show network NAME lists the endpoints of a network; win-hcn show endpoint ID lists the load balancers of an endpoint.',
  },
  HCN_E_INVALID_PREFIX: {
    text: 'The prefix provided is invalid',
    cause: 'HNS does not accept the prefix of a subnet or route, for example because host bits are set.',
    remedy:
      'In "subnets", "sdnRoutes" and "networkPolicies", write each prefix with its network address, such as 10.244.1.0/24. Compare with win-hcn ls networks.',
  },
  HCN_E_INVALID_SUBNET: {
    text: 'The provided subnet configuration is invalid or missing parameters',
    cause:
      'A subnet lacks a setting that its network type requires, such as a gateway, or has one that the type does not allow.',
    remedy:
      'Check "gateway", "vsid" and "vlan" of each subnet in "subnets"; compare with win-hcn ls networks on a working node.',
  },
  HCN_E_INVALID_IP_SUBNET: {
    text: 'The provided IP subnet configuration is invalid or missing parameters',
    cause: 'HNS cannot create the address range within a subnet, for example because two ranges overlap.',
    remedy:
      'Make sure that the prefixes in "subnets" do not overlap each other or those of other networks on the adapter (win-hcn ls networks).',
  },
  HCN_E_VFP_NOT_ALLOWED: {
    text: 'A network of this type can not be created because VFP is not available',
    cause:
      'The network type requires the Virtual Filtering Platform (VFP), which client editions of Windows do not have.',
    remedy: 'Use Windows Server, or "networkType": "NAT". Get-Service vfpext shows whether VFP is installed.',
  },
  GCN_E_MODULE_NOT_FOUND: {
    text: 'Operation cannot be performed while service module not found',
    cause: 'A part of HNS is not loaded: its feature is not installed, or an update is not complete.',
    remedy:
      'Run Get-WindowsOptionalFeature -Online -FeatureName Containers to check the feature. Restart the node if an update is pending.',
  },
  GCN_E_NO_REQUEST_HANDLERS: {
    text: 'Request Handlers not present to handle the JSON request',
    cause: 'The HNS component that handles this request is not registered yet, or has stopped.',
    remedy: `Retry in a minute; if it fails again, ${restartHns}.`,
  },
  GCN_E_REQUEST_UNSUPPORTED: {
    text: 'The specified request is unsupported',
    cause: 'The version of Windows in the Hyper-V isolated pod does not support the request.',
    remedy:
      "Use an image with the node's Windows build (cmd /c ver), or remove the policy that the image does not support.",
  },
  GCN_E_RUNTIMEKEYS_FAILED: {
    text: 'Add runtime keys to container failed',
    cause: 'HNS could not write network settings to a container that was starting or stopping.',
    remedy: `${recreatePod} crictl pods shows whether it still exists.`,
  },
  GCN_E_NETADAPTER_TIMEOUT: {
    text: 'Timeout while waiting for network adapter with the given instance id',
    cause: "The pod's adapter did not appear in time: the node is overloaded, or the container has exited.",
    remedy: 'Retry when the node is less busy; Get-NetAdapter -IncludeHidden shows the adapters.',
  },
  GCN_E_NETADAPTER_NOT_FOUND: {
    text: 'Network adapter not found for the given instance id',
    cause: "The endpoint's adapter was removed together with its container.",
    remedy: 'Delete the pod. Get-NetAdapter -IncludeHidden shows the remaining adapters.',
  },
  GCN_E_NETCOMPARTMENT_NOT_FOUND: {
    text: 'Network compartment not found for the given id',
    cause: "The namespace's compartment was removed with its last container, or does not exist yet.",
    remedy: `${recreatePod} Get-NetCompartment shows the compartments.`,
  },
  GCN_E_NETINTERFACE_NOT_FOUND: {
    text: 'Network interface not found for the given id',
    cause: "The endpoint's interface is not in its compartment.",
    remedy: `${recreatePod} Get-NetIPInterface -IncludeAllCompartments shows the interfaces.`,
  },
  GCN_E_DEFAULTNAMESPACE_EXISTS: {
    text: 'Default Namespace already exists',
    cause: 'Another program tried to create a second default namespace. win-hcn never creates one.',
    remedy: 'Find the program; win-hcn ls namespaces shows the namespaces and their types.',
  },
  HCN_E_MANAGER_STOPPED: {
    text: 'Operation cannot be performed while service is stopping',
    service: notRunning,
    cause: 'HNS is stopping, for example for a restart or an update.',
    remedy: 'Run Start-Service hns when Get-Service hns shows Stopped.',
  },
} satisfies Readonly<Partial<Record<HresultSymbol, HresultMeaning>>>;
