import { describe, expect, test } from 'vitest';
import { parseLog } from '../../../../src/cli/capture/log.ts';
import { countFilters, isCapturing } from '../../../../src/cli/capture/pktmon.ts';
import { windowsText } from '../../../../src/cli/terminal/run-program.ts';
import * as recorded from './recorded.ts';

test.each<[string, string, boolean]>([
  ['running', recorded.running, true],
  ['running, translated', 'A:\n    B\n', true],
  ['unknown, as if it ran', '\r\n', true],
  ...[recorded.notRunning, ...recorded.notRunningTranslated].map((text): [string, string, boolean] => [
    'idle',
    text,
    false,
  ]),
])('the status is %s: %j', (_, output, expected) => {
  expect(isCapturing(output)).toBe(expected);
});

test.each([
  ['none', recorded.noFilters, 0],
  ['none in Korean', recorded.noFiltersKorean, 0],
  ['those of Defender', recorded.defenderFilters, 4],
  ['one without a table', 'Packet Filters:\n # Name    Port\n 1 <empty> 3101', 1],
  ['unknown', 'Filters are\nlisted\nin another form', undefined],
])('the filters are %s', (_, output, count) => {
  expect(countFilters(output)).toBe(count);
});

describe('the log has', () => {
  test('packets, and components with their properties', () => {
    expect(parseLog(recorded.serverLog)).toEqual({
      events: [{ packet: '281474976710694.1', component: 57, sources: ['172.26.45.95'] }],
      components: new Map([
        [135, { name: 'cbr0_pod', driver: 'vmswitch.sys', mac: '00-15-5D-3A-AA-31' }],
        [106, { name: 'TCP/IPv4 - L3/L4', driver: 'tcpip.sys' }],
      ]),
    });
  });

  test.each([
    ['of a drop', recorded.droppedPacket, 49, ['192.168.5.88'], 'INET: transport endpoint was not found'],
    ['of a drop with a number for the reason', recorded.droppedArp, 2, [], '228'],
    ['with translated labels', recorded.koreanPacket, 80, ['192.0.2.10'], undefined],
    [
      'of an encapsulated packet and IPv6',
      `${recorded.koreanPacket}\t\tip6: fd00:10::2.50000 > fd00:96::a.53: UDP, length 30\r\n`,
      80,
      ['192.0.2.10', 'fd00:10::2'],
      undefined,
    ],
  ])('the report %s', (_, text, component, sources, drop) => {
    expect(parseLog(text).events).toEqual([
      { packet: expect.any(String), component, sources, ...(drop !== undefined && { drop }) },
    ]);
  });

  test('lines of packets in an unknown form, which are left out', () => {
    const line = '[00]0000.0000::2026 [Microsoft-Windows-PktMon] PktGroupId 1, PktNumber 1, Appearance\n';
    expect(parseLog(line)).toEqual({ events: [], components: new Map() });
  });
});

test.each([
  ['UTF-8', [0xc3, 0xa4], 'ä'],
  ['UTF-16 with a mark', [0xff, 0xfe, 0xe4, 0x00], 'ä'],
  ['UTF-16 without a mark', [0x50, 0x00, 0x6b, 0x00], 'Pk'],
  ['an unknown code page', [0x50, 0xb6], 'P¶'],
])('text is read as %s', (_, bytes, text) => {
  expect(windowsText(Uint8Array.from(bytes))).toBe(text);
});
