// Cases without a test, with the reason.

const clients = [
  [141, 'by libcni 1.1.2, below; for STATUS see case 126'],
  [142, 'by libcni, below'],
  [143, 'by libcni, below'],
  [144, 'by go-cni, below'],
  [145, 'by libcni, below'],
  [146, 'libcni 1.1.2 has no such lists; win-hcn as the second plugin of a list: by libcni, below'],
  [147, 'by ctr of containerd 1.6, below'],
  [148, 'by go-cni, below'],
  [149, "not run: cases 101 and 105 have podman's input"],
  [150, 'by libcni, below'],
] as const;

export const withoutTest: ReadonlyMap<number, string> = new Map([
  [115, 'not applicable: win-hcn keeps no state files, HCN is the only state'],
  ...clients,
]);
