/** An HRESULT's symbol and Microsoft's text for it. */
export interface Hresult {
  readonly symbol: string;
  readonly text: string;
}

/** `HCN_E_INVALID_IP (0x803b001e): IP address is …`, or the bare number when we have no name for it. */
export function describeHresult(hresult: number): string {
  const hex = `0x${hresult.toString(16).padStart(8, '0')}`;
  const known = table.get(hresult);
  return known === undefined ? `HRESULT ${hex}` : `${known.symbol} (${hex}): ${known.text}`;
}

/** Whether the HRESULT says failure: its highest bit. */
export function isFailure(hresult: number): boolean {
  return hresult >= 0x80000000;
}

/** HCN says "there is none" in a way of its own for every kind of object, and not the same one in every verb. */
export function isNotFound(hresult: number): boolean {
  return [0x803b0001, 0x803b0002, 0x80070490].includes(hresult);
}

/** What opening a load balancer that is not there may say besides: to HNS it is a list of policies. */
export function isPolicyNotFound(hresult: number): boolean {
  return hresult === 0x803b0008;
}

/** Another endpoint has the address, or it is reserved; Windows Server 2019 says it in its own way. */
export function isAddressTaken(hresult: number): boolean {
  return [0x803b002f, 0x80071392].includes(hresult);
}

/** The endpoint is not in the namespace it was to leave. */
export function isNotAttached(hresult: number): boolean {
  return [0x803b0002, 0x803b0034].includes(hresult);
}

/** This Windows does not do what was asked for with any document, so that another way is worth a try. */
export function isNotImplemented(hresult: number): boolean {
  return [0x80004001, 0x80070032, 0x80070078, 0x803b0015, 0x803b0023].includes(hresult);
}

/**
 * The service did not do its work: what was asked for may be there, or not, or half. Never the same as absent.
 * RPC failures, timeouts, and a service that stops, is disabled or is not started.
 */
export function isUnavailable(hresult: number): boolean {
  const others = [0x803b0020, 0x80070422, 0x80070426, 0x8007045b, 0x800705b4];
  return others.includes(hresult) || (hresult >= 0x800706a4 && hresult <= 0x80070721);
}

/** The call did not reach the service, so that it had no effect. */
export function isNotExecuted(hresult: number): boolean {
  return [0x800706ba, 0x800706bf, 0x800706d9, 0x80070422, 0x80070426].includes(hresult);
}

/** The handle is of an object that has been deleted since it was opened. */
export function isUsedAfterUnload(hresult: number): boolean {
  return hresult === 0x803b0031;
}

