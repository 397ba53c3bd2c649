import { freeHostPort, type HresultMeaning, recreatePod, restartHns, showLog, textOnly } from './meaning.ts';
import type { HresultSymbol } from './numbers.ts';

/** Endpoints, their addresses, policies and namespaces, and the request itself: https://learn.microsoft.com/virtualization/api/hcn/reference/hcnhresult */
export const endpointTexts = {
  HCN_E_ENDPOINT_NOT_FOUND: {
    text: 'The endpoint was not found',
    cause: 'The endpoint was deleted, or HNS lost it in a restart.',
    remedy: `The runtime retries. If it fails again, see what HNS does: ${showLog}.`,
  },
  HCN_E_PORT_NOT_FOUND: {
    text: 'The switch-port was not found',
    cause: "An endpoint, usually a load balancer's backend, has no port on the virtual switch.",
    remedy: 'Run win-hcn ls endpoints --remote, and recreate the endpoint that is missing or Detached.',
  },
  HCN_E_INVALID_ENDPOINT: {
    text: 'The provided endpoint configuration is invalid or missing parameters',
    cause: 'The endpoint names another network, or this Windows build requires more settings.',
    remedy:
      'Remove "endpointPolicies" and "dns" one at a time; compare with win-hcn show endpoint ID on a working node.',
  },
  HCN_E_INVALID_REMOTE_ENDPOINT_OPERATION: textOnly(
    'This requested operation is invalid for a remote endpoint',
  ),
  HCN_E_ENDPOINT_ALREADY_ATTACHED: {
    text: 'This endpoint is already attached to the switch',
    cause: 'An earlier request attached the endpoint, but its caller got no response.',
    remedy: `${recreatePod}`,
  },
  HCN_E_DEGRADED_OPERATION: {
    text: 'There was an operation attempted on a degraded object',
    // projectcalico/felix#2893, containerd/containerd#5729
    cause: 'HNS could not apply the endpoint or network in full: "Endpoint is in invalid state".',
    remedy: `${recreatePod} If new endpoints fail too, correct the policy that ${showLog} names, or ${restartHns}.`,
  },
  HCN_E_ENDPOINT_SHARING_DISABLED: textOnly('Endpoint sharing is disabled'),
  HCN_E_INVALID_IP: {
    text: 'IP address is either invalid or not part of any configured subnet(s)',
    cause: "The IPAM plugin assigned an address outside the network's subnets.",
    remedy: "Change the IPAM plugin's subnet: win-hcn ls networks shows those of the network.",
  },
  HCN_E_ENDPOINT_NAMESPACE_ALREADY_EXISTS: {
    text: 'This requested operation is invalid as endpoint is already part of a network namespace',
    cause: "The endpoint is already attached to this pod's or another pod's namespace.",
    remedy: 'Delete that pod first: win-hcn show endpoint ID shows it.',
  },
  HCN_E_NAMESPACE_ATTACH_FAILED: {
    text: 'The requested operation for attach namespace failed',
    cause:
      'HNS cannot apply a policy of the endpoint; on Windows Server 2019 also if it was attached before.',
    remedy: `Check "acls", "outboundNat", "sdnRoutes" and "endpointPolicies". ${recreatePod}`,
  },
  HCN_E_ADDR_INVALID_OR_RESERVED: {
    text: 'An address provided is invalid or reserved',
    cause:
      'The gateway, a leftover or a remote endpoint of kube-proxy has the address, or the subnet is full.',
    remedy:
      'Find the owner: win-hcn show ip ADDRESS. Delete leftovers: win-hcn gc --yes, and --other-plugins for those of other plugins. If pods use all addresses, use a larger subnet.',
  },
  HCN_E_ENDPOINT_NOT_ATTACHED: {
    text: 'The endpoint must be attached to complete the operation',
    cause: 'The endpoint was detached, for example because its container exited or HNS stopped.',
    remedy: `${recreatePod}`,
  },
  HCN_E_ENDPOINT_NOT_LOCAL: textOnly('The endpoint must be local to complete the operation'),
  HCN_E_POLICY_NOT_FOUND: {
    text: 'An expected policy was not found',
    cause: 'The policy or load balancer to change does not exist.',
    remedy: 'Run win-hcn ls services and win-hcn show endpoint ID to check, and apply it again.',
  },
  HCN_E_VFP_PORTSETTING_NOT_FOUND: {
    text: 'A required VFP port setting was not found',
    cause: "The Virtual Filtering Platform (VFP) is not running, or lost the endpoint's port.",
    remedy: `Run Get-Service vfpext. ${recreatePod}`,
  },
  HCN_E_INVALID_POLICY: {
    text: 'The provided policy configuration is invalid or missing parameters',
    cause: 'This Windows build refuses a value of a policy or port mapping, or two policies conflict.',
    remedy: `Remove "acls", "outboundNat", "sdnRoutes", "endpointPolicies", "networkPolicies" and port mappings one at a time, and read the log: ${showLog}.`,
  },
  HCN_E_INVALID_POLICY_TYPE: {
    text: 'Invalid policy type',
    cause: 'This Windows build does not support the policy type on this object.',
    remedy: 'Remove it from "endpointPolicies" or "networkPolicies", or update Windows.',
  },
  HCN_E_POLICY_ALREADY_EXISTS: {
    text: 'Policy information already exists on this object',
    cause: 'Two keys request the same policy, or the object already has it.',
    remedy:
      'Remove the duplicate from "endpointPolicies" or "networkPolicies"; win-hcn show shows the existing policies.',
  },
  HCN_E_PORT_ALREADY_EXISTS: {
    text: 'The specified port already exists',
    cause: 'An endpoint, a load balancer or a port reservation uses the host port.',
    remedy: freeHostPort,
  },
  HCN_E_MAPPING_NOT_SUPPORTED: {
    text: 'Port mapping is not supported on the given network',
    cause: 'Networks of this type do not support host ports.',
    remedy: 'Remove the host port, or use an L2Bridge, Overlay or NAT network.',
  },
  HCN_E_INVALID_INTERNAL_PORT: textOnly('The internal port must exist and cannot be zero'),
  HCN_INTERFACEPARAMETERS_ALREADY_APPLIED: textOnly('Cannot apply more than one InterfaceParameters policy'),
  HCN_E_REQUEST_UNSUPPORTED: {
    text: 'The specified request is unsupported',
    cause: 'A container is running in the namespace, or this Windows build does not support the request.',
    remedy: `Stop the pod first: crictl stopp ID. win-hcn show namespace ID shows its containers. If none is running, ${restartHns}.`,
  },
  HCN_E_GUID_CONVERSION_FAILURE: textOnly('Failed to interpret a parameter as a GUID'),
  HCN_E_REGKEY_FAILURE: textOnly('Failed to process registry key'),
  HCN_E_INVALID_JSON: {
    text: 'Invalid JSON document string',
    cause: 'This Windows build does not recognize the key in double braces, or expects another type.',
    remedy:
      'Remove that key from the configuration. If it has none, report a bug with this message and the build (cmd /c ver).',
  },
  HCN_E_INVALID_JSON_REFERENCE: textOnly('The reference is invalid in the JSON document'),
  HCN_E_OBJECT_USED_AFTER_UNLOAD: {
    text: 'A call was performed against an object that was torn down',
    cause: 'The object was deleted, or HNS restarted, during this request.',
    remedy: 'Retry. win-hcn ls shows which objects exist.',
  },
} satisfies Readonly<Partial<Record<HresultSymbol, HresultMeaning>>>;
