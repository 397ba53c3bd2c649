import { describe, expect, test } from 'vitest';
import { newUndo, type Taken } from '../../../src/commands/undo.ts';

/** Takes what is named, and answers what was given back, in this order, and the failures. */
async function unwound(taken: readonly Taken[], fails: (what: Taken) => boolean = () => false) {
  const undo = newUndo();
  const given: Taken[] = [];
  for (const what of taken) {
    undo.push(what, async () => {
      given.push(what);
      if (fails(what)) throw new Error(`${what} is stuck`);
    });
  }
  return { failures: await undo.unwind(), given };
}

describe('what a request has taken is given back', () => {
  test('last taken first', async () => {
    expect(await unwound(['addresses', 'network', 'endpoint'])).toEqual({
      given: ['endpoint', 'network', 'addresses'],
      failures: [],
    });
  });

  test('but for what was taken back off', async () => {
    const undo = newUndo();
    const given: string[] = [];
    undo.push('addresses', async () => void given.push('addresses'));
    const keep = undo.push('network', async () => void given.push('network'));
    undo.push('endpoint', async () => void given.push('endpoint'));
    keep();
    expect(await undo.unwind()).toEqual([]);
    expect(given).toEqual(['endpoint', 'addresses']);
  });

  test('past what cannot be, which is said', async () => {
    expect(await unwound(['addresses', 'network', 'endpoint'], (what) => what === 'network')).toEqual({
      given: ['endpoint', 'network', 'addresses'],
      failures: ['undoing the network failed: network is stuck'],
    });
  });

  test('but for the addresses of an endpoint that may still have them', async () => {
    expect(await unwound(['addresses', 'network', 'endpoint'], (what) => what === 'endpoint')).toEqual({
      given: ['endpoint', 'network'],
      failures: [
        'undoing the endpoint failed: endpoint is stuck',
        'the addresses stay taken until the next DEL',
      ],
    });
  });

  test('but for the addresses, where the network is stuck as well', async () => {
    expect(await unwound(['addresses', 'network', 'endpoint'], () => true)).toEqual({
      given: ['endpoint', 'network'],
      failures: [
        'undoing the endpoint failed: endpoint is stuck',
        'undoing the network failed: network is stuck',
        'the addresses stay taken until the next DEL',
      ],
    });
  });
});
