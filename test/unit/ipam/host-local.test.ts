import { expect, test } from 'vitest';
import { dataDirIn, leaseFile } from '../../../src/ipam/host-local.ts';

test.each([
  [{}, undefined],
  [{ ipam: { DataDir: 'D:\\ipam' } }, 'D:\\ipam'],
  [{ ipam: { dataDir: '' } }, undefined],
  [{ ipam: { dataDir: 7 } }, undefined],
])("host-local's folder in %j is %s", (config, expected) => {
  expect(dataDirIn(config)).toBe(expected);
});

test.each([
  [{ dataDir: 'D:\\ipam' }, '10.244.1.5', true, 'D:\\ipam/pods/10.244.1.5'],
  [{}, 'fd00:10:244::5', true, '/var/lib/cni/networks/pods/fd00_10_244__5'],
  [{}, 'fd00:10:244::5', false, '/var/lib/cni/networks/pods/fd00:10:244::5'],
])("host-local's file with %j for %s (Windows: %s) is %s", (ipam, address, windows, expected) => {
  expect(leaseFile({ name: 'pods', ipam }, address, windows)).toBe(expected);
});
