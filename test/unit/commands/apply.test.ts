import { describe, expect, test } from 'vitest';
import { apply } from '../../../src/commands/apply.ts';
import { newUndo } from '../../../src/commands/undo.ts';
import type { Step } from '../../../src/plan/steps.ts';
import { type Fault, type SmallHcnOptions, smallHcn } from '../hcn/small-hcn.ts';

const network = '22222222-2222-3333-4444-555555555555';
const namespace = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
const id = '070ede33-25ca-53d9-9556-72c268cfd259';
const chosen = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const Name = 'c0ffee_cbr0_eth0';
const document = { Name, HostComputeNetwork: network, SchemaVersion: { Major: 2, Minor: 0 } };
const create: Step = { do: 'create endpoint', network, id, document };
const attach: Step = { do: 'attach endpoint', endpoint: id, namespace };
const endpoints = [{ ID: id, Name, HostComputeNetwork: network }];

/** Takes a step, which may fail, and undoes it; says what could not be undone and what is left. */
async function undone(step: Step, options: SmallHcnOptions = {}) {
  const networks = [{ ID: network, Name: 'cbr0' }];
  const { hcn, calls, all } = smallHcn({ networks, namespaces: [{ ID: namespace }], ...options });
  const undo = newUndo();
  const error: unknown = await apply(step, hcn, undo).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const from = calls.length;
  const failures = await undo.unwind();
  const left = all('Endpoint').map(({ ID }) => ID);
  return { error, failures, left, calls: calls.slice(from) };
}

const failing = (call: string, fault: Fault) => ({
  fault: (made: string) => (made === call ? fault : undefined),
});

describe('an attached endpoint', () => {
  test('is detached from the namespace it was put into, then deleted', async () => {
    expect(await undone(attach, { endpoints })).toEqual({
      error: undefined,
      failures: [],
      left: [],
      calls: [`modify Namespace ${namespace} Remove ${id}`, `delete Endpoint ${id}`],
    });
  });

  test('that HCN refused to attach stays', async () => {
    const attaching = failing(`modify Namespace ${namespace} Add ${id}`, 0x803b001d);
    expect(await undone(attach, { endpoints, ...attaching })).toMatchObject({ left: [id], calls: [] });
  });
});

describe('a created endpoint', () => {
  test('is deleted by the id that HNS gave it', async () => {
    expect(await undone(create, { chooseId: () => chosen })).toMatchObject({ failures: [], left: [] });
  });

  test('stays where another request has attached it meanwhile', async () => {
    const adds = { HostComputeNamespace: namespace };
    expect(await undone(create, { adds })).toMatchObject({ failures: [], left: [id] });
  });
});

describe('a creation without an answer', () => {
  const late = failing(`create Endpoint ${id}`, 'late');

  test('that took effect is undone', async () => {
    expect(await undone(create, { ...late, endpoints })).toMatchObject({
      error: { name: 'HcnTimeout' },
      failures: [],
      left: [],
    });
  });

  test('that took effect with an id of HNS is undone, found by its name', async () => {
    const there = [{ ID: chosen, Name, HostComputeNetwork: network }];
    expect(await undone(create, { ...late, endpoints: there })).toMatchObject({ failures: [], left: [] });
  });

  test('that has not taken effect may still do so, as the failure says', async () => {
    expect((await undone(create, late)).failures).toEqual([
      `undoing the endpoint failed: endpoint ${id} may still appear`,
    ]);
  });
});

test('a refused creation leaves nothing to undo', async () => {
  const refused = failing(`create Endpoint ${id}`, 0x803b001e);
  expect(await undone(create, refused)).toMatchObject({ failures: [], calls: [] });
});
