// Stdin, and its copy for the IPAM plugin.

import type { Writable } from 'node:stream';
import { expect } from 'vitest';
import { type Case, expectRefusal, type Row } from '../case.ts';

const utf16 = (json: string): Buffer => Buffer.from(json, 'utf16le');
const mark = (...bytes: readonly number[]): Buffer => Buffer.from(bytes);

/** win-hcn decodes each of these, and writes UTF-8 without a mark. */
const encodings: readonly [string, (json: string) => Uint8Array][] = [
  ['UTF-8 with a mark', (json) => Buffer.concat([mark(0xef, 0xbb, 0xbf), Buffer.from(json)])],
  ['UTF-16LE with a mark', (json) => Buffer.concat([mark(0xff, 0xfe), utf16(json)])],
  ['UTF-16BE with a mark', (json) => Buffer.concat([mark(0xfe, 0xff), utf16(json).swap16()])],
  ['UTF-16LE without a mark', utf16],
];

const notJson = (what: string, encode: (json: string) => string): Row => ({
  what,
  encode,
  becomes: { error: 6 },
});
const success = { result: { ips: [{ address: '10.5.0.2/24' }] } };

/** JSON that JSON.parse and JSON.stringify change. */
const fragile = '"x-n":[9007199254740993,1e400,1.0],"x-s":"\\u003c","x-d":1,"x-d":2';

