import { isFailure } from '../../../hcn/hresults.ts';
import { createEndpoint, createNetwork } from '../fixtures.ts';
import { type Row, seen, symbolOf } from '../row.ts';

/** Networks. */
export const networkRows: readonly Row[] = [
  {
    id: 'networkWithEndpoints',
    claim: 'HNS deletes a network together with its endpoints',
    evidence: 'T hnsv1_test.go (succeeds); what happens to the endpoints is I',
    handling: 'never deletes a network that has endpoints of pods',
    experiment: {
      on: 'base',
      expected: ['cascades'],
      run: async (laboratory) => {
        const network = await createNetwork(laboratory);
        const endpoint = await createEndpoint(laboratory, network);
        const { hresult } = await laboratory.delete('Network', network.id);
        if (isFailure(hresult)) return seen('refuses', symbolOf(hresult));
        const { value } = await laboratory.enumerate('Endpoint');
        return seen(value.includes(endpoint.id) ? 'leaves' : 'cascades');
      },
    },
  },
];
