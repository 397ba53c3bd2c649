import { expect, test } from 'vitest';
import {
  hostComputeQuery,
  hostPortsIn,
  isKey,
  version1Query,
  withoutKeys,
} from '../../../src/hcn/documents.ts';
import { guidBytes } from '../../../src/hcn/guid.ts';

test('the host ports of policies are those of PortMapping policies', () => {
  const settings = (ExternalPort: unknown) => ({ Settings: { ExternalPort } });
  expect(hostPortsIn()).toEqual([]);
  expect(
    hostPortsIn([
      { Type: 'PortMapping', ...settings(8080) },
      { Type: 'ACL', ...settings(1) },
      { Type: 'PortMapping', ...settings('53') },
      { Type: 'PortMapping' },
      { Type: 'PortMapping', ...settings(53) },
    ]),
  ).toEqual([8080, 53]);
});

test('a query has the schema version, and the filter as text', () => {
  expect(version1Query).toBe('{"SchemaVersion":{"Major":1,"Minor":0}}');
  expect(hostComputeQuery()).toBe('{"SchemaVersion":{"Major":2,"Minor":0},"Flags":0}');
  expect(hostComputeQuery({ Name: 'nat', IsDefault: true })).toBe(
    '{"SchemaVersion":{"Major":2,"Minor":0},"Flags":0,"Filter":"{\\"Name\\":\\"nat\\",\\"IsDefault\\":true}"}',
  );
});

test('a member that holds a secret key ends in key, but is no public key and no word such as monkey', () => {
  const keys = 'key Key PresharedKey apiKey API_KEY ssh-key publicityKey'.split(' ');
  const others = 'keys keyName monkey donkey turkey hockey jockey whiskey publicKey public-key PUBLIC_KEY';
  expect([...keys, ...others.split(' ')].filter(isKey)).toEqual(keys);
});

test('a document is shown without the texts of secret keys', () => {
  const document = { Type: 'Encryption', Settings: { PresharedKey: 'x', Key: 7, Name: 'y', Monkey: 'z' } };
  expect(withoutKeys(document)).toBe(
    '{"Type":"Encryption","Settings":{"PresharedKey":"(secret)","Key":7,"Name":"y","Monkey":"z"}}',
  );
});

test('the bytes of a GUID are three little-endian numbers, then eight bytes', () => {
  expect(guidBytes('00112233-4455-6677-8899-aabbccddeeff').toString('hex')).toBe(
    '33221100554477668899aabbccddeeff',
  );
});
