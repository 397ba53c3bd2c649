import type { Guid } from '../../../hcn/guid.ts';
import type { Kind } from '../../../hcn/library.ts';
import { kindName } from '../../../hcn/open-objects.ts';
import {
  checkId,
  createEndpoint,
  endpointDocument,
  granted,
  loadBalancerDocument,
  namespaceDocument,
  networkDocument,
} from '../fixtures.ts';
import type { Answer, Item, Laboratory } from '../laboratory.ts';
import { NotTried, type Row, seen, seenAnswer } from '../row.ts';
import { objectKinds } from './object-kinds.ts';

type Create<K extends Kind> = (id?: Guid<K>) => Promise<Answer<Item<K> | undefined>>;

/** The row of a kind: creates two objects with one id, which differ in all that may conflict otherwise. */
function duplicateRow<K extends Kind>(
  {
    id,
    kind,
    code,
    evidence,
    handling,
  }: Omit<Row, 'claim' | 'experiment'> & {
    readonly kind: K;
    readonly code: string;
  },
  prepare: (laboratory: Laboratory) => Promise<Create<K>>,
): Row {
  return {
    id,
    claim: `HNS refuses a second ${kindName(kind)} with the same ID with ${code}`,
    evidence,
    handling,
    experiment: {
      on: 'base',
      expected: [code],
      run: async (laboratory) => {
        const create = await prepare(laboratory);
        const requested = laboratory.newId<K>();
        await checkId(laboratory, granted(await create(requested), "creating the experiment's object"));
        return seenAnswer((await create(requested)).hresult);
      },
    },
  };
}

/** What was prepared; undefined if HNS refused it. */
function unlessNotTried<T>(prepared: Promise<T>): Promise<T | undefined> {
  return prepared.catch((error: unknown) => {
    if (error instanceof NotTried) return undefined;
    throw error;
  });
}

/** IDs of any object: whether it is returned with one, and whether a second object can have it. */
export const objectIdRows: readonly Row[] = [
  {
    id: 'returnedId',
    claim: 'HNS returns every object with its ID',
    evidence: 'O every captured response has one',
    handling: 'reports an object without ID as error 11, and never treats it as an object without members',
    experiment: {
      on: 'base',
      expected: ['always'],
      run: async (laboratory) => {
        const withId: Kind[] = [];
        for (const { kind, create } of objectKinds) {
          const item = await unlessNotTried(create(laboratory));
          if (item === undefined) continue;
          const { ID } = granted(await laboratory.query(item), `querying the ${kindName(kind)}`);
          if (typeof ID !== 'string') return seen('not always', `${kindName(kind)} without ID`);
          withId.push(kind);
        }
        if (withId.length === 0) throw new NotTried('HNS created no object');
        return seen('always', withId.map(kindName).join(', '));
      },
    },
  },
  duplicateRow(
    {
      id: 'duplicateNetworkId',
      kind: 'Network',
      code: 'HCN_E_NETWORK_ALREADY_EXISTS',
      evidence: 'I',
      handling: 'after any code for an existing network, waits up to 3 s until HNS lists it, and uses it',
    },
    async (laboratory) => (id) => {
      const document = networkDocument(laboratory.newName(), 'Private', laboratory.newSubnet());
      return laboratory.create('Network', document, id);
    },
  ),
  duplicateRow(
    {
      id: 'duplicateEndpoint',
      kind: 'Endpoint',
      code: 'ERROR_OBJECT_ALREADY_EXISTS',
      evidence: 'I',
      handling: 'queries the endpoint after any refusal; if it is absent, reports the first error',
    },
    async (laboratory) => {
      const network = await laboratory.base();
      return (id) => laboratory.createEndpoint(network, endpointDocument(laboratory, network), id);
    },
  ),
  duplicateRow(
    {
      id: 'duplicateNamespaceId',
      kind: 'Namespace',
      code: 'ERROR_ALREADY_EXISTS',
      evidence: 'I',
      handling: 'opens a namespace first, and creates one only if the ID is absent',
    },
    async (laboratory) => (id) => laboratory.create('Namespace', namespaceDocument, id),
  ),
  duplicateRow(
    {
      id: 'duplicateLoadBalancerId',
      kind: 'LoadBalancer',
      code: 'ERROR_ALREADY_EXISTS',
      evidence: 'I',
      handling: 'queries the load balancer first, and creates one only if the ID is absent; reports the code',
    },
    async (laboratory) => {
      const network = await laboratory.base();
      const endpoint = await createEndpoint(laboratory, network);
      return (id) => {
        const document = loadBalancerDocument(laboratory, [endpoint]);
        return laboratory.create('LoadBalancer', document, id);
      };
    },
  ),
];
