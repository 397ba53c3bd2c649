import { beforeEach, describe, expect, test, vi } from 'vitest';

const read = vi.hoisted(() => vi.fn());

vi.mock('../../../src/hcn/hresults/texts.ts', async (load) => {
  const { hresultTexts } = await load<typeof import('../../../src/hcn/hresults/texts.ts')>();
  return {
    hresultTexts: () => {
      read();
      return hresultTexts();
    },
  };
});

beforeEach(() => {
  vi.resetModules();
  vi.clearAllMocks();
});

test('the texts of HRESULTs, a bundle of their own, are read for a message only', async () => {
  const { describeHresult, isNotFound, isUnavailable } = await import('../../../src/hcn/hresults.ts');
  const networkNotFound = 0x803b0001;
  expect([isNotFound(networkNotFound), isUnavailable(networkNotFound)]).toEqual([true, false]);
  expect(read).not.toHaveBeenCalled();
  describeHresult(networkNotFound);
  expect(read).toHaveBeenCalled();
});

/** https://learn.microsoft.com/virtualization/api/hcn/reference/hcnhresult, and FormatMessage of Windows. */
test('every HRESULT is described with its symbol, its number and the text of Windows', async () => {
  const { describeHresult, everyHresult } = await import('../../../src/hcn/hresults.ts');
  const numbers = everyHresult().map(({ hresult }) => hresult);
  expect(numbers.toSorted((one, other) => one - other).map(describeHresult)).toEqual([
    'E_NOTIMPL (0x80004001): Not implemented',
    'E_POINTER (0x80004003): Invalid pointer',
    'E_FAIL (0x80004005): Unspecified error',
    'E_UNEXPECTED (0x8000ffff): Catastrophic failure',
    'ERROR_FILE_NOT_FOUND (0x80070002): The system cannot find the file specified',
    'E_ACCESSDENIED (0x80070005): Access is denied',
    'E_HANDLE (0x80070006): The handle is invalid',
    'E_OUTOFMEMORY (0x8007000e): Not enough memory resources are available',
    'ERROR_NOT_READY (0x80070015): The device is not ready',
    'ERROR_SHARING_VIOLATION (0x80070020): The process cannot access the file because it is being used by another process',
    'ERROR_WRONG_DISK (0x80070022): The wrong diskette is in the drive',
    'ERROR_NOT_SUPPORTED (0x80070032): The request is not supported',
    'ERROR_DUP_NAME (0x80070034): A duplicate name exists on the network: the subnet overlaps another one',
    'E_INVALIDARG (0x80070057): The parameter is incorrect',
    'ERROR_CALL_NOT_IMPLEMENTED (0x80070078): This function is not supported on this system',
    'ERROR_BUSY (0x800700aa): The requested resource is in use',
    'ERROR_ALREADY_EXISTS (0x800700b7): Cannot create a file when that file already exists',
    'ERROR_SERVICE_DISABLED (0x80070422): The service cannot be started: it is disabled',
    'ERROR_SERVICE_NOT_ACTIVE (0x80070426): The service has not been started',
    'ERROR_SHUTDOWN_IN_PROGRESS (0x8007045b): A system shutdown is in progress',
    'ERROR_NOT_FOUND (0x80070490): Element not found',
    'ERROR_TIMEOUT (0x800705b4): This operation returned because the timeout period expired',
    'RPC_S_SERVER_UNAVAILABLE (0x800706ba): The RPC server is unavailable',
    'RPC_S_CALL_FAILED (0x800706be): The remote procedure call failed',
    'RPC_S_CALL_FAILED_DNE (0x800706bf): The remote procedure call failed and did not execute',
    'EPT_S_NOT_REGISTERED (0x800706d9): There are no more endpoints available from the endpoint mapper',
    'ERROR_OBJECT_ALREADY_EXISTS (0x80071392): The object already exists',
    'HCN_E_NETWORK_NOT_FOUND (0x803b0001): The network was not found',
    'HCN_E_ENDPOINT_NOT_FOUND (0x803b0002): The endpoint was not found',
    "HCN_E_LAYER_NOT_FOUND (0x803b0003): The network's underlying layer was not found",
    'HCN_E_SWITCH_NOT_FOUND (0x803b0004): The virtual switch was not found',
    'HCN_E_SUBNET_NOT_FOUND (0x803b0005): The network does not have a subnet for this endpoint',
    'HCN_E_ADAPTER_NOT_FOUND (0x803b0006): An adapter was not found',
    'HCN_E_PORT_NOT_FOUND (0x803b0007): The switch-port was not found',
    'HCN_E_POLICY_NOT_FOUND (0x803b0008): An expected policy was not found',
    'HCN_E_VFP_PORTSETTING_NOT_FOUND (0x803b0009): A required VFP port setting was not found',
    'HCN_E_INVALID_NETWORK (0x803b000a): The provided network configuration is invalid or missing parameters',
    'HCN_E_INVALID_NETWORK_TYPE (0x803b000b): Invalid network type',
    'HCN_E_INVALID_ENDPOINT (0x803b000c): The provided endpoint configuration is invalid or missing parameters',
    'HCN_E_INVALID_POLICY (0x803b000d): The provided policy configuration is invalid or missing parameters',
    'HCN_E_INVALID_POLICY_TYPE (0x803b000e): Invalid policy type',
    'HCN_E_INVALID_REMOTE_ENDPOINT_OPERATION (0x803b000f): This requested operation is invalid for a remote endpoint',
    'HCN_E_NETWORK_ALREADY_EXISTS (0x803b0010): A network with this name already exists',
    'HCN_E_LAYER_ALREADY_EXISTS (0x803b0011): A network with this name already exists',
    'HCN_E_POLICY_ALREADY_EXISTS (0x803b0012): Policy information already exists on this object',
    'HCN_E_PORT_ALREADY_EXISTS (0x803b0013): The specified port already exists',
    'HCN_E_ENDPOINT_ALREADY_ATTACHED (0x803b0014): This endpoint is already attached to the switch',
    'HCN_E_REQUEST_UNSUPPORTED (0x803b0015): The specified request is unsupported',
    'HCN_E_MAPPING_NOT_SUPPORTED (0x803b0016): Port mapping is not supported on the given network',
    'HCN_E_DEGRADED_OPERATION (0x803b0017): There was an operation attempted on a degraded object',
    'HCN_E_SHARED_SWITCH_MODIFICATION (0x803b0018): Cannot modify a switch shared by multiple networks',
    'HCN_E_GUID_CONVERSION_FAILURE (0x803b0019): Failed to interpret a parameter as a GUID',
    'HCN_E_REGKEY_FAILURE (0x803b001a): Failed to process registry key',
    'HCN_E_INVALID_JSON (0x803b001b): Invalid JSON document string',
    'HCN_E_INVALID_JSON_REFERENCE (0x803b001c): The reference is invalid in the JSON document',
    'HCN_E_ENDPOINT_SHARING_DISABLED (0x803b001d): Endpoint sharing is disabled',
    'HCN_E_INVALID_IP (0x803b001e): IP address is either invalid or not part of any configured subnet(s)',
    'HCN_E_SWITCH_EXTENSION_NOT_FOUND (0x803b001f): The specified switch extension does not exist on this switch',
    'HCN_E_MANAGER_STOPPED (0x803b0020): Operation cannot be performed while service is stopping',
    'GCN_E_MODULE_NOT_FOUND (0x803b0021): Operation cannot be performed while service module not found',
    'GCN_E_NO_REQUEST_HANDLERS (0x803b0022): Request Handlers not present to handle the JSON request',
    'GCN_E_REQUEST_UNSUPPORTED (0x803b0023): The specified request is unsupported',
    'GCN_E_RUNTIMEKEYS_FAILED (0x803b0024): Add runtime keys to container failed',
    'GCN_E_NETADAPTER_TIMEOUT (0x803b0025): Timeout while waiting for network adapter with the given instance id',
    'GCN_E_NETADAPTER_NOT_FOUND (0x803b0026): Network adapter not found for the given instance id',
    'GCN_E_NETCOMPARTMENT_NOT_FOUND (0x803b0027): Network compartment not found for the given id',
    'GCN_E_NETINTERFACE_NOT_FOUND (0x803b0028): Network interface not found for the given id',
    'GCN_E_DEFAULTNAMESPACE_EXISTS (0x803b0029): Default Namespace already exists',
    'HCN_E_ICS_DISABLED (0x803b002a): Internet Connection Sharing service (SharedAccess) is disabled and cannot be started',
    'HCN_E_ENDPOINT_NAMESPACE_ALREADY_EXISTS (0x803b002b): This requested operation is invalid as endpoint is already part of a network namespace',
    'HCN_E_ENTITY_HAS_REFERENCES (0x803b002c): The specified entity cannot be removed while it still has references',
    'HCN_E_INVALID_INTERNAL_PORT (0x803b002d): The internal port must exist and cannot be zero',
    'HCN_E_NAMESPACE_ATTACH_FAILED (0x803b002e): The requested operation for attach namespace failed',
    'HCN_E_ADDR_INVALID_OR_RESERVED (0x803b002f): An address provided is invalid or reserved',
    'HCN_E_INVALID_PREFIX (0x803b0030): The prefix provided is invalid',
    'HCN_E_OBJECT_USED_AFTER_UNLOAD (0x803b0031): A call was performed against an object that was torn down',
    'HCN_E_INVALID_SUBNET (0x803b0032): The provided subnet configuration is invalid or missing parameters',
    'HCN_E_INVALID_IP_SUBNET (0x803b0033): The provided IP subnet configuration is invalid or missing parameters',
    'HCN_E_ENDPOINT_NOT_ATTACHED (0x803b0034): The endpoint must be attached to complete the operation',
    'HCN_E_ENDPOINT_NOT_LOCAL (0x803b0035): The endpoint must be local to complete the operation',
    'HCN_INTERFACEPARAMETERS_ALREADY_APPLIED (0x803b0036): Cannot apply more than one InterfaceParameters policy',
    'HCN_E_VFP_NOT_ALLOWED (0x803b0037): A network of this type can not be created because VFP is not available',
  ]);
});

