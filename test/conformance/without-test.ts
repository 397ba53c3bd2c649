// Cases and lines without a test, with the reason.

const clients = [
  [141, 'by libcni 1.1.2, below; for STATUS see case 126'],
  [142, 'by libcni, below'],
  [143, 'by libcni, below'],
  [144, 'by go-cni, below'],
  [145, 'by libcni, below'],
  [146, 'libcni 1.1.2 has no such lists; being the second plugin of one is by libcni, below'],
  [147, 'by ctr of containerd 1.6, below'],
  [148, 'by go-cni, below'],
  [149, 'not run: what podman passes is in cases 101 and 105'],
  [150, 'by libcni, below'],
] as const;

export const withoutTest: {
  readonly cases: ReadonlyMap<number, string>;
  readonly lines: ReadonlyMap<number, string>;
} = {
  cases: new Map([[115, 'win-hcn keeps no state files: HCN is the only state'], ...clients]),
  lines: new Map([
    [23, 'binds the runtime: it finds the plugin by its type, and runs no other'],
    [30, 'binds the runtime: it chooses the version'],
    [92, 'binds the runtime: it passes only the capabilities that are set'],
  ]),
};
