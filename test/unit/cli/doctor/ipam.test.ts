import { describe, expect, test } from 'vitest';
import { countAddresses, readRangeSets } from '../../../../src/cli/conflist/host-local-ranges.ts';
import { ipamAddresses } from '../../../../src/cli/doctor/checks/ipam.ts';
import type { HostLocal } from '../../../../src/cli/doctor/snapshot.ts';
import { diagnosed, node, snapshot, withAddress } from './snapshot.ts';

const range = { start: '10.244.1.10', end: '10.244.1.11', gateway: '10.244.1.1' };
const folder = 'C:\\var\\lib\\cni\\networks\\pods';
const reserved = (address: string, container: string) => ({
  network: 'pods',
  address,
  container,
  file: `${folder}\\${address}`,
  reserved: '2026-01-01T00:00:00.000Z',
});
const store = (given: Partial<HostLocal>): HostLocal => ({
  folder,
  rangeSets: [[range]],
  reservations: [],
  problems: [],
  ...given,
});

const endpoints = [withAddress('a', '10.244.1.10'), withAddress('b', '10.244.1.11')];
const diagnose = (hostLocal: HostLocal | undefined) =>
  diagnosed(ipamAddresses, { ...node({ endpoints }), hostLocal });

describe('addresses of host-local', () => {
  test('are not reported for another IPAM plugin', () => {
    expect(diagnose(undefined)).toEqual([]);
  });

  test('pass if some are free', () => {
    expect(diagnose(store({ reservations: [reserved('10.244.1.10', 'web')] }))).toEqual([
      `PASS 1 address reserved in ${folder}, as the pods of this node have them`,
    ]);
  });

  test('fail if none is free', () => {
    const reservations = [reserved('10.244.1.10', 'web'), reserved('10.244.1.11', 'api')];
    expect(diagnose(store({ reservations }))).toEqual([
      'FAIL no free address in 10.244.1.10 to 10.244.1.11: the next pod cannot start; enlarge the range | see: Get-ChildItem C:\\var\\lib\\cni\\networks\\pods',
    ]);
  });

  test('are stale without an endpoint and a namespace', () => {
    expect(diagnose(store({ reservations: [reserved('10.244.1.27', 'evicted')] }))).toEqual([
      'WARN stale lease, its container has no endpoint and no namespace | 10.244.1.27 (container evicted) | noun: address | see: win-hcn gc --conf C:\\etc\\cni\\net.d\\10-pods.conf',
    ]);
  });

  test('are not stale while an ADD in progress may need them', () => {
    const starting = { ...reserved('10.244.1.27', 'starting'), reserved: '2030-01-01T23:59:00.000Z' };
    expect(diagnose(store({ reservations: [starting, reserved('10.244.1.28', 'evicted')] }))).toEqual([
      'WARN stale lease, its container has no endpoint and no namespace | 10.244.1.28 (container evicted) | noun: address | see: win-hcn gc --conf C:\\etc\\cni\\net.d\\10-pods.conf',
    ]);
  });

  test('are not compared without HCN', () => {
    const hostLocal = store({ reservations: [reserved('10.244.1.27', 'evicted')] });
    expect(diagnosed(ipamAddresses, { ...snapshot(), hostLocal })).toEqual([]);
  });

  test('are unknown if the store cannot be read', () => {
    expect(diagnose(store({ problems: [`cannot list ${folder}: access is denied`] }))).toEqual([
      `UNKNOWN cannot list ${folder}: access is denied | see: Get-ChildItem ${folder}`,
    ]);
  });
});

describe('ranges of host-local', () => {
  test('are those of the configuration’s own keys, then each set of ranges', () => {
    const { sets, problems } = readRangeSets({
      subnet: '10.1.2.0/24',
      ranges: [
        [{ Subnet: '10.1.3.0/24', rangeStart: '10.1.3.10', rangeEnd: '10.1.3.20' }],
        [{ subnet: 'fd00::/64' }],
      ],
    });
    expect(problems).toEqual([]);
    expect(sets.map((set) => set.map(({ start, end, gateway }) => ({ start, end, gateway })))).toEqual([
      [{ start: '10.1.2.1', end: '10.1.2.254', gateway: '10.1.2.1' }],
      [{ start: '10.1.3.10', end: '10.1.3.20', gateway: '10.1.3.1' }],
      [{ start: 'fd00::1', end: 'fd00::ffff:ffff:ffff:ffff', gateway: 'fd00::1' }],
    ]);
    expect(sets.map(countAddresses)).toEqual([253n, 11n, 2n ** 64n - 2n]);
  });
});
