import { describe, expect, test } from 'vitest';
import { dropReasonText } from '../../../../src/cli/capture/drop-reasons.ts';
import { parseLog } from '../../../../src/cli/capture/log.ts';
import { parseFilterNames, parseStatus } from '../../../../src/cli/capture/pktmon.ts';
import { windowsText } from '../../../../src/cli/terminal/run-program.ts';
import * as recorded from './recorded.ts';

test.each<[string, string, ReturnType<typeof parseStatus>]>([
  ['running, with its log', recorded.running, { log: 'C:\\WINDOWS\\system32\\PktMon.etl' }],
  ['running on a share', 'Log file: \\\\server\\a\\b.etl', { log: '\\\\server\\a\\b.etl' }],
  ['running without a log', 'Packet Monitor is running.', { log: undefined }],
  ['running without a log, translated', 'A:\n    B\n', { log: undefined }],
  ['unknown, as if it ran', '\r\n', { log: undefined }],
  ...[recorded.notRunning, ...recorded.notRunningTranslated].map((text): [string, string, undefined] => [
    'idle',
    text,
    undefined,
  ]),
])('the status is %s: %j', (_, output, status) => {
  expect(parseStatus(output)).toEqual(status);
});

test.each([
  ['none', recorded.noFilters, []],
  ['none in Korean', recorded.noFiltersKorean, []],
  ['one with a name', recorded.oneFilter, ['WebTraffic']],
  ['those of Defender', recorded.defenderFilters, ['SenseNdr', 'SenseNdr', 'SenseNdr', 'SenseNdr']],
  ['one without a table', 'Packet Filters:\n # Name    Port\n 1 <empty> 3101', ['<empty>']],
  ['unknown', 'Filters are\nlisted\nin another form', undefined],
])('the filters are %s', (_, output, names) => {
  expect(parseFilterNames(output)).toEqual(names);
});

describe('the log has', () => {
  test('packets, and components with their properties', () => {
    expect(parseLog(recorded.serverLog)).toEqual({
      events: [
        {
          packet: '281474976710694.1',
          component: 57,
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
    });
  });

  test('drops with their reasons', () => {
    expect(parseLog(`${recorded.droppedPacket}${recorded.droppedArp}`).events).toEqual([
      {
        packet: '8444249301423149.1',
        component: 49,
        drop: 'INET: transport endpoint was not found',
        ends: [{ source: '192.168.5.88', destination: '192.168.5.68' }],
      },
      {
        packet: '10696049115005232.1',
        component: 2,
        drop: '228',
        ends: [{ source: '10.71.1.125', destination: '10.71.1.69', isArp: true }],
      },
    ]);
  });

  test.each([['with translated labels', recorded.koreanPacket, 80, '192.0.2.10', '192.0.2.1']])(
    'packets %s',
    (_, text, component, source, destination) => {
      expect(parseLog(text).events).toMatchObject([{ component, ends: [{ source, destination }] }]);
    },
  );

  test('the inner addresses of an encapsulated packet, and those of IPv6', () => {
    const text = `${recorded.koreanPacket}\t\tip6: fd00:10::2.50000 > fd00:96::a.53: UDP, length 30\r\n`;
    expect(parseLog(text).events[0]?.ends).toEqual([
      { source: '192.0.2.10', destination: '192.0.2.1' },
      { source: 'fd00:10::2', destination: 'fd00:96::a' },
    ]);
  });

  test('lines of packets in an unknown form, which are left out', () => {
    const line = '[00]0000.0000::2026 [Microsoft-Windows-PktMon] PktGroupId 1, PktNumber 1, Appearance\n';
    expect(parseLog(line)).toEqual({ events: [], components: [] });
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
