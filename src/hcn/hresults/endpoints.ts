import { freeHostPort, type HresultMeaning, recreatePod, restartHns, showLog, textOnly } from './meaning.ts';
import type { HresultSymbol } from './numbers.ts';

/** Endpoints, their addresses, policies and namespaces, and the request itself: https://learn.microsoft.com/virtualization/api/hcn/reference/hcnhresult */
export const endpointTexts = {
  HCN_E_ENDPOINT_NOT_FOUND: {
    text: 'The endpoint was not found',
    cause: 'The endpoint was deleted, or HNS lost it in a restart, during this request.',
    remedy:
      'The runtime retries. If it fails again, another program might be deleting endpoints: win-hcn ls endpoints shows the owners.',
  },
  HCN_E_PORT_NOT_FOUND: {
    text: 'The switch-port was not found',
    cause:
      "An endpoint in the request, usually a load balancer's backend, has no port on the virtual switch.",
    remedy:
      'Run win-hcn ls endpoints --remote, and recreate each endpoint of the request that is missing or Detached.',
  },
  HCN_E_INVALID_ENDPOINT: {
    text: 'The provided endpoint configuration is invalid or missing parameters',
    cause: 'The endpoint document names another network, or this version of Windows requires more settings.',
    remedy:
      'Remove "endpointPolicies" and "dns" one at a time to find the cause, and compare with win-hcn show endpoint ID on a working node.',
  },
  HCN_E_INVALID_REMOTE_ENDPOINT_OPERATION: textOnly(
    'This requested operation is invalid for a remote endpoint',
  ),
  HCN_E_ENDPOINT_ALREADY_ATTACHED: {
    text: 'This endpoint is already attached to the switch',
    cause: 'An earlier request attached the endpoint, but its caller did not get the response.',
    remedy: `${recreatePod} win-hcn ls endpoints shows the namespace.`,
  },
  HCN_E_DEGRADED_OPERATION: {
    text: 'There was an operation attempted on a degraded object',
    // projectcalico/felix#2893, containerd/containerd#5729
    cause:
      'HNS could not apply the endpoint or network in full, and refuses to attach or change it: "Endpoint is in invalid state".',
    remedy: `${recreatePod} If new endpoints fail too, find the failed policy with ${showLog} and correct it, or ${restartHns}.`,
  },
  HCN_E_ENDPOINT_SHARING_DISABLED: textOnly('Endpoint sharing is disabled'),
  HCN_E_INVALID_IP: {
    text: 'IP address is either invalid or not part of any configured subnet(s)',
    cause: "The IPAM plugin assigned an address outside the network's subnets.",
    remedy:
      "Change the IPAM plugin's subnet so that it is within the network's subnets: win-hcn ls networks shows them.",
  },
  HCN_E_ENDPOINT_NAMESPACE_ALREADY_EXISTS: {
    text: 'This requested operation is invalid as endpoint is already part of a network namespace',
    cause: "The endpoint is already attached to a namespace, this pod's or another pod's.",
    remedy:
      'Run win-hcn show endpoint ID to find the namespace and the container, and delete that pod first.',
  },
  HCN_E_NAMESPACE_ATTACH_FAILED: {
    text: 'The requested operation for attach namespace failed',
    cause:
      'HNS created the endpoint but cannot apply one of its policies. On Windows Server 2019, this also happens if the endpoint was attached before.',
    remedy: `Check the addresses and prefixes in "acls", "outboundNat", "sdnRoutes" and "endpointPolicies". ${recreatePod} win-hcn ls endpoints shows Degraded if a policy is not in effect.`,
  },
  HCN_E_ADDR_INVALID_OR_RESERVED: {
    text: 'An address provided is invalid or reserved',
    cause:
      'The address belongs to the gateway or to another endpoint: a leftover, or a remote endpoint that kube-proxy created. If HNS assigns the addresses, none is free.',
    remedy:
      'To delete leftovers, run win-hcn gc --yes; to include those of other plugins, add --other-plugins. If pods use all addresses, use a larger subnet. Run win-hcn show ip ADDRESS to find the owner of the address.',
  },
  HCN_E_ENDPOINT_NOT_ATTACHED: {
    text: 'The endpoint must be attached to complete the operation',
    cause:
      'The endpoint is no longer attached to its namespace, for example because its container exited or HNS stopped.',
    remedy: `${recreatePod} win-hcn ls endpoints shows Created or Detached for unattached endpoints.`,
  },
  HCN_E_ENDPOINT_NOT_LOCAL: textOnly('The endpoint must be local to complete the operation'),
  HCN_E_POLICY_NOT_FOUND: {
    text: 'An expected policy was not found',
    cause: 'The policy or load balancer to change or remove does not exist.',
    remedy:
      'Run win-hcn ls services and win-hcn show endpoint ID to check, and apply the load balancer again.',
  },
  HCN_E_VFP_PORTSETTING_NOT_FOUND: {
    text: 'A required VFP port setting was not found',
    cause:
      "The Virtual Filtering Platform (VFP) does not have the endpoint's port: VFP is not running, or the port was just removed.",
    remedy: `Run Get-Service vfpext to check that VFP is running. ${recreatePod}`,
  },
  HCN_E_INVALID_POLICY: {
    text: 'The provided policy configuration is invalid or missing parameters',
    cause:
      'This version of Windows does not accept a value of a policy or port mapping, or two policies conflict.',
    remedy: `Check "acls", "outboundNat", "sdnRoutes", "endpointPolicies", "networkPolicies" and the port mappings. Remove one at a time to find the cause, and read the log: ${showLog}.`,
  },
  HCN_E_INVALID_POLICY_TYPE: {
    text: 'Invalid policy type',
    cause: 'This version of Windows does not support the policy type, or not for this kind of object.',
    remedy:
      'Remove the policy from "endpointPolicies" or "networkPolicies", or update Windows: cmd /c ver shows its build.',
  },
  HCN_E_POLICY_ALREADY_EXISTS: {
    text: 'Policy information already exists on this object',
    cause: 'Two keys of the configuration request the same policy, or the object already has it.',
    remedy:
      'Remove the duplicate from "endpointPolicies" or "networkPolicies"; win-hcn show endpoint ID or win-hcn show network NAME shows the existing policies.',
  },
  HCN_E_PORT_ALREADY_EXISTS: {
    text: 'The specified port already exists',
    cause:
      'Another endpoint, a load balancer or a Windows port reservation already uses the host port with this protocol.',
    remedy: freeHostPort,
  },
  HCN_E_MAPPING_NOT_SUPPORTED: {
    text: 'Port mapping is not supported on the given network',
    cause: 'The pod has a host port, and networks of this type do not support port mappings.',
    remedy:
      'Remove the host port from the pod, or use an L2Bridge, Overlay or NAT network; win-hcn ls networks shows the type.',
  },
  HCN_E_INVALID_INTERNAL_PORT: textOnly('The internal port must exist and cannot be zero'),
  HCN_INTERFACEPARAMETERS_ALREADY_APPLIED: textOnly('Cannot apply more than one InterfaceParameters policy'),
  HCN_E_REQUEST_UNSUPPORTED: {
    text: 'The specified request is unsupported',
    cause:
      'A container is still running in the namespace, or this version of Windows does not support the request.',
    remedy: `Stop the pod first (crictl pods, crictl stopp ID); win-hcn show namespace ID shows its containers. If none is running, ${restartHns}.`,
  },
  HCN_E_GUID_CONVERSION_FAILURE: textOnly('Failed to interpret a parameter as a GUID'),
  HCN_E_REGKEY_FAILURE: textOnly('Failed to process registry key'),
  HCN_E_INVALID_JSON: {
    text: 'Invalid JSON document string',
    cause:
      'This version of Windows does not recognize a key of the document, or expects another type; the message has the key in double braces.',
    remedy:
      'Remove the key in double braces from the configuration. If the configuration does not have it, report a bug with this message and the build (cmd /c ver).',
  },
  HCN_E_INVALID_JSON_REFERENCE: textOnly('The reference is invalid in the JSON document'),
  HCN_E_OBJECT_USED_AFTER_UNLOAD: {
    text: 'A call was performed against an object that was torn down',
    cause: 'The object was deleted, or HNS restarted, while this request had it open.',
    remedy: 'Retry. win-hcn ls shows which objects still exist.',
  },
} satisfies Readonly<Partial<Record<HresultSymbol, HresultMeaning>>>;
