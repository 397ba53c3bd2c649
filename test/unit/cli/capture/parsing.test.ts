import { describe, expect, test } from 'vitest';
import { dropReasonText } from '../../../../src/cli/capture/drop-reasons.ts';
import { parseComponents } from '../../../../src/cli/capture/parse-components.ts';
import { parseCounters } from '../../../../src/cli/capture/parse-counters.ts';
import { parseFilterNames } from '../../../../src/cli/capture/parse-filters.ts';
import { parseLog } from '../../../../src/cli/capture/parse-log.ts';
import { parseStatus } from '../../../../src/cli/capture/parse-status.ts';
import { windowsText } from '../../../../src/cli/terminal/windows-text.ts';
import * as recorded from './recorded.ts';

describe('the status is', () => {
  test('running, with the log file', () => {
    expect(parseStatus(recorded.running)).toEqual({
      is: 'running',
      log: 'C:\\WINDOWS\\system32\\PktMon.etl',
    });
  });

  test.each(['Packet Monitor is running.', 'Collected Data:\n    Packet counters\n'])(
    'running without a log file: %j',
    (output) => {
      expect(parseStatus(output)).toEqual({ is: 'running' });
    },
  );

  test.each([recorded.notRunning, ...recorded.notRunningTranslated])('idle: %j', (output) => {
    expect(parseStatus(output)).toEqual({ is: 'idle' });
  });

  test('unknown if pktmon prints nothing', () => {
    expect(parseStatus('\r\n')).toEqual({ is: 'unknown' });
  });
});

test.each([
  ['none', recorded.noFilters, []],
  ['none in Korean', recorded.noFiltersKorean, []],
  ['one with a name', recorded.oneFilter, ['WebTraffic']],
  ['those of Defender', recorded.defenderFilters, ['SenseNdr', 'SenseNdr', 'SenseNdr', 'SenseNdr']],
  ['those of an early build', recorded.earlyFilters, ['IP-TCP-SYN-443']],
  ['one without a table', 'Packet Filters:\n # Name    Port\n 1 <empty> 3101', ['<empty>']],
  ['unknown', 'Filters are\nlisted\nin another form', undefined],
])('the filters are %s', (_, output, names) => {
  expect(parseFilterNames(output)).toEqual(names);
});

describe('the components are read from', () => {
  test('JSON', () => {
    expect(parseComponents(recorded.componentsJson)).toEqual([
      {
        id: 12,
        name: 'Microsoft Hyper-V Network Adapter',
        type: 'Miniport',
        driver: 'netvsc.sys',
        group: 'Ethernet',
        properties: new Map([
          ['ifindex', ['7']],
          ['ethertype', ['ARP', 'IPv4']],
        ]),
      },
    ]);
  });

  test('the table of adapters', () => {
    expect(parseComponents(recorded.adapterTable)).toEqual([
      {
        id: 595,
        name: 'Dell Giga Ethernet',
        properties: new Map([['physaddress', ['38-00-20-09-00-2A']]]),
      },
      {
        id: 10,
        name: 'Intel(R) Wi-Fi 6 AX201 160MHz',
        properties: new Map([['physaddress', ['D0-00-10-07-00-8A']]]),
      },
      {
        id: 121,
        name: 'vEthernet (WSL)',
        properties: new Map([['physaddress', ['00-00-50-0E-00-EF']]]),
      },
    ]);
  });

  test('the list of an early build', () => {
    const properties = new Map();
    expect(parseComponents(recorded.earlyComponents)).toEqual([
      { id: 13, name: 'vSwitch External', group: 'vSwitch External', properties },
      { id: 136, name: 'vSwitch External', group: 'vSwitch External', properties },
      { id: 17, name: 'F5 Networks VPN Adapter', group: 'F5 Networks VPN Adapter', properties },
    ]);
  });

  test.each(['', 'Unknown command', '[{ cut'])('nothing else: %j', (output) => {
    expect(parseComponents(output)).toBeUndefined();
  });
});

describe('the counters', () => {
  test('of packets and drops are read, with the reason by name', () => {
    const about = { component: 12, name: 'Ethernet', group: 'Ethernet' };
    expect(parseCounters(recorded.countersJson)).toEqual([
      { ...about, direction: 'in', packets: 4 },
      { ...about, direction: 'in', packets: 4 },
      { ...about, direction: 'out', packets: 2 },
      { ...about, direction: 'in', packets: 1, drop: { reason: 'NL_NoRoute (907)' } },
    ]);
  });

  test('are none without packets', () => {
    expect(parseCounters('[]')).toEqual([]);
  });

  test('are unknown if the JSON is broken, as translated texts have broken it', () => {
    expect(parseCounters('[{ "Group": "丢')).toBeUndefined();
  });
});

