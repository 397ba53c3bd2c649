// HRESULTs of the Host Network Service with their FormatMessage texts (HCNHResult.md).

/** Some are returned by injected faults only. */
const texts = {
  E_UNEXPECTED: [0x8000ffff, 'Catastrophic failure'],
  E_NOTIMPL: [0x80004001, 'Not implemented'],
  E_FAIL: [0x80004005, 'Unspecified error'],
  E_ACCESSDENIED: [0x80070005, 'Access is denied'],
  E_HANDLE: [0x80070006, 'The handle is invalid'],
  E_OUTOFMEMORY: [0x8007000e, 'Not enough memory resources are available to complete this operation'],
  E_INVALIDARG: [0x80070057, 'The parameter is incorrect'],
  ERROR_WRONG_DISK: [0x80070022, 'The wrong diskette is in the drive'],
  ERROR_SHARING_VIOLATION: [
    0x80070020,
    'The process cannot access the file because it is being used by another process',
  ],
  ERROR_DUP_NAME: [
    0x80070034,
    'You were not connected because a duplicate name exists on the network. If joining a domain, go to System in Control Panel to change the computer name and try again. If joining a workgroup, choose another workgroup name',
  ],
  ERROR_BUSY: [0x800700aa, 'The requested resource is in use'],
  ERROR_ALREADY_EXISTS: [0x800700b7, 'Cannot create a file when that file already exists'],
  ERROR_NOT_FOUND: [0x80070490, 'Element not found'],
  ERROR_OBJECT_ALREADY_EXISTS: [0x80071392, 'The object already exists'],
  ERROR_TIMEOUT: [0x800705b4, 'This operation returned because the timeout period expired'],
  RPC_S_SERVER_UNAVAILABLE: [0x800706ba, 'The RPC server is unavailable'],
  RPC_S_CALL_FAILED: [0x800706be, 'The remote procedure call failed'],
  EPT_S_NOT_REGISTERED: [0x800706d9, 'There are no more endpoints available from the endpoint mapper'],
  HCN_E_NETWORK_NOT_FOUND: [0x803b0001, 'The network was not found'],
  HCN_E_ENDPOINT_NOT_FOUND: [0x803b0002, 'The endpoint was not found'],
  HCN_E_SWITCH_NOT_FOUND: [0x803b0004, 'The virtual switch was not found'],
  HCN_E_SUBNET_NOT_FOUND: [0x803b0005, 'The network does not have a subnet for this endpoint'],
  HCN_E_ADAPTER_NOT_FOUND: [0x803b0006, 'An adapter was not found'],
  HCN_E_PORT_NOT_FOUND: [0x803b0007, 'The switch-port was not found'],
  HCN_E_POLICY_NOT_FOUND: [0x803b0008, 'An expected policy was not found'],
  HCN_E_INVALID_NETWORK: [0x803b000a, 'The provided network configuration is invalid or missing parameters'],
  HCN_E_INVALID_NETWORK_TYPE: [0x803b000b, 'Invalid network type'],
  HCN_E_INVALID_ENDPOINT: [
    0x803b000c,
    'The provided endpoint configuration is invalid or missing parameters',
  ],
  HCN_E_INVALID_POLICY: [0x803b000d, 'The provided policy configuration is invalid or missing parameters'],
  HCN_E_INVALID_POLICY_TYPE: [0x803b000e, 'Invalid policy type'],
  HCN_E_INVALID_REMOTE_ENDPOINT_OPERATION: [
    0x803b000f,
    'This requested operation is invalid for a remote endpoint',
  ],
  HCN_E_NETWORK_ALREADY_EXISTS: [0x803b0010, 'A network with this name already exists'],
  HCN_E_LAYER_ALREADY_EXISTS: [0x803b0011, 'A network with this name already exists'],
  HCN_E_PORT_ALREADY_EXISTS: [0x803b0013, 'The specified port already exists'],
  HCN_E_ENDPOINT_ALREADY_ATTACHED: [0x803b0014, 'This endpoint is already attached to the switch'],
  HCN_E_REQUEST_UNSUPPORTED: [0x803b0015, 'The specified request is unsupported'],
  HCN_E_MAPPING_NOT_SUPPORTED: [0x803b0016, 'Port mapping is not supported on the given network'],
  HCN_E_DEGRADED_OPERATION: [0x803b0017, 'There was an operation attempted on a degraded object'],
  HCN_E_GUID_CONVERSION_FAILURE: [0x803b0019, 'Failed to interpret a parameter as a GUID'],
  HCN_E_INVALID_JSON: [0x803b001b, 'Invalid JSON document string'],
  HCN_E_INVALID_IP: [0x803b001e, 'IP address is either invalid or not part of any configured subnet(s)'],
  HCN_E_MANAGER_STOPPED: [0x803b0020, 'Operation cannot be performed while service is stopping'],
  GCN_E_NETINTERFACE_NOT_FOUND: [0x803b0028, 'Network interface not found for the given id'],
  HCN_E_ENDPOINT_NAMESPACE_ALREADY_EXISTS: [
    0x803b002b,
    'This requested operation is invalid as endpoint is already part of a network namespace',
  ],
  HCN_E_ENTITY_HAS_REFERENCES: [
    0x803b002c,
    'The specified entity cannot be removed while it still has references',
  ],
  HCN_E_INVALID_INTERNAL_PORT: [0x803b002d, 'The internal port must exist and cannot be zero'],
  HCN_E_NAMESPACE_ATTACH_FAILED: [0x803b002e, 'The requested operation for attach namespace failed'],
  HCN_E_ADDR_INVALID_OR_RESERVED: [0x803b002f, 'An address provided is invalid or reserved'],
  HCN_E_INVALID_PREFIX: [0x803b0030, 'The prefix provided is invalid'],
  HCN_E_OBJECT_USED_AFTER_UNLOAD: [0x803b0031, 'A call was performed against an object that was torn down'],
  HCN_E_INVALID_SUBNET: [0x803b0032, 'The provided subnet configuration is invalid or missing parameters'],
  HCN_E_INVALID_IP_SUBNET: [
    0x803b0033,
    'The provided IP subnet configuration is invalid or missing parameters',
  ],
  HCN_E_ENDPOINT_NOT_ATTACHED: [0x803b0034, 'The endpoint must be attached to complete the operation'],
  HCN_INTERFACEPARAMETERS_ALREADY_APPLIED: [
    0x803b0036,
    'Cannot apply more than one InterfaceParameters policy',
  ],
} as const satisfies Record<string, readonly [number, string]>;

export type HresultName = keyof typeof texts;

export const hresultNames = Object.keys(texts) as readonly HresultName[];

const textByHresult = new Map<number, string>(Object.values(texts));

/** A call that the service refuses. */
export class HnsError extends Error {
  readonly hresult: number;
  readonly detail: string;

  constructor(name: HresultName, detail = '') {
    super(`${name} ${detail}`);
    this.hresult = texts[name][0];
    this.detail = detail;
  }

  /** Creates an error for a code that a variant selects. */
  static of(hresult: number): HnsError {
    const error = new HnsError('E_FAIL');
    return Object.assign(error, { hresult, message: `0x${hresult.toString(16)}` });
  }
}

export function hresultOf(name: HresultName): number {
  return texts[name][0];
}

/** Returns the `Response` document. The line break of FormatMessage is one space. */
export function errorRecord(hresult: number, detail = ''): string {
  const text = textByHresult.get(hresult) ?? `Unknown error 0x${hresult.toString(16).padStart(8, '0')}`;
  return JSON.stringify({ Success: false, Error: `${text}. ${detail}`, ErrorCode: hresult });
}
