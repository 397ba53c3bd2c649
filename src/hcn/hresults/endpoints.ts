import { freeHostPort, type HresultMeaning, showLog } from './meaning.ts';

/** Endpoints, their addresses, policies and namespaces, and the request itself: https://learn.microsoft.com/virtualization/api/hcn/reference/hcnhresult */
export const endpointHresults = {
  HCN_E_ENDPOINT_NOT_FOUND: {
    hresult: 0x803b0002,
    text: 'The endpoint was not found',
    cause:
      'Something deleted the endpoint, or HNS lost it in a restart, while this request was at work on it.',
    remedy:
      'Run ADD again; if it happens again, something else deletes endpoints: win-hcn ls endpoints shows who else makes some.',
  },
  HCN_E_PORT_NOT_FOUND: {
    hresult: 0x803b0007,
    text: 'The switch-port was not found',
    cause:
      'An endpoint of the request, as a rule one behind a load balancer, has no port on the virtual switch.',
    remedy:
      'Look at the endpoints with win-hcn ls endpoints --remote, and replace the one that is gone or Detached.',
  },
  HCN_E_INVALID_ENDPOINT: {
    hresult: 0x803b000c,
    text: 'The provided endpoint configuration is invalid or missing parameters',
    cause: 'The endpoint is of another network than it is created on, or lacks what this Windows wants.',
    remedy:
      'Leave out "endpointPolicies" and "dns" to see which of them it is, and compare with win-hcn show endpoint ID on a node that works.',
  },
  HCN_E_INVALID_REMOTE_ENDPOINT_OPERATION: {
    hresult: 0x803b000f,
    text: 'This requested operation is invalid for a remote endpoint',
    cause: 'The endpoint stands for a pod on another node, as kube-proxy makes them, and cannot be attached.',
    remedy:
      'Find it with win-hcn ls endpoints --remote; if nothing is at its address any more, delete it with win-hcn endpoint delete ID --yes.',
  },
  HCN_E_ENDPOINT_ALREADY_ATTACHED: {
    hresult: 0x803b0014,
    text: 'This endpoint is already attached to the switch',
    cause: 'An earlier request attached the endpoint, though its caller never heard of it.',
    remedy: 'Run DEL and then ADD; win-hcn ls endpoints says Attached, and to which namespace, while it is.',
  },
  HCN_E_DEGRADED_OPERATION: {
    hresult: 0x803b0017,
    text: 'There was an operation attempted on a degraded object',
    cause: 'HNS took a policy of the endpoint or network earlier and could not program it then.',
    remedy: `See what HNS could not do with ${showLog}, correct it, then DEL and ADD.`,
  },
  HCN_E_ENDPOINT_SHARING_DISABLED: {
    hresult: 0x803b001d,
    text: 'Endpoint sharing is disabled',
    cause: 'Two containers are to share an endpoint that is for one, or whose network forbids it.',
    remedy:
      'Take DisableSharing out of "networkFlags"; win-hcn show endpoint ID shows the container that has the endpoint.',
  },
  HCN_E_INVALID_IP: {
    hresult: 0x803b001e,
    text: 'IP address is either invalid or not part of any configured subnet(s)',
    cause: 'The IPAM plugin assigns addresses of another subnet than the network has.',
    remedy: 'Make the IPAM plugin\'s subnet and "subnets" agree with what win-hcn ls networks shows.',
  },
  HCN_E_ENDPOINT_NAMESPACE_ALREADY_EXISTS: {
    hresult: 0x803b002b,
    text: 'This requested operation is invalid as endpoint is already part of a network namespace',
    cause: "The endpoint is in another pod's namespace, or in this one already.",
    remedy:
      'Find the namespace and the container that have it with win-hcn show endpoint ID, and delete that pod first.',
  },
  HCN_E_NAMESPACE_ATTACH_FAILED: {
    hresult: 0x803b002e,
    text: 'The requested operation for attach namespace failed',
    cause:
      'HNS accepted the endpoint and cannot program one of its policies; on Windows Server 2019 also: it was attached before.',
    remedy:
      'Check the addresses and prefixes in "acls", "outboundNat", "sdnRoutes" and "endpointPolicies", then DEL and ADD; win-hcn ls endpoints says Degraded where one is not in force.',
  },
  HCN_E_ADDR_INVALID_OR_RESERVED: {
    hresult: 0x803b002f,
    text: 'An address provided is invalid or reserved',
    cause:
      "Another endpoint has the address: an earlier pod's that is left over, or kube-proxy's for a pod on another node. Or it is the gateway's.",
    remedy: 'See who has it with win-hcn show ip ADDRESS; win-hcn gc --yes deletes what pods left behind.',
  },
  HCN_E_ENDPOINT_NOT_ATTACHED: {
    hresult: 0x803b0034,
    text: 'The endpoint must be attached to complete the operation',
    cause: 'The endpoint has left its namespace, as after its container or HNS ended.',
    remedy: 'Run DEL and then ADD; win-hcn ls endpoints says Created or Detached while it is in none.',
  },
  HCN_E_ENDPOINT_NOT_LOCAL: {
    hresult: 0x803b0035,
    text: 'The endpoint must be local to complete the operation',
    cause: 'A load balancer or a namespace names an endpoint that stands for a pod on another node.',
    remedy: 'Name an endpoint of this node: win-hcn ls endpoints -o wide shows them with their ids.',
  },
  HCN_E_POLICY_NOT_FOUND: {
    hresult: 0x803b0008,
    text: 'An expected policy was not found',
    cause: 'A policy or load balancer that was to be changed or removed is gone.',
    remedy:
      'See what is there with win-hcn ls loadbalancers and win-hcn show endpoint ID, and apply the load balancer again.',
  },
  HCN_E_VFP_PORTSETTING_NOT_FOUND: {
    hresult: 0x803b0009,
    text: 'A required VFP port setting was not found',
    cause:
      "VFP, the programmable switch, does not know the endpoint's port: it is not running, or the port just went.",
    remedy: 'See that VFP runs with Get-Service vfpext, then DEL and ADD.',
  },
  HCN_E_INVALID_POLICY: {
    hresult: 0x803b000d,
    text: 'The provided policy configuration is invalid or missing parameters',
    cause:
      'A policy or a port mapping has a value that this Windows does not take, or two of them do not go together.',
    remedy: `Check "acls", "outboundNat", "sdnRoutes", "endpointPolicies", "networkPolicies" and the port mappings; leave out one at a time to see which it is, and look at ${showLog}.`,
  },
  HCN_E_INVALID_POLICY_TYPE: {
    hresult: 0x803b000e,
    text: 'Invalid policy type',
    cause: 'This Windows does not know the type of a policy, or not on this kind of object.',
    remedy:
      'Take the type out of "endpointPolicies" or "networkPolicies", or update this Windows: cmd /c ver shows its build.',
  },
  HCN_E_POLICY_ALREADY_EXISTS: {
    hresult: 0x803b0012,
    text: 'Policy information already exists on this object',
    cause: 'Two keys of the configuration ask for the same policy, or the object has it from before.',
    remedy:
      'Take what other keys ask for out of "endpointPolicies" and "networkPolicies"; win-hcn show endpoint ID or win-hcn show network NAME shows what is there.',
  },
  HCN_E_PORT_ALREADY_EXISTS: {
    hresult: 0x803b0013,
    text: 'The specified port already exists',
    cause:
      'Another endpoint, a load balancer or a reservation of Windows has the host port with this protocol.',
    remedy: freeHostPort,
  },
  HCN_E_MAPPING_NOT_SUPPORTED: {
    hresult: 0x803b0016,
    text: 'Port mapping is not supported on the given network',
    cause: 'The pod has a host port, and networks of this type have no port mappings.',
    remedy:
      'Take the host port out of the pod, or use an L2Bridge, Overlay or NAT network; win-hcn ls networks shows the type of this one.',
  },
  HCN_E_INVALID_INTERNAL_PORT: {
    hresult: 0x803b002d,
    text: 'The internal port must exist and cannot be zero',
    cause: 'A PortMapping policy of the configuration has no InternalPort.',
    remedy: 'Give each PortMapping in "endpointPolicies" an InternalPort from 1 to 65535.',
  },
  HCN_INTERFACEPARAMETERS_ALREADY_APPLIED: {
    hresult: 0x803b0036,
    text: 'Cannot apply more than one InterfaceParameters policy',
    cause: 'The endpoint has an InterfaceParameters policy, and a second one is to be added.',
    remedy: 'Leave one InterfaceParameters policy in "endpointPolicies", then DEL and ADD.',
  },
  HCN_E_REQUEST_UNSUPPORTED: {
    hresult: 0x803b0015,
    text: 'The specified request is unsupported',
    cause:
      'A container still runs in the namespace that is to be changed, or this Windows cannot do it at all.',
    remedy:
      'Stop the pod first (crictl pods, crictl stopp ID); win-hcn show namespace ID shows what is in the namespace. If nothing runs in it: Restart-Service hns, which interrupts all pods.',
  },
  HCN_E_GUID_CONVERSION_FAILURE: {
    hresult: 0x803b0019,
    text: 'Failed to interpret a parameter as a GUID',
    cause: "An id within one of the configuration's own policies is no GUID; win-hcn's ids always are.",
    remedy:
      'Correct the ids in "endpointPolicies" and "networkPolicies"; win-hcn ls -o wide and Get-NetAdapter | Format-Table Name, InterfaceGuid show real ones.',
  },
  HCN_E_REGKEY_FAILURE: {
    hresult: 0x803b001a,
    text: 'Failed to process registry key',
    cause: 'HNS could not read or write its part of the registry, as with a full disk or a security product.',
    remedy: `Look at the free space with Get-PSDrive C and at ${showLog}.`,
  },
  HCN_E_INVALID_JSON: {
    hresult: 0x803b001b,
    text: 'Invalid JSON document string',
    cause: 'This Windows does not know a member of the document, or wants another type; the braces name it.',
    remedy:
      'Take the key that the braces name out of the configuration; if it is not there, report this message with the build that cmd /c ver shows.',
  },
  HCN_E_INVALID_JSON_REFERENCE: {
    hresult: 0x803b001c,
    text: 'The reference is invalid in the JSON document',
    cause: 'The document names an object that HNS does not have, such as an endpoint of a load balancer.',
    remedy:
      'Compare the ids in "details" with those of win-hcn ls -o wide --remote, and correct the one that is not there.',
  },
  HCN_E_OBJECT_USED_AFTER_UNLOAD: {
    hresult: 0x803b0031,
    text: 'A call was performed against an object that was torn down',
    cause: 'The object was deleted, or HNS restarted, while this request had it open.',
    remedy: 'Run the request again; win-hcn ls shows what is left.',
  },
} as const satisfies Readonly<Record<string, HresultMeaning>>;