describe('the log has', () => {
  test('packets, and components with their properties', () => {
    expect(parseLog(recorded.serverLog)).toEqual({
      events: [
        {
          packet: '281474976710694.1',
          component: 57,
          direction: 'out',
          ends: [{ source: '172.26.45.95', destination: '10.244.0.1' }],
        },
      ],
      components: [
        {
          id: 135,
          name: 'cbr0_pod',
          type: 'VmsMiniport',
          driver: 'vmswitch.sys',
          properties: new Map([
            ['vmsextifindex', ['16']],
            ['vmswitchname', ['cd9e5448073a587f400da92998ec9b352227cd54e3dc80fb9bb7d6bcbe7305a5']],
            ['physaddress', ['0x00155D3AAA31']],
            ['ifindex', ['26']],
          ]),
        },
        {
          id: 106,
          name: 'TCP/IPv4 - L3/L4',
          type: '11',
          driver: 'tcpip.sys',
          properties: new Map([
            ['compartment id', ['4']],
            ['ip address', ['172.26.45.95']],
          ]),
        },
      ],
      unreadable: 0,
    });
  });

  test('drops with their reasons', () => {
    expect(parseLog(`${recorded.droppedPacket}${recorded.droppedArp}`).events).toEqual([
      {
        packet: '8444249301423149.1',
        component: 49,
        direction: 'in',
        drop: { reason: 'INET: transport endpoint was not found', location: '0xE000460A' },
        ends: [{ source: '192.168.5.88', destination: '192.168.5.68' }],
      },
      {
        packet: '10696049115005232.1',
        component: 2,
        direction: 'in',
        drop: { reason: '228', location: '0xE000100F' },
        ends: [{ source: '10.71.1.125', destination: '10.71.1.69', isArp: true }],
      },
    ]);
  });

  test.each([
    ['with translated labels', recorded.koreanPacket, 80, '192.0.2.10', '192.0.2.1'],
    ['of an early build', recorded.earlyPacket, 78, '192.168.0.62', '172.217.2.115'],
  ])('packets %s', (_, text, component, source, destination) => {
    expect(parseLog(text).events).toMatchObject([
      { component, direction: 'out', ends: [{ source, destination }] },
    ]);
  });

  test('the inner addresses of an encapsulated packet, and those of IPv6', () => {
    const text = `${recorded.koreanPacket}\t\tip6: fd00:10::2.50000 > fd00:96::a.53: UDP, length 30\r\n`;
    expect(parseLog(text).events[0]?.ends).toEqual([
      { source: '192.0.2.10', destination: '192.0.2.1' },
      { source: 'fd00:10::2', destination: 'fd00:96::a' },
    ]);
  });

  test('lines of packets in an unknown form, which are counted', () => {
    const line = '[00]0000.0000::2026 [Microsoft-Windows-PktMon] PktGroupId 1, PktNumber 1, Appearance\n';
    expect(parseLog(line)).toEqual({ events: [], components: [], unreadable: 1 });
  });
});

test.each([
  ['12', 'FailedSecurityPolicy (12)'],
  ['718', 'PortBlocked (718)'],
  ['907', 'NL_NoRoute (907)'],
  ['228', '228'],
  ['MTU Mismatch', 'MTU Mismatch'],
])('the drop reason %s is %s', (reason, text) => {
  expect(dropReasonText(reason)).toBe(text);
});

test.each([
  ['UTF-8', [0xc3, 0xa4], 'ä'],
  ['UTF-16 with a mark', [0xff, 0xfe, 0xe4, 0x00], 'ä'],
  ['UTF-16 without a mark', [0x50, 0x00, 0x6b, 0x00], 'Pk'],
  ['an unknown code page', [0x50, 0xb6], 'P¶'],
])('text is read as %s', (_, bytes, text) => {
  expect(windowsText(Uint8Array.from(bytes))).toBe(text);
});

test('a drop reason is cut to 200 characters', () => {
  expect(dropReasonText('x'.repeat(100_000))).toBe(`${'x'.repeat(200)}...`);
});