describe('the creation of an object that HCN refuses', () => {
  const noFreeAddress = {
    cause: "The network's subnet or MAC pool has no free address.",
    remedy:
      'Delete leftovers with win-hcn gc --yes; to include those of other plugins, add --other-plugins. ' +
      'If pods use all addresses, which win-hcn ls endpoints shows, use a larger subnet.',
  };

  test('has its own causes and remedies', async () => {
    const { everyHresult } = await import('../../../src/hcn/hresults.ts');
    const creating = everyHresult().flatMap((known) =>
      Object.entries(known.creating ?? {}).map(([object, meaning]) => [known.symbol, object, meaning]),
    );
    expect(creating).toEqual([
      ['HCN_E_ADDR_INVALID_OR_RESERVED', 'Endpoint without address', noFreeAddress],
      ['ERROR_OBJECT_ALREADY_EXISTS', 'Endpoint without address', noFreeAddress],
      [
        'E_INVALIDARG',
        'Remote subnet',
        {
          cause:
            'HNS does not accept the subnet, the provider address, the MAC address or the VSID of a remote subnet.',
          remedy: 'Compare the remote subnet with what win-hcn network describe prints on the other node.',
        },
      ],
      [
        'ERROR_NOT_FOUND',
        'Network',
        {
          cause:
            'NAT: the configuration has no subnet, and HNS could not choose one. L2Bridge, Overlay and Transparent: the adapter is ' +
            'not available yet, because another network on it was deleted recently.',
          remedy:
            'NAT: set "subnets", such as [{ "subnet": "172.19.208.0/20" }]. Other types: retry when Get-NetAdapter -Physical shows ' +
            'the adapter as Up and win-hcn ls networks shows no other network on it; HNS may take up to 70 s to release it.',
        },
      ],
    ]);
  });
});

test('the message begins with the state of a service that is not running', async () => {
  const { everyHresult } = await import('../../../src/hcn/hresults.ts');
  const services = everyHresult().flatMap(({ symbol, service }) =>
    service === undefined ? [] : [`${symbol}: ${service}`],
  );
  expect(services).toEqual([
    'HCN_E_MANAGER_STOPPED: HNS is not running',
    'ERROR_SERVICE_DISABLED: HNS is not running',
    'ERROR_SERVICE_NOT_ACTIVE: HNS is not running',
    'RPC_S_SERVER_UNAVAILABLE: HNS is not running',
    'RPC_S_CALL_FAILED: HNS stopped during the call',
    'RPC_S_CALL_FAILED_DNE: HNS is not running',
    'EPT_S_NOT_REGISTERED: HNS is not running',
  ]);
});
