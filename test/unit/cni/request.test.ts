import { describe, expect, test } from 'vitest';
import { findCniArg, readRequest } from '../../../src/cni/request.ts';

const netns = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
const environment = { CNI_COMMAND: 'ADD', CNI_CONTAINERID: 'c0ffee', CNI_IFNAME: 'eth0', CNI_NETNS: netns };

describe('the environment', () => {
  test.each([
    [`{${netns}}`, netns],
    [`C:\\ns\\${netns}`, netns],
    [`/run/netns/${netns.toUpperCase()}`, netns],
    [`x${netns}`, undefined],
    [`${netns}0`, undefined],
    [undefined, undefined],
  ])('of a DEL with CNI_NETNS %s has the namespace %s', (CNI_NETNS, namespaceId) => {
    expect(readRequest({ ...environment, CNI_COMMAND: 'DEL', CNI_NETNS })).toEqual({
      command: 'DEL',
      containerId: 'c0ffee',
      ifname: 'eth0',
      namespaceId,
    });
  });

  test.each(['fifteen-bytes-0', '...', '.a'])('may name interface %s', (CNI_IFNAME) => {
    expect(readRequest({ ...environment, CNI_IFNAME })).toMatchObject({ ifname: CNI_IFNAME });
  });
});

describe('an invalid environment', () => {
  test('with the command "" names all commands', () => {
    expect(() => readRequest({ ...environment, CNI_COMMAND: '' })).toThrow(
      expect.objectContaining({
        code: 4,
        message: 'CNI_COMMAND is "", expected ADD, CHECK, DEL, GC, STATUS or VERSION',
      }),
    );
  });

  test.each(['.', '..', 'sixteen-bytes-01', 'ü2345678901234x', 'a/b', 'a:b', 'a b', 'a\u0085b'])(
    'with the interface name %j gives the rule of libcni',
    (CNI_IFNAME) => {
      expect(() => readRequest({ ...environment, CNI_IFNAME })).toThrow(
        `CNI_IFNAME is ${JSON.stringify(CNI_IFNAME)}, expected at most 15 bytes, not "." or "..", without "/", ":" or white space`,
      );
    },
  );

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
});

describe('a pair of CNI_ARGS', () => {
  test.each([
    ['that occurs twice has the last value, as in libcni', 'MAC=a;MAC=b', 'b'],
    ['with an empty value is absent', 'MAC=', undefined],
    ['with a longer name is not a match', 'OTHERMAC=a', undefined],
  ])('%s', (_, cniArgs, value) => {
    expect(findCniArg(cniArgs, 'MAC')).toBe(value);
  });
});
