// Cases without a test, with the reason.

const clients = [
  [141, 'by libcni; STATUS: case 126'],
  [142, 'by libcni'],
  [143, 'by libcni'],
  [144, 'by go-cni'],
  [145, 'by libcni'],
  [146, 'by libcni, as the second plugin of a list'],
  [147, 'by ctr of containerd'],
  [148, 'by go-cni'],
  [149, 'podman, not run: cases 101 and 105 have its input'],
  [150, 'by libcni'],
] as const;

export const withoutTest: ReadonlyMap<number, string> = new Map([
  [115, 'state files, which win-hcn does not have'],
  ...clients,
]);
