import { describe, expect, test } from 'vitest';
import { findNetwork } from '../../../src/commands/network.ts';
import { defaultBehavior, dropInBehavior } from '../../../src/config/behavior.ts';
import { networkId } from '../../../src/model/identity.ts';
import { type SmallHcnOptions, smallHcn } from '../hcn/small-hcn.ts';

const ours = networkId('cbr0');
const other = '22222222-2222-4333-8444-555555555555';
const key = { name: 'cbr0', createNetwork: 'ifMissing', behavior: defaultBehavior } as const;

const open = `open Network ${ours}`;
const query = `query Network ${ours}`;
const enumerate = 'enumerate Network {"Name":"cbr0"}';

/** Looks up the network. Returns the id of the found one, and the calls. */
async function lookUp(options: SmallHcnOptions, changes: Partial<Parameters<typeof findNetwork>[0]> = {}) {
  const { hcn, calls } = smallHcn(options);
  const found = await findNetwork({ ...key, ...changes }, hcn);
  return { found: found?.ID, calls };
}

describe('the network of a configuration that creates it', () => {
  test('is opened by its derived id, without an enumeration', async () => {
    const networks = [{ ID: ours, Name: 'cbr0' }];
    expect(await lookUp({ networks })).toEqual({ found: ours, calls: [open, query] });
  });

  test('may have its name in another case', async () => {
    const networks = [{ ID: ours, Name: 'CBR0' }];
    expect(await lookUp({ networks })).toEqual({ found: ours, calls: [open, query] });
  });

  test('is found by its name if HNS chose its id, or another program created it', async () => {
    const networks = [{ ID: other, Name: 'cbr0' }];
    const calls = [open, enumerate, `open Network ${other}`, `query Network ${other}`];
    expect(await lookUp({ networks })).toEqual({ found: other, calls });
  });

  test('is the one of its name if HNS ignores the filter and lists another one first', async () => {
    const decoy = '33333333-2222-4333-8444-555555555555';
    const networks = [
      { ID: decoy, Name: 'Default Switch' },
      { ID: other, Name: 'cbr0' },
    ];
    const fault = (call: string) =>
      call === enumerate ? { answer: JSON.stringify([decoy, other]) } : undefined;
    expect(await lookUp({ networks, fault })).toMatchObject({ found: other });
  });

  test('is the usable one if HNS refuses to open another of its name first', async () => {
    const networks = [
      { ID: 'aaaaaaaa-0000-4000-8000-000000000001', Name: 'cbr0' },
      { ID: other, Name: 'cbr0' },
    ];
    const fault = (call: string) => (call.startsWith('open Network aaaa') ? 0x803b0003 : undefined);
    expect(await lookUp({ networks, fault })).toMatchObject({ found: other });
  });

  test('is absent if neither its id nor its name exists', async () => {
    expect(await lookUp({})).toEqual({ found: undefined, calls: [open, enumerate] });
  });

  test('is the one with its derived id if two have its name', async () => {
    const networks = [
      { ID: other, Name: 'cbr0' },
      { ID: ours, Name: 'cbr0' },
    ];
    expect(await lookUp({ networks })).toEqual({ found: ours, calls: [open, query] });
  });

  test('is not a network of another name with its derived id', async () => {
    const networks = [
      { ID: ours, Name: 'renamed' },
      { ID: other, Name: 'cbr0' },
    ];
    const calls = [open, query, enumerate, `open Network ${other}`, `query Network ${other}`];
    expect(await lookUp({ networks })).toEqual({ found: other, calls });
  });

  test('is found by its name if HNS refuses to open its derived id', async () => {
    const networks = [{ ID: ours, Name: 'cbr0' }];
    const fault = (call: string, nth: number) => (call === open && nth === 1 ? 0x80070057 : undefined);
    expect(await lookUp({ networks, fault })).toEqual({ found: ours, calls: [open, enumerate, open, query] });
  });

  test.each([
    ['HNS is not available', 0x800706ba],
    ['HNS does not respond', 'late'],
    ['HNS returns something else', { answer: 'nonsense' }],
  ] as const)('is never absent if %s', async (_, fault) => {
    const networks = [{ ID: ours, Name: 'cbr0' }];
    await expect(lookUp({ networks, fault: () => fault })).rejects.toMatchObject({ code: 11 });
  });
});

test.each([
  ['creates no network', { createNetwork: 'never' }],
  ['is of another plugin', { behavior: dropInBehavior }],
] as const)('the network of a configuration that %s is looked up by name only', async (_, changes) => {
  const networks = [{ ID: ours, Name: 'cbr0' }];
  expect(await lookUp({ networks }, changes)).toEqual({ found: ours, calls: [enumerate, open, query] });
  expect(await lookUp({}, changes)).toEqual({ found: undefined, calls: [enumerate] });
});
