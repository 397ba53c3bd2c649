import type { code } from '../../cni/error.ts';

/** What a code of an error object says, and what to do about it. */
interface Meaning {
  readonly means: string;
  readonly remedy: string;
}

/** For `explain`, docs/errors.md and the README. */
export const meanings: Readonly<Record<keyof typeof code, Meaning>> = {
  incompatibleVersion: {
    means: '`cniVersion` is one win-hcn does not speak, or older than the command',
    remedy: 'Set `cniVersion` to one of those in `details`; CHECK came with 0.4.0, GC and STATUS with 1.1.0.',
  },
  unsupportedField: {
    means:
      'the configuration has a key or a feature win-hcn does not know; `msg` names it, its value and the nearest one',
    remedy: 'Correct or remove the key. One that begins with `x-` is a comment.',
  },
  unknownContainer: {
    means: "the pod's namespace does not exist: `CNI_NETNS` names one HCN does not have",
    remedy:
      'The sandbox is gone, and the runtime makes a new one. By hand: win-hcn ls namespaces shows those there are.',
  },
  invalidEnvironment: {
    means: 'variables of the environment are missing or malformed; `msg` names all of them',
    remedy: 'A runtime sets them; by hand, win-hcn cni does: win-hcn cni --help.',
  },
  ioFailure: {
    means: 'the configuration could not be read from stdin, or is longer than 1 MiB',
    remedy: 'Let the caller write the configuration to stdin and close it; `msg` says when it is too long.',
  },
  decodingFailure: {
    means: 'the configuration, or the result of the IPAM plugin, is not what it has to be in JSON',
    remedy: 'Correct the place that `msg` names: win-hcn validate FILE shows its line and column.',
  },
  invalidConfig: {
    means: 'a value of the configuration is wrong, or does not fit the node, the network or the IPAM plugin',
    remedy:
      'Correct what `msg` and `details` name, in the conflist or on the node; win-hcn validate FILE looks at the conflist alone.',
  },
  tryAgainLater: {
    means:
      'the Host Network Service, or Windows, does not answer or is not done; what was asked for may have happened',
    remedy:
      'The runtime tries again by itself. If it stays: Get-Service hns; Start-Service hns, if it is Stopped.',
  },
  notAvailable: {
    means: 'STATUS: an ADD would fail now, for the reason in `msg`',
    remedy:
      'Do what `msg` says; the node is not ready for pods until then. win-hcn doctor looks at all of the node.',
  },
  notAvailableAndDegraded: {
    means: 'STATUS: an ADD would fail, and the network that pods are on does not work',
    remedy: 'See that the adapter is up and has an address: Get-NetAdapter, Get-NetIPAddress.',
  },
  hcnFailure: {
    means: "HCN refused a call; `msg` names it, with HCN's symbol and HRESULT",
    remedy: 'Look the HRESULT up: win-hcn explain HRESULT.',
  },
  alreadyAttached: {
    means: 'this interface of this container exists already',
    remedy: 'It works and was left alone. To make it anew, run DEL first.',
  },
  notAsExpected: {
    means: 'CHECK found a difference',
    remedy: 'See `msg` and `details` for each difference; delete the pod and let it be made anew.',
  },
  ipamFailure: {
    means: 'the IPAM plugin failed without an error of its own',
    remedy:
      'Run the IPAM plugin by hand with the same stdin; `details` has the beginning of what it printed.',
  },
  hcnMissing: {
    means: "HCN's library is not on this machine, or cannot be loaded",
    remedy:
      'Do what `msg` says. Where there is no library: Enable-WindowsOptionalFeature -Online -FeatureName Containers, on Windows Server 2019 or newer.',
  },
  internal: {
    means: 'win-hcn failed in a way it should not',
    remedy: 'Report it, with `msg`, the configuration and what `cmd /c ver` shows.',
  },
};
