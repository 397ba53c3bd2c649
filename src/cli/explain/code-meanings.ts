import type { code } from '../../cni/error.ts';

interface Meaning {
  readonly means: string;
  readonly remedy: string;
}

/** The CNI error codes of win-hcn, for `explain`, docs/errors.md and the README. */
export const meanings: Readonly<Record<keyof typeof code, Meaning>> = {
  incompatibleVersion: {
    means: '`cniVersion` is not supported, or is older than the command',
    remedy: 'Set `cniVersion` to a version in `details`. CHECK requires 0.4.0; GC and STATUS require 1.1.0.',
  },
  unsupportedField: {
    means:
      'the configuration has an unknown key or an unsupported feature; `msg` names it, its value and the closest known key',
    remedy: 'Correct or remove the key. Keys that start with `x-` are comments.',
  },
  unknownContainer: {
    means: "the pod's HCN namespace, `CNI_NETNS`, does not exist",
    remedy: 'The runtime creates a new sandbox. To list the namespaces: win-hcn ls namespaces.',
  },
  invalidEnvironment: {
    means: 'environment variables are missing or invalid; `msg` lists all of them',
    remedy: 'Container runtimes set them. To run the plugin without a runtime: win-hcn cni --help.',
  },
  ioFailure: {
    means: 'the configuration cannot be read from stdin, or is longer than 1 MiB',
    remedy: 'Make the caller write the configuration to stdin and close it.',
  },
  decodingFailure: {
    means:
      'the configuration or the result of the IPAM plugin is not valid JSON, or a member has the wrong type',
    remedy: 'Correct the place that `msg` names. win-hcn validate FILE shows its line and column.',
  },
  invalidConfig: {
    means: 'a configuration value is invalid, or does not fit the node, the network or the IPAM plugin',
    remedy:
      'Correct what `msg` and `details` name. win-hcn validate FILE checks the configuration without the node.',
  },
  tryAgainLater: {
    means:
      'the Host Network Service or Windows did not respond or finish in time; the operation may still take effect',
    remedy:
      'The runtime retries. If the error persists: Get-Service hns; if it is stopped, Start-Service hns.',
  },
  notAvailable: {
    means: 'STATUS: an ADD would fail now; `msg` has the reason',
    remedy: 'Follow `msg`. The node is not ready for pods until then. To diagnose the node: win-hcn doctor.',
  },
  notAvailableAndDegraded: {
    means: 'STATUS: an ADD would fail, and the network of existing pods does not work',
    remedy: 'Check that the adapter is up and has an address: Get-NetAdapter, Get-NetIPAddress.',
  },
  hcnFailure: {
    means: "HCN refused a call; `msg` has the call, HCN's symbol and the HRESULT",
    remedy: 'Look up the HRESULT: win-hcn explain HRESULT.',
  },
  alreadyAttached: {
    means: 'the container already has this interface',
    remedy: 'The interface works and is unchanged. To recreate it, run DEL first.',
  },
  notAsExpected: {
    means: 'CHECK found differences',
    remedy: '`msg` and `details` list the differences. Delete the pod so that it is recreated.',
  },
  ipamFailure: {
    means: 'the IPAM plugin failed without a CNI error',
    remedy: 'Run the IPAM plugin with the same stdin. `details` has the beginning of its output.',
  },
  hcnMissing: {
    means: 'the HCN library is missing or cannot be loaded',
    remedy:
      'Follow `msg`. If the library is missing: Enable-WindowsOptionalFeature -Online -FeatureName Containers, on Windows Server 2019 or later.',
  },
  internal: {
    means: 'internal error in win-hcn',
    remedy: 'Report it with `msg`, the configuration and the output of `cmd /c ver`.',
  },
};
