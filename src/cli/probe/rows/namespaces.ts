import { attach, createEndpoint, createNamespace, memberRequest } from '../fixtures.ts';
import { type Row, seenAcceptance } from '../row.ts';

/** Namespaces and their endpoints. */
export const namespaceRows: readonly Row[] = [
  {
    id: 'attachTwice',
    claim: 'HNS refuses to add an endpoint to the namespace that it is in',
    evidence: 'I',
    handling: 'reads 0x803B002B and 0x803B0014 as attached',
    experiment: {
      on: 'base',
      expected: ['refused'],
      run: async (laboratory) => {
        const endpoint = await createEndpoint(laboratory, await laboratory.base());
        const namespace = await createNamespace(laboratory);
        await attach(laboratory, namespace, endpoint);
        const { hresult } = await laboratory.modify(namespace, memberRequest('Add', endpoint.id));
        return seenAcceptance(hresult);
      },
    },
  },
];
