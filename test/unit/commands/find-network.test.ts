import { describe, expect, test } from 'vitest';
import { findNetwork } from '../../../src/commands/network.ts';
import { defaultBehavior, dropInBehavior } from '../../../src/config/behavior.ts';
import { networkId } from '../../../src/model/identity.ts';
import { faultsOf, type SmallHcnOptions, smallHcn } from '../hcn/small-hcn.ts';

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
  const own = { ID: ours, Name: 'cbr0' };
  const renamed = { ID: ours, Name: 'renamed' };
  const named = { ID: other, Name: 'cbr0' };
  const decoy = { ID: '33333333-2222-4333-8444-555555555555', Name: 'Default Switch' };
  const broken = { ID: 'aaaaaaaa-0000-4000-8000-000000000001', Name: 'cbr0' };
  const byName = [enumerate, `open Network ${other}`, `query Network ${other}`];
  const all = { answer: JSON.stringify([decoy.ID, other]) };

  test.each<[string, SmallHcnOptions, string | undefined, readonly string[]]>([
    ['is opened by its derived id, without an enumeration', { networks: [own] }, ours, [open, query]],
    ['may have its name in another case', { networks: [{ ...own, Name: 'CBR0' }] }, ours, [open, query]],
    ['is found by its name if HNS chose its id', { networks: [named] }, other, [open, ...byName]],
    [
      'is the one of its name if HNS ignores the filter and lists another one first',
      { networks: [decoy, named], ...faultsOf({ [enumerate]: [all] }) },
      other,
      [open, enumerate, `open Network ${decoy.ID}`, `query Network ${decoy.ID}`, ...byName.slice(1)],
    ],
    [
      'is the usable one if HNS refuses to open another of its name first',
      { networks: [broken, named], ...faultsOf({ [`open Network ${broken.ID}`]: [0x803b0003] }) },
      other,
      [open, enumerate, `open Network ${broken.ID}`, ...byName.slice(1)],
    ],
    ['is absent if neither its id nor its name exists', {}, undefined, [open, enumerate]],
    ['is the one with its derived id if two have its name', { networks: [named, own] }, ours, [open, query]],
    [
      'is not a network of another name with its derived id',
      { networks: [renamed, named] },
      other,
      [open, query, ...byName],
    ],
    [
      'is found by its name if HNS refuses to open its derived id',
      { networks: [own], ...faultsOf({ [open]: [0x80070057] }) },
      ours,
      [open, enumerate, open, query],
    ],
  ])('%s', async (_, options, found, calls) => {
    expect(await lookUp(options)).toEqual({ found, calls });
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
