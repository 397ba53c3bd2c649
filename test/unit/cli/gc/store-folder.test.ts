import { expect, test } from 'vitest';
import { storeFolder } from '../../../../src/cli/gc/reservations.ts';

test.each([
  [undefined, 'C:\\var\\lib\\cni\\networks'],
  ['', 'C:\\var\\lib\\cni\\networks'],
  ['/k/leases/', 'C:\\k\\leases'],
  ['D:\\k\\\\leases\\\\\\', 'D:\\k\\\\leases'],
  ['\\', 'C:\\'],
  ['\\\\\\', 'C:\\'],
  ['\\\\server\\leases\\', '\\\\server\\leases'],
  ['k', 'k'],
])('host-local with dataDir %j stores reservations in %s', (dataDir, expected) => {
  expect(storeFolder(dataDir)).toBe(expected);
});
