import { describe, expect, test } from 'vitest';
import { captureTraffic, filterOptions } from '../../../../src/cli/capture/filters.ts';
import type { Destination } from '../../../../src/cli/traffic/destination.ts';

describe('the filters', () => {
  const endpoint = (IpAddress: string) => ({
    ID: 'e',
    Name: 'web',
    HostComputeNetwork: 'n',
    MacAddress: '00-15-5D-52-C0-00',
    IpConfigurations: [{ IpAddress }],
    SchemaVersion: { Major: 2, Minor: 0 },
  });
  const optionsFor = (address: string, destinations: readonly Destination[], isOverlay = false) => {
    const traffic = captureTraffic([endpoint(address)], destinations, isOverlay, () => []);
    return 'problem' in traffic ? traffic : traffic.filters.map((filter) => filterOptions(filter).join(' '));
  };

  test('match inside VXLAN on an Overlay network, and any source if the path is unknown', () => {
    expect(optionsFor('10.244.1.2', [{ address: '10.0.0.9', protocol: 1 }], true)).toEqual([
      '-t ICMP -i 10.244.1.2 10.0.0.9 -e',
      '-t ICMP -i 10.0.0.9 -e',
      '-m 00-15-5D-52-C0-00 -d ARP -e',
    ]);
  });

  test('for IPv6 match neighbor discovery', () => {
    expect(optionsFor('fd00:10::2', [{ address: 'fd00::1', protocol: 132 }])).toEqual([
      '-t 132 -i fd00:10::2 fd00::1',
      '-t 132 -i fd00::1',
      '-m 00-15-5D-52-C0-00 -t ICMPv6',
    ]);
  });

  test('match all traffic of the pod if there are more than eight', () => {
    const destinations = [5, 6, 7, 8].map((last) => ({ address: `10.0.0.${last}` }));
    expect(optionsFor('10.244.1.2', destinations)).toEqual(['-m 00-15-5D-52-C0-00', '-i 10.244.1.2']);
  });
});
