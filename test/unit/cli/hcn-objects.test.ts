import { expect, test } from 'vitest';
import { findObjects, problemsOf } from '../../../src/cli/collect/hcn-objects.ts';
import type { ComputeNetworkLibrary, Handle, HcnResponse, Kind } from '../../../src/hcn/library.ts';

const ids = [1, 2, 3].map((number) => `0000000${number}-0000-0000-0000-000000000000`);
const [gone] = ids;

/** HCN with three load balancers, the first of which is deleted after they are listed. */
const library: Pick<ComputeNetworkLibrary, 'enumerate' | 'open' | 'query'> = {
  enumerate: async () => answer(JSON.stringify(ids)),
  open: async <K extends Kind>(kind: K, id: string): Promise<HcnResponse<Handle<K>>> => ({
    ...answer({ kind, id, pointer: undefined }),
    hresult: id === gone ? 0x803b0008 : 0,
  }),
  query: async ({ id }) => answer(`{"ID":"${id}"}`),
};

function answer<T>(value: T): HcnResponse<T> {
  return { hresult: 0, value, errorRecord: undefined };
}

const json = (id: string | undefined) => ({ id, json: `{"ID":"${id}"}` });

test('an object that is deleted meanwhile is none', async () => {
  expect(await findObjects(library, 'LoadBalancer', () => true)).toEqual({
    documents: [json(ids[1]), json(ids[2])],
    missing: [],
  });
});

test('objects are asked for while there is time', async () => {
  let left = 2;
  const hasTime = () => {
    left -= 1;
    return left >= 0;
  };
  const found = await findObjects(library, 'LoadBalancer', hasTime);
  expect(found.documents).toEqual([json(ids[1])]);
  expect(found.missing.map(({ id }) => id)).toEqual([ids[2]]);
  expect(problemsOf(found)).toEqual(['no time was left for 1 of 2']);
});
