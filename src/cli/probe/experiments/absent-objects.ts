import type { Kind } from '../../../hcn/guid.ts';
import { isFailure } from '../../../hcn/hresults.ts';
import { createEndpoint, isAbsent, requireSuccess } from '../documents.ts';
import { type Experiment, experimentFor, type Row, seen, seenAnswer } from '../experiment.ts';
import { newProbeId } from '../names.ts';

const absent = ['HCN_E_NETWORK_NOT_FOUND', 'HCN_E_ENDPOINT_NOT_FOUND', 'ERROR_NOT_FOUND'];

/** A call with the ID of no object. */
function absentExperiment(id: string, verb: 'open' | 'delete', kind: Kind, ...expected: readonly string[]) {
  const handled = kind === 'LoadBalancer' ? ['HCN_E_POLICY_NOT_FOUND'] : absent;
  return experimentFor({ id, on: 'node', expected, handled }, async (hcn) =>
    seenAnswer(await hcn[verb](kind, newProbeId())),
  );
}

const used = 'HCN_E_OBJECT_USED_AFTER_UNLOAD';
const deletionRows: readonly Row[] = [
  { id: 'queryDeletedEndpoint', on: 'base', expected: [used], handled: [...absent, 'accepted'] },
  { id: 'deletedEndpoint', on: 'base', expected: ['gone'], handled: ['lingers'] },
];

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
    rows: deletionRows,
    run: async (context) => {
      const endpoint = await createEndpoint(context, context.network);
      requireSuccess(await context.delete('Endpoint', endpoint.id), 'deleting an endpoint');
      const queryDeletedEndpoint = seenAnswer(await context.query(endpoint));
      const opened = await context.open('Endpoint', endpoint.id);
      if (opened.value !== undefined) await context.close(opened.value);
      if (!isFailure(opened.hresult)) return { queryDeletedEndpoint, deletedEndpoint: seen('lingers') };
      return { queryDeletedEndpoint, deletedEndpoint: isAbsent(opened) ? seen('gone') : seenAnswer(opened) };
    },
  },
];