export const stdinCases: readonly Case[] = [
  {
    spec: '5',
    says: 'empty stdin is error 6',
    windows: 'too',
    rows: ['', '  \r\n'].map((stdin) => ({
      what: JSON.stringify(stdin),
      stdin,
      becomes: { error: 6, says: ['empty'] },
    })),
  },
  {
    spec: '5',
    says: 'stdin other than one JSON document is error 6',
    rows: [
      notJson('a word', () => 'hello'),
      notJson('a document that is cut off', (json) => json.slice(0, -1)),
      notJson('letters after the document', (json) => `${json}xx`),
      notJson('two documents', (json) => json + json),
      notJson('a zero byte after the document', (json) => `${json}\0`),
    ],
  },
  {
    spec: '5',
    says: 'null is error 6',
    rows: [{ stdin: 'null', becomes: { error: 6, says: ['null'] } }],
  },
  {
    spec: '5',
    says: 'a document other than an object is error 6',
    rows: ['[]', '"x"', '1', 'true'].map((stdin) => ({ what: stdin, stdin, becomes: { error: 6 } })),
  },
  {
    says: 'white space may follow the document',
    rows: [{ encode: (json) => `${json}\r\n\r\n`, becomes: success }],
  },
  ...encodings.map(
    ([encoding, encode]): Case => ({
      says: `stdin may be ${encoding} (skel refuses it)`,
      story: async ({ cni, ipam, config }) => {
        const changes = { 'x-text': 'Grüße 🐋' };
        expect(await cni({ config: changes, encode })).toMatchObject({ ok: true });
        expect(ipam.stdin('ADD')).toBe(JSON.stringify(config(changes)));
      },
    }),
  ),
  {
    spec: '5',
    says: 'what only resembles JSON is error 6',
    rows: [
      notJson('a line comment', (json) => `// why\n${json}`),
      notJson('a block comment', (json) => json.replace('{', '{/* why */')),
      notJson('a trailing comma', (json) => json.replace(/}$/, ',}')),
      notJson('single quotes', (json) => json.replaceAll('"', "'")),
      notJson('NaN', (json) => json.replace(/}$/, ',"x-n":NaN}')),
    ],
  },
  {
    says: 'bytes that are not UTF-8 are replaced',
    rows: [
      {
        encode: (json) => Buffer.from(json.replace(/}$/, ',"x-s":"a\xffb"}'), 'latin1'),
        becomes: success,
      },
    ],
  },
  {
    says: 'half a surrogate pair is accepted',
    rows: [{ encode: (json) => json.replace(/}$/, ',"x-\\ud800":"\\udfff"}'), becomes: success }],
  },
  {
    says: '20000 nested lists are refused, in ignored keys too',
    rows: [
      {
        encode: (json) => json.replace(/}$/, `,"x-deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}`),
        becomes: { error: 6, says: ['nested'] },
      },
    ],
  },
  {
    spec: '4; 5',
    says: '1 MiB reaches the IPAM plugin complete; 10 MiB is error 5 (skel reads it)',
    story: async ({ cni, ipam, config }) => {
      expectRefusal(await cni({ config: { 'x-big': 'x'.repeat(10 * 2 ** 20) } }), 5, 'exceeds 1048576 bytes');
      const changes = { 'x-big': 'x'.repeat(2 ** 20 - 2 ** 12) };
      expect(await cni({ config: changes })).toMatchObject({ ok: true });
      expect(ipam.stdin('ADD') === JSON.stringify(config(changes))).toBe(true);
    },
  },
  {
    says: '100 MiB are read or refused',
    story: async ({ cni }) => {
      const answer = await cni({ config: { 'x-big': 'x'.repeat(100 * 2 ** 20), ipam: undefined } });
      if (!answer.ok) expectRefusal(answer, [5, 6]);
    },
  },
  {
    says: 'slow stdin is read to its end',
    story: async ({ cni, config }) => {
      const bytes = Buffer.from(JSON.stringify(config()));
      const answer = await cni({
        stdin: (pipe) => void writeSlowly(pipe, bytes),
      });
      expect(answer).toMatchObject({ ok: true, json: success.result });
    },
  },
  {
    says: 'no stdin counts as empty',
    windows: 'too',
    rows: [{ what: 'NUL', stdinFrom: 'nul', becomes: { error: 6, says: ['empty'] } }],
  },
  {
    says: 'no stdin counts as empty',
    rows: [{ what: 'closed', stdinFrom: 'closed', becomes: { error: 6, says: ['empty'] } }],
  },
  {
    says: 'the last of two equal keys is used',
    rows: [{ encode: (json) => json.replace('{', '{"name":"a/b",'), becomes: success }],
  },
  {
    says: 'keys are case-insensitive',
    rows: [
      {
        encode: (json) =>
          json
            .replace('"name"', '"NAME"')
            .replace('"cniVersion"', '"CNIVERSION"')
            .replace('"networkType"', '"NetworkType"')
            .replace('"subnets"', '"Subnets"')
            .replace('"subnet"', '"SUBNET"')
            .replace('"ipam":{"type"', '"IPAM":{"Type"')
            .replace(/}$/, ',"Dns":{"NameServers":["10.96.0.10"]}}'),
        becomes: {
          result: {
            cniVersion: '1.1.0',
            ips: [{ address: '10.5.0.2/24' }],
            dns: { nameservers: ['10.96.0.10'] },
          },
        },
      },
    ],
  },
  {
    spec: '4',
    says: 'keys like __proto__ are harmless and passed on',
    story: async ({ cni, ipam, hns }) => {
      const own = '"__proto__":{"dns":{"servers":["6.6.6.6"]}},"constructor":{"prototype":{"x":1}}';
      const added = await cni({
        encode: (json) =>
          json
            .replace('"ipam":{', `"ipam":{${own},`)
            .replace(/}$/, `,"runtimeConfig":{${own}},"args":{${own},"cni":{${own}}}}`),
      });
      expect(added).toMatchObject({ ok: true });
      expect(ipam.stdin('ADD').split(own)).toHaveLength(5);
      expect(JSON.stringify(hns.dump().endpoints)).not.toContain('6.6.6.6');
    },
  },
  {
    spec: '4 SHOULD',
    says: 'numbers, escapes and repeated keys are passed on unchanged',
    story: async ({ cni, ipam, config }) => {
      const sent = JSON.stringify(config()).replace(/}$/, `, ${fragile} }`);
      expect(await cni({ stdin: sent })).toMatchObject({ ok: true });
      expect(ipam.stdin('ADD')).toBe(sent);
      await cni({ stdin: sent, command: 'DEL' });
      expect(ipam.stdin('DEL')).toBe(sent);
    },
  },
];

async function writeSlowly(pipe: Writable, bytes: Uint8Array): Promise<void> {
  for (const byte of bytes) {
    pipe.write(Buffer.of(byte));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  pipe.end();
}
