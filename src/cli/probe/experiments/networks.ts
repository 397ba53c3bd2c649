import { isFailure } from '../../../hcn/hresults.ts';
import { networkDocument } from '../documents.ts';
import { type Experiment, experimentFor, seen, seenAnswer, symbolOf } from '../experiment.ts';
import { newProbeId } from '../names.ts';

const existing = [
  'HCN_E_NETWORK_ALREADY_EXISTS',
  'HCN_E_LAYER_ALREADY_EXISTS',
  'ERROR_ALREADY_EXISTS',
  'ERROR_DUP_NAME',
  'ERROR_OBJECT_ALREADY_EXISTS',
];

/** Creation of networks. */
export const networkExperiments: readonly Experiment[] = [
  experimentFor(
    { id: 'simultaneousNetwork', on: 'Private', expected: [...existing, 'E_FAIL'], handled: [] },
    async (context) => {
      const id = newProbeId<'Network'>();
      const document = { ...networkDocument('Private', context.newSubnet()), ID: id };
      const same = await Promise.all([
        context.create('Network', document, id),
        context.create('Network', document, id),
      ]);
      const [loser, ...others] = same.filter(({ hresult }) => isFailure(hresult));
      if (others.length > 0) return { reason: `both were refused: ${symbolOf(same[0].hresult)}` };
      return loser === undefined ? seen('both accepted') : seenAnswer(loser);
    },
  ),
  experimentFor(
    { id: 'duplicateNetworkId', on: 'Private', expected: existing.slice(0, 1), handled: existing },
    async (context) => {
      const { id, requested } = context.network;
      if (id !== requested) return { reason: 'HNS chose another ID' };
      const document = networkDocument('Private', context.newSubnet());
      return seenAnswer(await context.create('Network', { ...document, ID: id }, id));
    },
  ),
];
