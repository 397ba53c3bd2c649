import { describe, expect, test } from 'vitest';
import { findCniArg, readRequest } from '../../../src/cni/request.ts';

const netns = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
const environment = { CNI_COMMAND: 'ADD', CNI_CONTAINERID: 'c0ffee', CNI_IFNAME: 'eth0', CNI_NETNS: netns };

describe('the environment', () => {
  test('of an ADD is a container, an interface and a namespace', () => {
    expect(readRequest(environment)).toEqual({
      command: 'ADD',
      containerId: 'c0ffee',
      ifname: 'eth0',
      netns,
      namespaceId: netns,
    });
  });

  test('of a DEL needs no namespace and ignores an invalid one', () => {
    const request = { command: 'DEL', containerId: 'c0ffee', ifname: 'eth0' };
    expect(readRequest({ ...environment, CNI_COMMAND: 'DEL', CNI_NETNS: '' })).toEqual(request);
    expect(readRequest({ ...environment, CNI_COMMAND: 'DEL', CNI_NETNS: '/proc/1/ns/net' })).toEqual(request);
  });

  test('of a DEL may have a namespace to detach the endpoint from', () => {
    expect(readRequest({ ...environment, CNI_COMMAND: 'DEL', CNI_NETNS: `{${netns}}` })).toEqual({
      command: 'DEL',
      containerId: 'c0ffee',
      ifname: 'eth0',
      namespaceId: netns,
    });
  });

  test('of GC requires CNI_PATH', () => {
    expect(readRequest({ CNI_COMMAND: 'GC', CNI_PATH: '/opt/cni/bin' })).toEqual({ command: 'GC' });
    expect(() => readRequest({ CNI_COMMAND: 'GC' })).toThrow(
      expect.objectContaining({ code: 4, message: 'CNI_PATH is missing' }),
    );
  });

  test.each(['VERSION', 'STATUS'])('of %s requires only CNI_COMMAND', (command) => {
    expect(readRequest({ CNI_COMMAND: command, CNI_CONTAINERID: '..' })).toEqual({ command });
  });

  test('of CHECK is that of an ADD', () => {
    expect(readRequest({ ...environment, CNI_COMMAND: 'CHECK' })).toEqual({
      ...readRequest(environment),
      command: 'CHECK',
    });
  });

  test.each([
    ['in capitals', netns.toUpperCase()],
    ['in capitals, in braces, at the end of a path', `\\\\.\\ns\\{${netns.toUpperCase()}}`],
    ['in braces', `{${netns}}`],
    ['at the end of a path', `C:\\Users\\admin\\${netns}`],
    ['at the end of a path with slashes', `/var/run/${netns}`],
  ])('may have the namespace %s', (_, CNI_NETNS) => {
    expect(readRequest({ ...environment, CNI_NETNS })).toMatchObject({
      netns: CNI_NETNS,
      namespaceId: netns,
    });
  });

  test.each(['a..b', 'a.', 'k8s.io-c1', 'CON', 'a'.repeat(300)])(
    'may name container %s',
    (CNI_CONTAINERID) => {
      expect(readRequest({ ...environment, CNI_CONTAINERID })).toMatchObject({
        containerId: CNI_CONTAINERID,
      });
    },
  );

  test.each(['fifteen-bytes-0', '...', 'a.b', 'ü'])('may name interface %s', (CNI_IFNAME) => {
    expect(readRequest({ ...environment, CNI_IFNAME })).toMatchObject({ ifname: CNI_IFNAME });
  });
});

describe('an invalid environment', () => {
  test.each([undefined, '', 'add'])('with the command %j names all commands', (CNI_COMMAND) => {
    expect(() => readRequest({ ...environment, CNI_COMMAND })).toThrow(
      expect.objectContaining({
        code: 4,
        message: `CNI_COMMAND is "${CNI_COMMAND ?? ''}", expected ADD, CHECK, DEL, GC, STATUS or VERSION`,
      }),
    );
  });

  test('with an invalid interface name gives the rule of libcni', () => {
    expect(() => readRequest({ ...environment, CNI_IFNAME: '..' })).toThrow(
      'CNI_IFNAME is "..", expected at most 15 bytes, not "." or "..", without "/", ":" or white space',
    );
  });

  test('is one error that lists every invalid variable', () => {
    expect(() => readRequest({ CNI_COMMAND: 'ADD', CNI_CONTAINERID: '../x', CNI_NETNS: 'none' })).toThrow(
      expect.objectContaining({
        code: 4,
        message:
          'CNI_CONTAINERID is "../x", expected a letter or digit, then letters, digits, "_", "." or "-"; ' +
          'CNI_IFNAME is missing; ' +
          'CNI_NETNS is "none", expected the GUID of an HCN namespace, or a path that ends in it',
      }),
    );
  });

  test('is the same error for DEL', () => {
    expect(() => readRequest({ CNI_COMMAND: 'DEL' })).toThrow(
      expect.objectContaining({ code: 4, message: 'CNI_CONTAINERID is missing; CNI_IFNAME is missing' }),
    );
  });

  test.each([
    ['CNI_COMMAND', 'add'],
    ['CNI_COMMAND', 'UPDATE'],
    ['CNI_CONTAINERID', ''],
    ['CNI_CONTAINERID', 'a/b'],
    ['CNI_CONTAINERID', '-a'],
    ['CNI_CONTAINERID', '_a'],
    ['CNI_CONTAINERID', 'a b'],
    ['CNI_CONTAINERID', 'é'],
    ['CNI_CONTAINERID', 'abc\n'],
    ['CNI_IFNAME', 'sixteen-bytes-00'],
    ['CNI_IFNAME', 'éééééééé'],
    ['CNI_IFNAME', '.'],
    ['CNI_IFNAME', '..'],
    ['CNI_IFNAME', 'a/b'],
    ['CNI_IFNAME', 'a:b'],
    ['CNI_IFNAME', 'a b'],
    ['CNI_IFNAME', 'a\u00a0b'],
    ['CNI_NETNS', 'not-a-guid'],
    ['CNI_NETNS', '/proc/1/ns/net'],
    ['CNI_NETNS', `x${netns}`],
    ['CNI_NETNS', `${netns}0`],
    ['CNI_NETNS', `/var/run/${netns}/net`],
    ['CNI_NETNS', `{${netns}}}`],
  ])('%s %j is refused, and the error names it', (name, value) => {
    expect(() => readRequest({ ...environment, [name]: value })).toThrow(
      expect.objectContaining({ code: 4, message: expect.stringContaining(name) }),
    );
  });
});

describe('a pair of CNI_ARGS', () => {
  test.each([
    ['that is the only one', 'MAC=a', 'a'],
    ['among others', 'IgnoreUnknown=1;MAC=a;IP=b', 'a'],
    ['with an equals sign in its value', 'MAC=a=b', 'a=b'],
    ['that occurs twice has the last value, as in libcni', 'MAC=a;MAC=b', 'b'],
    ['with an empty value is absent', 'MAC=', undefined],
    ['with a longer name is not a match', 'OTHERMAC=a', undefined],
    ['that is missing is absent', '', undefined],
  ])('%s', (_, cniArgs, value) => {
    expect(findCniArg(cniArgs, 'MAC')).toBe(value);
  });
});
