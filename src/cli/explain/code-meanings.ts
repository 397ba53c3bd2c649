import type { code } from '../../cni/error.ts';

/** The CNI error codes of win-hcn, for `explain`, docs/errors.md and the README. */
export const meanings: Readonly<Record<keyof typeof code, { message: string; fix: string }>> = {
  incompatibleVersion: {
    message: '`cniVersion` is not supported, or is too old for the command',
    fix: 'Set `cniVersion` and `cniVersions` to versions in `details`. CHECK requires 0.4.0; GC and STATUS require 1.1.0.',
  },
  unsupportedField: {
    message: 'unknown key or unsupported feature',
    fix: 'Correct or remove the key that `msg` names. Keys that start with `x-` are comments.',
  },
  unknownContainer: {
    message: "the pod's HCN namespace, `CNI_NETNS`, does not exist",
    fix: 'No action is required: the runtime creates a new sandbox.',
  },
  invalidEnvironment: {
    message: 'CNI environment variables are missing or invalid',
    fix: 'Set those that `msg` lists. To run the plugin by hand, see win-hcn debug cni --help.',
  },
  ioFailure: {
    message: 'the configuration cannot be read from stdin, or is longer than 1 MiB',
    fix: 'Write the configuration to stdin, and close stdin.',
  },
  decodingFailure: {
    message: "invalid JSON or a wrong type in the configuration or the IPAM plugin's result",
    fix: 'Correct the JSON. win-hcn config check FILE shows the line and column.',
  },
  invalidConfig: {
    message: 'a configuration value is invalid, or conflicts with the node, the network or the IPAM plugin',
    fix: 'Correct what `msg` and `details` name. To check it on any computer: win-hcn config check FILE.',
  },
  tryAgainLater: {
    message: 'HNS or Windows did not respond, or not in time; the operation might still take effect',
    fix: 'The runtime retries. If the error persists, run Get-Service hns. If the service is stopped, run Start-Service hns; otherwise drain the node and run Restart-Service hns.',
  },
  notAvailable: {
    message: 'STATUS: an ADD would fail now; the node is not ready',
    fix: 'Follow the instructions in `msg`, and run win-hcn doctor.',
  },
  notAvailableAndDegraded: {
    message: 'STATUS: an ADD would fail, and pods might have limited connectivity',
    fix: 'Check the adapter: Get-NetAdapter, Get-NetIPAddress.',
  },
  hcnFailure: {
    message: 'HCN refused a call',
    fix: 'Look up the HRESULT in `msg`: win-hcn explain HRESULT.',
  },
  alreadyAttached: {
    message: 'the container already has this interface',
    fix: 'It was not changed. To recreate it, delete the pod.',
  },
  notAsExpected: {
    message: 'CHECK found differences from the result of ADD',
    fix: '`msg` and `details` list them. Delete the pod so that it is recreated.',
  },
  ipamFailure: {
    message: 'the IPAM plugin failed without a CNI error',
    fix: 'Run it with the same environment and stdin. `details` has the beginning of its output.',
  },
  hcnMissing: {
    message: 'the HCN library is missing or cannot be loaded',
    fix: 'Follow `msg`. If the library is missing, run Enable-WindowsOptionalFeature -Online -FeatureName Containers (Windows Server 2019 or later).',
  },
  internal: {
    message: 'internal error in win-hcn',
    fix: 'Report a bug with `msg`, the configuration and the output of `cmd /c ver`.',
  },
};

const noAction = 'No action is required.';
const leftover = 'If its pod no longer exists, the endpoint is a leftover: run win-hcn gc.';

/**
 * What `State` of an endpoint means, by number. The numbers are those of hcsshim (internal/hns/hnsendpoint.go). Those of networks and
 * namespaces are not documented.
 */
export const endpointStates: readonly { readonly message: string; readonly fix: string }[] = [
  { message: 'HNS has not finished the creation of the endpoint.', fix: leftover },
  { message: 'The endpoint exists, and is not attached yet.', fix: leftover },
  { message: 'The endpoint is attached to one container or virtual machine.', fix: noAction },
  {
    message:
      'The endpoint is attached to a namespace that containers share. This is the usual state of a pod.',
    fix: `${noAction} State 3 does not mean that the endpoint is detached. If the pod has no connectivity, run win-hcn doctor.`,
  },
  { message: 'The endpoint was attached, and no longer is.', fix: leftover },
  {
    message: 'HNS could not apply the endpoint in full.',
    fix: 'Run win-hcn show endpoint ID for its LastErrorCode, then recreate the pod.',
  },
  { message: 'HNS has deleted the endpoint, or is deleting it.', fix: noAction },
];
