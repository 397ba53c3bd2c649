import { type HresultMeaning, installContainers, notRunning, restartHns, textOnly } from './meaning.ts';
import type { HresultSymbol } from './numbers.ts';

/** Networks, their subnets and adapters, and the parts of HNS: https://learn.microsoft.com/virtualization/api/hcn/reference/hcnhresult */
export const networkTexts = {
  HCN_E_NETWORK_NOT_FOUND: {
    text: 'The network was not found',
    cause: 'The network was deleted, or HNS lost it in a restart.',
    remedy:
      'List the networks: win-hcn ls networks. With "createNetwork": "ifMissing", the next ADD creates it.',
  },
  HCN_E_LAYER_NOT_FOUND: {
    text: "The network's underlying layer was not found",
    cause: "The network's layer in the virtual switch is missing.",
    remedy: 'When no pod uses the network, run win-hcn network delete NAME --yes; the next ADD creates it.',
  },
  HCN_E_SWITCH_NOT_FOUND: {
    text: 'The virtual switch was not found',
    cause: "The network's virtual switch was removed: manually, by Hyper-V, or with its adapter.",
    remedy:
      'Compare Get-VMSwitch with win-hcn ls networks; delete a network without a switch: win-hcn network delete NAME --yes. The next ADD creates both.',
  },
  HCN_E_SUBNET_NOT_FOUND: {
    text: 'The network does not have a subnet for this endpoint',
    cause: "The network has no subnet of the address's family.",
    remedy: 'Add one to "subnets"; win-hcn ls networks shows those of the network.',
  },
  HCN_E_ADAPTER_NOT_FOUND: {
    text: 'An adapter was not found',
    cause: 'The adapter has another name, is down, or belongs to another virtual switch.',
    remedy:
      'Compare "adapter" with Get-NetAdapter -Physical, and Get-NetAdapterBinding -ComponentID vms_pp. HNS may take up to 70 s to release the adapter of a deleted network.',
  },
  HCN_E_INVALID_NETWORK: {
    text: 'The provided network configuration is invalid or missing parameters',
    cause:
      'This Windows build does not support this combination of network type, subnets, flags and policies.',
    remedy: 'Check "networkType", "subnets", "networkFlags" and "networkPolicies".',
  },
  HCN_E_INVALID_NETWORK_TYPE: {
    text: 'Invalid network type',
    cause: 'This Windows build does not support the network type, or lacks a feature.',
    remedy: `Use another "networkType", or run ${installContainers}.`,
  },
  HCN_E_NETWORK_ALREADY_EXISTS: {
    text: 'A network with this name already exists',
    cause: 'A network with this ID, or a virtual switch with this name, exists but is not listed.',
    remedy:
      'Find the conflict with win-hcn ls networks -o wide and Get-VMSwitch. Remove it, or change "name".',
  },
  HCN_E_LAYER_ALREADY_EXISTS: {
    text: 'A network with this name already exists',
    cause: 'The layer of a deleted network still exists in the virtual switch.',
    remedy: `If win-hcn ls networks does not show the network, ${restartHns}, or change "name".`,
  },
  HCN_E_SHARED_SWITCH_MODIFICATION: {
    text: 'Cannot modify a switch shared by multiple networks',
    cause: 'Another network on the adapter has other settings for the shared switch.',
    remedy:
      'Find it with win-hcn ls networks. Use its "networkFlags" and "networkPolicies", or another "adapter".',
  },
  HCN_E_SWITCH_EXTENSION_NOT_FOUND: textOnly('The specified switch extension does not exist on this switch'),
  HCN_E_ICS_DISABLED: {
    text: 'Internet Connection Sharing service (SharedAccess) is disabled and cannot be started',
    cause: 'ICS needs the SharedAccess service, which is disabled, often by Group Policy.',
    remedy: 'Run Set-Service SharedAccess -StartupType Manual, or use "networkType": "NAT".',
  },
  HCN_E_ENTITY_HAS_REFERENCES: {
    text: 'The specified entity cannot be removed while it still has references',
    cause: 'The network has endpoints, or a load balancer uses the endpoint.',
    remedy: 'Delete these first: win-hcn show network NAME or win-hcn show endpoint ID lists them.',
  },
  HCN_E_INVALID_PREFIX: {
    text: 'The prefix provided is invalid',
    cause: 'HNS refuses a prefix of a subnet or route, for example because host bits are set.',
    remedy: 'In "subnets", "sdnRoutes" and "networkPolicies", write prefixes such as 10.244.1.0/24.',
  },
  HCN_E_INVALID_SUBNET: {
    text: 'The provided subnet configuration is invalid or missing parameters',
    cause: 'A subnet lacks a setting of its network type, such as a gateway, or has one too many.',
    remedy:
      'Check "gateway", "vsid" and "vlan" in "subnets"; compare with win-hcn ls networks on a working node.',
  },
  HCN_E_INVALID_IP_SUBNET: textOnly('The provided IP subnet configuration is invalid or missing parameters'),
  HCN_E_VFP_NOT_ALLOWED: {
    text: 'A network of this type can not be created because VFP is not available',
    cause:
      'The network type requires the Virtual Filtering Platform (VFP), which client editions of Windows lack.',
    remedy: 'Use Windows Server, or "networkType": "NAT".',
  },
  GCN_E_MODULE_NOT_FOUND: textOnly('Operation cannot be performed while service module not found'),
  GCN_E_NO_REQUEST_HANDLERS: textOnly('Request Handlers not present to handle the JSON request'),
  GCN_E_REQUEST_UNSUPPORTED: textOnly('The specified request is unsupported'),
  GCN_E_RUNTIMEKEYS_FAILED: textOnly('Add runtime keys to container failed'),
  GCN_E_NETADAPTER_TIMEOUT: textOnly('Timeout while waiting for network adapter with the given instance id'),
  GCN_E_NETADAPTER_NOT_FOUND: textOnly('Network adapter not found for the given instance id'),
  GCN_E_NETCOMPARTMENT_NOT_FOUND: textOnly('Network compartment not found for the given id'),
  GCN_E_NETINTERFACE_NOT_FOUND: textOnly('Network interface not found for the given id'),
  GCN_E_DEFAULTNAMESPACE_EXISTS: textOnly('Default Namespace already exists'),
  HCN_E_MANAGER_STOPPED: {
    text: 'Operation cannot be performed while service is stopping',
    service: notRunning,
    cause: 'HNS is stopping, for example for an update.',
    remedy: 'Run Start-Service hns when Get-Service hns shows Stopped.',
  },
} satisfies Readonly<Partial<Record<HresultSymbol, HresultMeaning>>>;