/** Every code of https://learn.microsoft.com/virtualization/api/hcn/reference/hcnhresult, and the Win32 codes HNS passes on. */
const table: ReadonlyMap<number, Hresult> = new Map(
  (
    [
      [0x803b0001, 'HCN_E_NETWORK_NOT_FOUND', 'The network was not found'],
      [0x803b0002, 'HCN_E_ENDPOINT_NOT_FOUND', 'The endpoint was not found'],
      [0x803b0003, 'HCN_E_LAYER_NOT_FOUND', "The network's underlying layer was not found"],
      [0x803b0004, 'HCN_E_SWITCH_NOT_FOUND', 'The virtual switch was not found'],
      [0x803b0005, 'HCN_E_SUBNET_NOT_FOUND', 'The network does not have a subnet for this endpoint'],
      [0x803b0006, 'HCN_E_ADAPTER_NOT_FOUND', 'An adapter was not found'],
      [0x803b0007, 'HCN_E_PORT_NOT_FOUND', 'The switch-port was not found'],
      [0x803b0008, 'HCN_E_POLICY_NOT_FOUND', 'An expected policy was not found'],
      [0x803b0009, 'HCN_E_VFP_PORTSETTING_NOT_FOUND', 'A required VFP port setting was not found'],
      [
        0x803b000a,
        'HCN_E_INVALID_NETWORK',
        'The provided network configuration is invalid or missing parameters',
      ],
      [0x803b000b, 'HCN_E_INVALID_NETWORK_TYPE', 'Invalid network type'],
      [
        0x803b000c,
        'HCN_E_INVALID_ENDPOINT',
        'The provided endpoint configuration is invalid or missing parameters',
      ],
      [
        0x803b000d,
        'HCN_E_INVALID_POLICY',
        'The provided policy configuration is invalid or missing parameters',
      ],
      [0x803b000e, 'HCN_E_INVALID_POLICY_TYPE', 'Invalid policy type'],
      [
        0x803b000f,
        'HCN_E_INVALID_REMOTE_ENDPOINT_OPERATION',
        'This requested operation is invalid for a remote endpoint',
      ],
      [0x803b0010, 'HCN_E_NETWORK_ALREADY_EXISTS', 'A network with this name already exists'],
      [0x803b0011, 'HCN_E_LAYER_ALREADY_EXISTS', 'A network with this name already exists'],
      [0x803b0012, 'HCN_E_POLICY_ALREADY_EXISTS', 'Policy information already exists on this object'],
      [0x803b0013, 'HCN_E_PORT_ALREADY_EXISTS', 'The specified port already exists'],
      [0x803b0014, 'HCN_E_ENDPOINT_ALREADY_ATTACHED', 'This endpoint is already attached to the switch'],
      [0x803b0015, 'HCN_E_REQUEST_UNSUPPORTED', 'The specified request is unsupported'],
      [0x803b0016, 'HCN_E_MAPPING_NOT_SUPPORTED', 'Port mapping is not supported on the given network'],
      [0x803b0017, 'HCN_E_DEGRADED_OPERATION', 'There was an operation attempted on a degraded object'],
      [0x803b0018, 'HCN_E_SHARED_SWITCH_MODIFICATION', 'Cannot modify a switch shared by multiple networks'],
      [0x803b0019, 'HCN_E_GUID_CONVERSION_FAILURE', 'Failed to interpret a parameter as a GUID'],
      [0x803b001a, 'HCN_E_REGKEY_FAILURE', 'Failed to process registry key'],
      [0x803b001b, 'HCN_E_INVALID_JSON', 'Invalid JSON document string'],
      [0x803b001c, 'HCN_E_INVALID_JSON_REFERENCE', 'The reference is invalid in the JSON document'],
      [0x803b001d, 'HCN_E_ENDPOINT_SHARING_DISABLED', 'Endpoint sharing is disabled'],
      [
        0x803b001e,
        'HCN_E_INVALID_IP',
        'IP address is either invalid or not part of any configured subnet(s)',
      ],
      [
        0x803b001f,
        'HCN_E_SWITCH_EXTENSION_NOT_FOUND',
        'The specified switch extension does not exist on this switch',
      ],
      [0x803b0020, 'HCN_E_MANAGER_STOPPED', 'Operation cannot be performed while service is stopping'],
      [0x803b0021, 'GCN_E_MODULE_NOT_FOUND', 'Operation cannot be performed while service module not found'],
      [0x803b0022, 'GCN_E_NO_REQUEST_HANDLERS', 'Request Handlers not present to handle the JSON request'],
      [0x803b0023, 'GCN_E_REQUEST_UNSUPPORTED', 'The specified request is unsupported'],
      [0x803b0024, 'GCN_E_RUNTIMEKEYS_FAILED', 'Add runtime keys to container failed'],
      [
        0x803b0025,
        'GCN_E_NETADAPTER_TIMEOUT',
        'Timeout while waiting for network adapter with the given instance id',
      ],
      [0x803b0026, 'GCN_E_NETADAPTER_NOT_FOUND', 'Network adapter not found for the given instance id'],
      [0x803b0027, 'GCN_E_NETCOMPARTMENT_NOT_FOUND', 'Network compartment not found for the given id'],
      [0x803b0028, 'GCN_E_NETINTERFACE_NOT_FOUND', 'Network interface not found for the given id'],
      [0x803b0029, 'GCN_E_DEFAULTNAMESPACE_EXISTS', 'Default Namespace already exists'],
      [
        0x803b002a,
        'HCN_E_ICS_DISABLED',
        'Internet Connection Sharing service (SharedAccess) is disabled and cannot be started',
      ],
      [
        0x803b002b,
        'HCN_E_ENDPOINT_NAMESPACE_ALREADY_EXISTS',
        'This requested operation is invalid as endpoint is already part of a network namespace',
      ],
      [
        0x803b002c,
        'HCN_E_ENTITY_HAS_REFERENCES',
        'The specified entity cannot be removed while it still has references',
      ],
      [0x803b002d, 'HCN_E_INVALID_INTERNAL_PORT', 'The internal port must exist and cannot be zero'],
      [0x803b002e, 'HCN_E_NAMESPACE_ATTACH_FAILED', 'The requested operation for attach namespace failed'],
      [0x803b002f, 'HCN_E_ADDR_INVALID_OR_RESERVED', 'An address provided is invalid or reserved'],
      [0x803b0030, 'HCN_E_INVALID_PREFIX', 'The prefix provided is invalid'],
      [
        0x803b0031,
        'HCN_E_OBJECT_USED_AFTER_UNLOAD',
        'A call was performed against an object that was torn down',
      ],
      [
        0x803b0032,
        'HCN_E_INVALID_SUBNET',
        'The provided subnet configuration is invalid or missing parameters',
      ],
      [
        0x803b0033,
        'HCN_E_INVALID_IP_SUBNET',
        'The provided IP subnet configuration is invalid or missing parameters',
      ],
      [0x803b0034, 'HCN_E_ENDPOINT_NOT_ATTACHED', 'The endpoint must be attached to complete the operation'],
      [0x803b0035, 'HCN_E_ENDPOINT_NOT_LOCAL', 'The endpoint must be local to complete the operation'],
      [
        0x803b0036,
        'HCN_INTERFACEPARAMETERS_ALREADY_APPLIED',
        'Cannot apply more than one InterfaceParameters policy',
      ],
      [
        0x803b0037,
        'HCN_E_VFP_NOT_ALLOWED',
        'A network of this type can not be created because VFP is not available',
      ],
      [0x80004001, 'E_NOTIMPL', 'Not implemented'],
      [0x80004003, 'E_POINTER', 'Invalid pointer'],
      [0x80004005, 'E_FAIL', 'Unspecified error'],
      [0x80070005, 'E_ACCESSDENIED', 'Access is denied'],
      [0x8007000e, 'E_OUTOFMEMORY', 'Not enough memory resources are available'],
      [0x80070022, 'ERROR_WRONG_DISK', 'The wrong diskette is in the drive'],
      [0x80070032, 'ERROR_NOT_SUPPORTED', 'The request is not supported'],
      [
        0x80070034,
        'ERROR_DUP_NAME',
        'A duplicate name exists on the network: the subnet overlaps another one',
      ],
      [0x80070057, 'E_INVALIDARG', 'The parameter is incorrect'],
      [0x800700b7, 'ERROR_ALREADY_EXISTS', 'Cannot create a file when that file already exists'],
      [0x80070422, 'ERROR_SERVICE_DISABLED', 'The service cannot be started: it is disabled'],
      [0x80070426, 'ERROR_SERVICE_NOT_ACTIVE', 'The service has not been started'],
      [0x8007045b, 'ERROR_SHUTDOWN_IN_PROGRESS', 'A system shutdown is in progress'],
      [0x80070490, 'ERROR_NOT_FOUND', 'Element not found'],
      [0x800705b4, 'ERROR_TIMEOUT', 'The operation returned because the timeout period expired'],
      [0x800706ba, 'RPC_S_SERVER_UNAVAILABLE', 'The RPC server is unavailable'],
      [0x800706be, 'RPC_S_CALL_FAILED', 'The remote procedure call failed'],
      [0x800706bf, 'RPC_S_CALL_FAILED_DNE', 'The remote procedure call failed and did not execute'],
      [0x800706d9, 'EPT_S_NOT_REGISTERED', 'There are no more endpoints available from the endpoint mapper'],
      [0x8000ffff, 'E_UNEXPECTED', 'Catastrophic failure'],
      [0x80071392, 'ERROR_OBJECT_ALREADY_EXISTS', 'The object already exists'],
    ] as const
  ).map(([hresult, symbol, text]) => [hresult, { symbol, text }]),
);
