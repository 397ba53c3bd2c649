import type { Hresult } from './hresult.ts';

/** Adapters and compartments of a pod, and the parts of HNS that see to them: https://learn.microsoft.com/virtualization/api/hcn/reference/hcnhresult */
export const guestHresults: readonly Hresult[] = [
  {
    hresult: 0x803b0021,
    symbol: 'GCN_E_MODULE_NOT_FOUND',
    text: 'Operation cannot be performed while service module not found',
    cause: 'A part of HNS is not loaded: its feature is not installed, or an update is not finished.',
    remedy:
      'Look at Get-WindowsOptionalFeature -Online -FeatureName Containers, and restart the node if an update waits for that.',
  },
  {
    hresult: 0x803b0022,
    symbol: 'GCN_E_NO_REQUEST_HANDLERS',
    text: 'Request Handlers not present to handle the JSON request',
    cause: 'The part of HNS that is to do this has not registered yet, or has ended.',
    remedy:
      'Run the request again in a minute; if that does not help, drain the node and run Restart-Service hns.',
  },
  {
    hresult: 0x803b0023,
    symbol: 'GCN_E_REQUEST_UNSUPPORTED',
    text: 'The specified request is unsupported',
    cause: 'The Windows within a Hyper-V isolated pod does not know what was asked for.',
    remedy:
      "Use an image of the node's own build, which cmd /c ver shows, or leave out the policy that this pod's Windows does not know.",
  },
  {
    hresult: 0x803b0024,
    symbol: 'GCN_E_RUNTIMEKEYS_FAILED',
    text: 'Add runtime keys to container failed',
    cause: "HNS could not write the network's settings into a container that starts or ends just then.",
    remedy: 'Delete the pod and let it be made anew; crictl pods shows whether it is still ending.',
  },
  {
    hresult: 0x803b0025,
    symbol: 'GCN_E_NETADAPTER_TIMEOUT',
    text: 'Timeout while waiting for network adapter with the given instance id',
    cause:
      "The pod's adapter did not appear in time: the node is overloaded, or the container ended meanwhile.",
    remedy:
      'Run the request again once the node has less to do; Get-NetAdapter -IncludeHidden shows what has appeared.',
  },
  {
    hresult: 0x803b0026,
    symbol: 'GCN_E_NETADAPTER_NOT_FOUND',
    text: 'Network adapter not found for the given instance id',
    cause: "The endpoint's adapter went with its container.",
    remedy: 'Run DEL for the pod that ended; Get-NetAdapter -IncludeHidden shows the adapters that are left.',
  },
  {
    hresult: 0x803b0027,
    symbol: 'GCN_E_NETCOMPARTMENT_NOT_FOUND',
    text: 'Network compartment not found for the given id',
    cause: "The namespace's compartment went with its last container, or its pod has none yet.",
    remedy: 'Delete the pod and let it be made anew; Get-NetCompartment shows the compartments there are.',
  },
  {
    hresult: 0x803b0028,
    symbol: 'GCN_E_NETINTERFACE_NOT_FOUND',
    text: 'Network interface not found for the given id',
    cause: "The endpoint's interface is not in its compartment, or not any more.",
    remedy:
      'Run DEL and then ADD; Get-NetIPInterface -IncludeAllCompartments shows the interfaces there are.',
  },
  {
    hresult: 0x803b0029,
    symbol: 'GCN_E_DEFAULTNAMESPACE_EXISTS',
    text: 'Default Namespace already exists',
    cause: 'A second default namespace was to be made, which win-hcn itself never asks for.',
    remedy: 'Find what makes it; win-hcn ls namespaces shows those there are, with their types.',
  },
];
