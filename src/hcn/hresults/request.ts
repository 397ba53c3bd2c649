import { type Hresult, showLog } from './hresult.ts';

/** What HNS makes of the request itself: https://learn.microsoft.com/virtualization/api/hcn/reference/hcnhresult */
export const requestHresults: readonly Hresult[] = [
  {
    hresult: 0x803b0015,
    symbol: 'HCN_E_REQUEST_UNSUPPORTED',
    text: 'The specified request is unsupported',
    cause:
      'A container still runs in the namespace that is to be changed, or this Windows cannot do it at all.',
    remedy:
      'Stop the pod first (crictl pods, crictl stopp ID); win-hcn show namespace ID shows what is in the namespace. If nothing runs in it: Restart-Service hns, which interrupts all pods.',
  },
  {
    hresult: 0x803b0019,
    symbol: 'HCN_E_GUID_CONVERSION_FAILURE',
    text: 'Failed to interpret a parameter as a GUID',
    cause: "An id within one of the configuration's own policies is no GUID; win-hcn's ids always are.",
    remedy:
      'Correct the ids in "endpointPolicies" and "networkPolicies"; win-hcn ls -o wide and Get-NetAdapter | Format-Table Name, InterfaceGuid show real ones.',
  },
  {
    hresult: 0x803b001a,
    symbol: 'HCN_E_REGKEY_FAILURE',
    text: 'Failed to process registry key',
    cause: 'HNS could not read or write its part of the registry, as with a full disk or a security product.',
    remedy: `Look at the free space with Get-PSDrive C and at ${showLog}.`,
  },
  {
    hresult: 0x803b001b,
    symbol: 'HCN_E_INVALID_JSON',
    text: 'Invalid JSON document string',
    cause: 'This Windows does not know a member of the document, or wants another type; the braces name it.',
    remedy:
      'Take the key that the braces name out of the configuration; if it is not there, report this message with the build that cmd /c ver shows.',
  },
  {
    hresult: 0x803b001c,
    symbol: 'HCN_E_INVALID_JSON_REFERENCE',
    text: 'The reference is invalid in the JSON document',
    cause: 'The document names an object that HNS does not have, such as an endpoint of a load balancer.',
    remedy:
      'Compare the ids in "details" with those of win-hcn ls -o wide --remote, and correct the one that is not there.',
  },
  {
    hresult: 0x803b0031,
    symbol: 'HCN_E_OBJECT_USED_AFTER_UNLOAD',
    text: 'A call was performed against an object that was torn down',
    cause: 'The object was deleted, or HNS restarted, while this request had it open.',
    remedy: 'Run the request again; win-hcn ls shows what is left.',
  },
  {
    hresult: 0x80004001,
    symbol: 'E_NOTIMPL',
    text: 'Not implemented',
    cause: 'This Windows has the call, and does nothing with it, such as modifying a load balancer.',
    remedy: 'Leave out what was asked for, or update this Windows: cmd /c ver shows its build.',
  },
  {
    hresult: 0x80004003,
    symbol: 'E_POINTER',
    text: 'Invalid pointer',
    cause: 'win-hcn and computenetwork.dll do not fit together; a configuration cannot cause this.',
    remedy:
      'Report this message with the versions that cmd /c ver and (Get-Item C:\\Windows\\System32\\computenetwork.dll).VersionInfo show.',
  },
  {
    hresult: 0x80070006,
    symbol: 'E_HANDLE',
    text: 'The handle is invalid',
    cause: 'HNS restarted within this request and no longer knows what the request had opened.',
    remedy: 'Run the request again, once Get-Service hns says Running.',
  },
  {
    hresult: 0x80070032,
    symbol: 'ERROR_NOT_SUPPORTED',
    text: 'The request is not supported',
    cause: 'This Windows or this type of network cannot do what was asked for.',
    remedy:
      'Compare the type that win-hcn ls networks shows with what the configuration asks for, and leave out what such a network cannot do.',
  },
  {
    hresult: 0x80070057,
    symbol: 'E_INVALIDARG',
    text: 'The parameter is incorrect',
    cause:
      'A value is malformed for HNS: a virtual adapter for a physical one, a MAC address, a VSID; or it is a second NAT network on Windows Server 2019.',
    remedy:
      'Check that "adapter" is in Get-NetAdapter -Physical and not in another network of win-hcn ls networks, then "macPrefix", "macPool" and "vsid". Of two NAT networks on Windows Server 2019, take the one there is by its "name".',
  },
  {
    hresult: 0x80070078,
    symbol: 'ERROR_CALL_NOT_IMPLEMENTED',
    text: 'This function is not supported on this system',
    cause: 'The computenetwork.dll of this Windows does not have the call.',
    remedy: 'Update this Windows to Windows Server 2019 or newer: cmd /c ver shows its build.',
  },
  {
    hresult: 0x80070490,
    symbol: 'ERROR_NOT_FOUND',
    text: 'Element not found',
    cause: 'The network, namespace or load balancer went between two calls of this request.',
    remedy: 'It is gone since we looked: run the request again, and see with win-hcn ls whether it is back.',
  },
];
