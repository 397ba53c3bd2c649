import { type Hresult, showLog } from './hresult.ts';

/** Endpoints, their addresses and namespaces: https://learn.microsoft.com/virtualization/api/hcn/reference/hcnhresult */
export const endpointHresults: readonly Hresult[] = [
  {
    hresult: 0x803b0002,
    symbol: 'HCN_E_ENDPOINT_NOT_FOUND',
    text: 'The endpoint was not found',
    cause:
      'Something deleted the endpoint, or HNS lost it in a restart, while this request was at work on it.',
    remedy:
      'Run ADD again; if it happens again, something else deletes endpoints: win-hcn ls endpoints shows who else makes some.',
  },
  {
    hresult: 0x803b0007,
    symbol: 'HCN_E_PORT_NOT_FOUND',
    text: 'The switch-port was not found',
    cause:
      'An endpoint of the request, as a rule one behind a load balancer, has no port on the virtual switch.',
    remedy:
      'Look at the endpoints with win-hcn ls endpoints --remote, and replace the one that is gone or Detached.',
  },
  {
    hresult: 0x803b000c,
    symbol: 'HCN_E_INVALID_ENDPOINT',
    text: 'The provided endpoint configuration is invalid or missing parameters',
    cause: 'The endpoint is of another network than it is created on, or lacks what this Windows wants.',
    remedy:
      'Leave out "endpointPolicies" and "dns" to see which of them it is, and compare with win-hcn show endpoint ID on a node that works.',
  },
  {
    hresult: 0x803b000f,
    symbol: 'HCN_E_INVALID_REMOTE_ENDPOINT_OPERATION',
    text: 'This requested operation is invalid for a remote endpoint',
    cause: 'The endpoint stands for a pod on another node, as kube-proxy makes them, and cannot be attached.',
    remedy:
      'Find it with win-hcn ls endpoints --remote; if nothing is at its address any more, delete it with win-hcn endpoint delete ID --yes.',
  },
  {
    hresult: 0x803b0014,
    symbol: 'HCN_E_ENDPOINT_ALREADY_ATTACHED',
    text: 'This endpoint is already attached to the switch',
    cause: 'An earlier request attached the endpoint, though its caller never heard of it.',
    remedy: 'Run DEL and then ADD; win-hcn ls endpoints says Attached, and to which namespace, while it is.',
  },
  {
    hresult: 0x803b0017,
    symbol: 'HCN_E_DEGRADED_OPERATION',
    text: 'There was an operation attempted on a degraded object',
    cause: 'HNS took a policy of the endpoint or network earlier and could not program it then.',
    remedy: `See what HNS could not do with ${showLog}, correct it, then DEL and ADD.`,
  },
  {
    hresult: 0x803b001d,
    symbol: 'HCN_E_ENDPOINT_SHARING_DISABLED',
    text: 'Endpoint sharing is disabled',
    cause: 'Two containers are to share an endpoint that is for one, or whose network forbids it.',
    remedy:
      'Take DisableSharing out of "networkFlags"; win-hcn show endpoint ID shows the container that has the endpoint.',
  },
  {
    hresult: 0x803b001e,
    symbol: 'HCN_E_INVALID_IP',
    text: 'IP address is either invalid or not part of any configured subnet(s)',
    cause: 'The IPAM plugin assigns addresses of another subnet than the network has.',
    remedy: 'Make the IPAM plugin\'s subnet and "subnets" agree with what win-hcn ls networks shows.',
  },
  {
    hresult: 0x803b002b,
    symbol: 'HCN_E_ENDPOINT_NAMESPACE_ALREADY_EXISTS',
    text: 'This requested operation is invalid as endpoint is already part of a network namespace',
    cause: "The endpoint is in another pod's namespace, or in this one already.",
    remedy:
      'Find the namespace and the container that have it with win-hcn show endpoint ID, and delete that pod first.',
  },
  {
    hresult: 0x803b002e,
    symbol: 'HCN_E_NAMESPACE_ATTACH_FAILED',
    text: 'The requested operation for attach namespace failed',
    cause:
      'HNS accepted the endpoint and cannot program one of its policies; on Windows Server 2019 also: it was attached before.',
    remedy:
      'Check the addresses and prefixes in "acls", "outboundNat", "sdnRoutes" and "endpointPolicies", then DEL and ADD; win-hcn ls endpoints says Degraded where one is not in force.',
  },
  {
    hresult: 0x803b002f,
    symbol: 'HCN_E_ADDR_INVALID_OR_RESERVED',
    text: 'An address provided is invalid or reserved',
    cause:
      "Another endpoint has the address: an earlier pod's that is left over, or kube-proxy's for a pod on another node. Or it is the gateway's.",
    remedy: 'See who has it with win-hcn show ip ADDRESS; win-hcn gc --yes deletes what pods left behind.',
  },
  {
    hresult: 0x803b0034,
    symbol: 'HCN_E_ENDPOINT_NOT_ATTACHED',
    text: 'The endpoint must be attached to complete the operation',
    cause: 'The endpoint has left its namespace, as after its container or HNS ended.',
    remedy: 'Run DEL and then ADD; win-hcn ls endpoints says Created or Detached while it is in none.',
  },
  {
    hresult: 0x803b0035,
    symbol: 'HCN_E_ENDPOINT_NOT_LOCAL',
    text: 'The endpoint must be local to complete the operation',
    cause: 'A load balancer or a namespace names an endpoint that stands for a pod on another node.',
    remedy: 'Name an endpoint of this node: win-hcn ls endpoints -o wide shows them with their ids.',
  },
  {
    hresult: 0x80071392,
    symbol: 'ERROR_OBJECT_ALREADY_EXISTS',
    text: 'The object already exists',
    cause:
      'Windows Server 2019 says so where later ones say HCN_E_ADDR_INVALID_OR_RESERVED; of a network: one of this kind exists.',
    remedy:
      'See who has the address with win-hcn show ip ADDRESS, and which networks there are with win-hcn ls networks.',
  },
];
