import { type Hresult, showLog } from './hresult.ts';

const freeHostPort =
  'Look for the host port in win-hcn ls loadbalancers, in the policies that Get-HnsEndpoint shows, in Get-NetTCPConnection -LocalPort PORT (or Get-NetUDPEndpoint), and in netsh interface ipv4 show excludedportrange tcp (or udp); free it, or take another.';

/**
 * Policies and port mappings: https://learn.microsoft.com/virtualization/api/hcn/reference/hcnhresult, and for
 * ERROR_SHARING_VIOLATION docker/for-win#2213 and docker/for-win#3893.
 */
export const policyHresults: readonly Hresult[] = [
  {
    hresult: 0x803b0008,
    symbol: 'HCN_E_POLICY_NOT_FOUND',
    text: 'An expected policy was not found',
    cause: 'A policy or load balancer that was to be changed or removed is gone.',
    remedy:
      'See what is there with win-hcn ls loadbalancers and win-hcn show endpoint ID, and apply the load balancer again.',
  },
  {
    hresult: 0x803b0009,
    symbol: 'HCN_E_VFP_PORTSETTING_NOT_FOUND',
    text: 'A required VFP port setting was not found',
    cause:
      "VFP, the programmable switch, does not know the endpoint's port: it is not running, or the port just went.",
    remedy: 'See that VFP runs with Get-Service vfpext, then DEL and ADD.',
  },
  {
    hresult: 0x803b000d,
    symbol: 'HCN_E_INVALID_POLICY',
    text: 'The provided policy configuration is invalid or missing parameters',
    cause:
      'A policy or a port mapping has a value that this Windows does not take, or two of them do not go together.',
    remedy: `Check "acls", "outboundNat", "sdnRoutes", "endpointPolicies", "networkPolicies" and the port mappings; leave out one at a time to see which it is, and look at ${showLog}.`,
  },
  {
    hresult: 0x803b000e,
    symbol: 'HCN_E_INVALID_POLICY_TYPE',
    text: 'Invalid policy type',
    cause: 'This Windows does not know the type of a policy, or not on this kind of object.',
    remedy:
      'Take the type out of "endpointPolicies" or "networkPolicies", or update this Windows: cmd /c ver shows its build.',
  },
  {
    hresult: 0x803b0012,
    symbol: 'HCN_E_POLICY_ALREADY_EXISTS',
    text: 'Policy information already exists on this object',
    cause: 'Two keys of the configuration ask for the same policy, or the object has it from before.',
    remedy:
      'Take what other keys ask for out of "endpointPolicies" and "networkPolicies"; win-hcn show endpoint ID or win-hcn show network NAME shows what is there.',
  },
  {
    hresult: 0x803b0013,
    symbol: 'HCN_E_PORT_ALREADY_EXISTS',
    text: 'The specified port already exists',
    cause:
      'Another endpoint, a load balancer or a reservation of Windows has the host port with this protocol.',
    remedy: freeHostPort,
  },
  {
    hresult: 0x80070020,
    symbol: 'ERROR_SHARING_VIOLATION',
    text: 'The process cannot access the file because it is being used by another process',
    cause:
      'Usually on a NAT network: another endpoint, a process on the node or a port reservation of Windows holds the host port.',
    remedy: freeHostPort,
  },
  {
    hresult: 0x803b0016,
    symbol: 'HCN_E_MAPPING_NOT_SUPPORTED',
    text: 'Port mapping is not supported on the given network',
    cause: 'The pod has a host port, and networks of this type have no port mappings.',
    remedy:
      'Take the host port out of the pod, or use an L2Bridge, Overlay or NAT network; win-hcn ls networks shows the type of this one.',
  },
  {
    hresult: 0x803b002d,
    symbol: 'HCN_E_INVALID_INTERNAL_PORT',
    text: 'The internal port must exist and cannot be zero',
    cause: 'A PortMapping policy of the configuration has no InternalPort.',
    remedy: 'Give each PortMapping in "endpointPolicies" an InternalPort from 1 to 65535.',
  },
  {
    hresult: 0x803b0036,
    symbol: 'HCN_INTERFACEPARAMETERS_ALREADY_APPLIED',
    text: 'Cannot apply more than one InterfaceParameters policy',
    cause: 'The endpoint has an InterfaceParameters policy, and a second one is to be added.',
    remedy: 'Leave one InterfaceParameters policy in "endpointPolicies", then DEL and ADD.',
  },
  {
    hresult: 0x800700b7,
    symbol: 'ERROR_ALREADY_EXISTS',
    text: 'Cannot create a file when that file already exists',
    cause:
      'Another load balancer has the same address, port and protocol, or an earlier call that seemed to fail made this object.',
    remedy:
      'There is one with this id, or another load balancer has this frontend: find it with win-hcn ls loadbalancers, and delete it with win-hcn loadbalancer delete ID --yes if nobody uses it.',
  },
];
