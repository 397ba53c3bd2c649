import { describe, expect, test } from 'vitest';
import { del } from '../../../src/commands/del.ts';
import { hcnClient } from '../../../src/hcn/client.ts';
import { HcnMissing } from '../../../src/hcn/errors.ts';
import { interceptHcnCalls } from '../../../src/hcn/library.ts';
import { endpointId } from '../../../src/model/identity.ts';
import { commandContextOf } from '../../../src/plugin/command-context.ts';
import { executeSteps } from '../../../src/steps/execute.ts';
import { stepTargets } from '../../e2e/step-targets.ts';
import { ipamPlugin, type SmallNodeOptions, smallNode } from './small-node.ts';

const attachment = { containerId: 'c0ffee', ifname: 'eth0', network: 'cbr0' };

test('without HCN, and so without endpoints, DEL releases the addresses and reports the missing library', async () => {
  const missing = new HcnMissing('computenetwork.dll is missing', undefined);
  const hcn = hcnClient(
    interceptHcnCalls(
      async () => {
        throw missing;
      },
      (_, call) => call(),
    ),
  );
  const { plugin, runs } = ipamPlugin();
  const targets = stepTargets({ hcn, locateIpam: () => plugin });
  const context = commandContextOf(targets, executeSteps(targets), () => undefined);
  await expect(del(attachment, undefined, context)).rejects.toBe(missing);
  expect(runs).toEqual(['DEL']);
});

const id = endpointId(attachment);
const namespace = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
const generated = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const another = '2f6b1f0e-7a11-4d0c-9b58-0d6f6b3f7a01';
const detaching = (endpoint: string) => `modify Namespace ${namespace} Remove ${endpoint}`;
const attached = (ID: string, Name: string) => ({ ID, Name, HostComputeNamespace: namespace });

/** Runs DEL. Returns the HCN calls and the remaining endpoints. */
async function deleted(options: SmallNodeOptions) {
  const { context, calls, all } = smallNode({ namespaces: [{ ID: namespace }], ...options });
  await del(attachment, namespace, context);
  return { calls, remaining: all('Endpoint').map(({ ID }) => ID) };
}

describe('DEL', () => {
  test('detaches the endpoint from the namespace in CNI_NETNS and deletes it, without a search for others', async () => {
    const { calls, remaining } = await deleted({
      endpoints: [attached(id, 'c0ffee_cbr0_eth0'), attached(generated, 'c0ffee_cbr0')],
    });
    expect(calls).toEqual([`open Namespace ${namespace}`, detaching(id), `delete Endpoint ${id}`]);
    expect(remaining).toEqual([generated]);
  });

  test('detaches and deletes endpoints found by name: with a generated id, or of a replaced plugin', async () => {
    const { calls, remaining } = await deleted({
      endpoints: [attached(generated, 'c0ffee_cbr0_eth0'), attached(another, 'c0ffee_cbr0')],
    });
    expect(calls.filter((call) => /^(modify|delete) /.test(call))).toEqual([
      detaching(id),
      `delete Endpoint ${id}`,
      detaching(generated),
      `delete Endpoint ${generated}`,
      detaching(another),
      `delete Endpoint ${another}`,
    ]);
    expect(remaining).toEqual([]);
  });

  test('succeeds without an endpoint', async () => {
    expect((await deleted({})).remaining).toEqual([]);
  });

  test('does not release the addresses of an endpoint that HNS does not delete', async () => {
    const { plugin, runs } = ipamPlugin();
    const { context } = smallNode({ fault: () => 0x800706ba, locateIpam: () => plugin });
    const deleting = del(attachment, undefined, context);
    await expect(deleting).rejects.toMatchObject({ hresult: 0x800706ba });
    expect(runs).toEqual([]);
  });
});
