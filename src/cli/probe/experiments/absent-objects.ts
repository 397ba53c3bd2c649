import type { Kind } from '../../../hcn/guid.ts';
import { isFailure } from '../../../hcn/hresults.ts';
import { kindName } from '../../../hcn/open-objects.ts';
import { createEndpoint, isAbsent, requireSuccess } from '../documents.ts';
import { type Experiment, experimentFor, seen, seenAnswer } from '../experiment.ts';
import { newProbeId } from '../names.ts';

const absent = ['HCN_E_NETWORK_NOT_FOUND', 'HCN_E_ENDPOINT_NOT_FOUND', 'ERROR_NOT_FOUND'];

/** A call with the ID of no object. */
function absentExperiment(id: string, verb: 'open' | 'delete', kind: Kind, ...expected: readonly string[]) {
  const claim = `${verb === 'open' ? 'Opening' : 'Deleting'} an absent ${kindName(kind)} returns ${expected.join(' or ')}`;
  const handled = kind === 'LoadBalancer' ? ['HCN_E_POLICY_NOT_FOUND'] : absent;
  return experimentFor({ id, claim, on: 'node', expected, handled }, async (hcn) =>
    seenAnswer(await hcn[verb](kind, newProbeId())),
  );
}

/** Objects that do not exist, or no longer. */
export const absentObjectExperiments: readonly Experiment[] = [
  absentExperiment('openMissingNetwork', 'open', 'Network', 'HCN_E_NETWORK_NOT_FOUND'),
  absentExperiment('openMissingEndpoint', 'open', 'Endpoint', 'HCN_E_ENDPOINT_NOT_FOUND'),
  absentExperiment('openMissingNamespace', 'open', 'Namespace', 'ERROR_NOT_FOUND'),
  absentExperiment('openMissingLoadBalancer', 'open', 'LoadBalancer', 'ERROR_NOT_FOUND'),
  absentExperiment('deleteMissingNetwork', 'delete', 'Network', 'ERROR_NOT_FOUND', 'HCN_E_NETWORK_NOT_FOUND'),
  absentExperiment('deleteMissingEndpoint', 'delete', 'Endpoint', 'HCN_E_ENDPOINT_NOT_FOUND'),
  absentExperiment('deleteMissingPolicyList', 'delete', 'LoadBalancer', 'ERROR_NOT_FOUND'),
  {
    on: 'base',
    rows: [
      {
        id: 'queryDeletedEndpoint',
        claim: 'Querying a deleted endpoint through an open handle returns HCN_E_OBJECT_USED_AFTER_UNLOAD',
        on: 'base',
        expected: ['HCN_E_OBJECT_USED_AFTER_UNLOAD'],
        handled: [...absent, 'accepted'],
      },
      {
        id: 'deletedEndpoint',
        claim: 'A deleted endpoint is gone at once',
        on: 'base',
        expected: ['gone'],
        handled: ['lingers'],
      },
    ],
    run: async (context) => {
      const endpoint = await createEndpoint(context, context.network);
      requireSuccess(await context.delete('Endpoint', endpoint.id), 'deleting an endpoint');
      const queryDeletedEndpoint = seenAnswer(await context.query(endpoint));
      const opened = await context.open('Endpoint', endpoint.id);
      if (opened.value !== undefined) await context.close(opened.value);
      const isUnexpected = isFailure(opened.hresult) && !isAbsent(opened);
      const deletedEndpoint = seen(isFailure(opened.hresult) ? 'gone' : 'lingers');
      return {
        queryDeletedEndpoint,
        deletedEndpoint: isUnexpected ? seenAnswer(opened) : deletedEndpoint,
      };
    },
  },
];
