import type { code } from '../../cni/error.ts';

/** The CNI error codes of win-hcn, for `explain`, docs/errors.md and the README. */
export const meanings: Readonly<Record<keyof typeof code, { means: string; remedy: string }>> = {
  incompatibleVersion: {
    means: '`cniVersion` is not supported, or is too old for the command',
    remedy: 'Set `cniVersion` to a version in `details`. CHECK requires 0.4.0; GC and STATUS require 1.1.0.',
  },
  unsupportedField: {
    means: 'unknown key or unsupported feature; `msg` names it, its value and the closest known key',
    remedy: 'Correct or remove the key. Keys that start with `x-` are comments.',
  },
  unknownContainer: {
    means: "the pod's HCN namespace, `CNI_NETNS`, does not exist",
    remedy: 'No action is required: the runtime creates a new sandbox. See win-hcn ls namespaces.',
  },
  invalidEnvironment: {
    means: 'CNI environment variables are missing or invalid; `msg` lists them',
    remedy: 'Set them, as container runtimes do. To run the plugin by hand, see win-hcn debug cni --help.',
  },
  ioFailure: {
    means: 'the configuration cannot be read from stdin, or is longer than 1 MiB',
    remedy: 'Make sure that the caller writes the configuration to stdin and then closes stdin.',
  },
  decodingFailure: {
    means: "invalid JSON in the configuration or the IPAM plugin's result, or a value of the wrong type",
    remedy: 'Correct the JSON at the location in `msg`. win-hcn config check FILE shows the line and column.',
  },
  invalidConfig: {
    means: 'a configuration value is invalid, or conflicts with the node, the network or the IPAM plugin',
    remedy: 'Correct what `msg` and `details` name. To check it on any computer: win-hcn config check FILE.',
  },
  tryAgainLater: {
    means: 'HNS or Windows did not respond, or not in time; the operation might still take effect',
    remedy:
      'The runtime retries. If the error persists, run Get-Service hns. If the service is stopped, run Start-Service hns. If it is running, drain the node and run Restart-Service hns.',
  },
  notAvailable: {
    means: 'STATUS: an ADD would fail now; `msg` has the reason',
    remedy: 'Follow the instructions in `msg`, and run win-hcn doctor. Until then, the node is not ready.',
  },
  notAvailableAndDegraded: {
    means: 'STATUS: an ADD would fail, and existing pods might have limited connectivity',
    remedy: 'Run Get-NetAdapter and Get-NetIPAddress to check that the adapter is up and has an address.',
  },
  hcnFailure: {
    means: 'HCN refused a call; `msg` contains the action, the HCN error symbol and the HRESULT',
    remedy: 'To look up the HRESULT, run win-hcn explain HRESULT.',
  },
  alreadyAttached: {
    means: 'the container already has this interface',
    remedy: 'The existing interface was not changed. To recreate it, delete the pod.',
  },
  notAsExpected: {
    means: 'CHECK found differences between the result of ADD and the current state',
    remedy: '`msg` and `details` list the differences. Delete the pod so that it is recreated.',
  },
  ipamFailure: {
    means: 'the IPAM plugin failed and did not return a CNI error',
    remedy:
      'Run the IPAM plugin manually with the same environment variables and stdin. `details` contains the beginning of its output.',
  },
  hcnMissing: {
    means: 'the HCN library is missing or cannot be loaded',
    remedy:
      'Follow the instructions in `msg`. If the library is missing, run Enable-WindowsOptionalFeature -Online -FeatureName Containers (Windows Server 2019 or later).',
  },
  internal: {
    means: 'internal error in win-hcn',
    remedy: 'Report a bug with `msg`, the configuration and the output of `cmd /c ver`.',
  },
};

const noAction = 'No action is required.';
const leftover = 'If its pod no longer exists, the endpoint is a leftover: run win-hcn gc.';

/**
 * What `State` of an endpoint means, by number. The numbers are those of hcsshim (internal/hns/hnsendpoint.go). Those of networks and
 * namespaces are not documented.
 */
export const endpointStates: readonly { readonly means: string; readonly remedy: string }[] = [
  { means: 'HNS has not finished the creation of the endpoint.', remedy: leftover },
  { means: 'The endpoint exists, and is not attached yet.', remedy: leftover },
  { means: 'The endpoint is attached to one container or virtual machine.', remedy: noAction },
  {
    means: 'The endpoint is attached to a namespace that containers share. This is the usual state of a pod.',
    remedy: `${noAction} State 3 does not mean that the endpoint is detached. If the pod has no connectivity, run win-hcn doctor.`,
  },
  { means: 'The endpoint was attached, and no longer is.', remedy: leftover },
  {
    means: 'HNS could not apply the endpoint in full.',
    remedy: 'Run win-hcn show endpoint ID for its LastErrorCode, then recreate the pod.',
  },
  { means: 'HNS has deleted the endpoint, or is deleting it.', remedy: noAction },
];
