import type { Kind } from '../../../hcn/guid.ts';
import { isFailure } from '../../../hcn/hresults.ts';
import { kindName } from '../../../hcn/open-objects.ts';
import { isAbsent } from '../documents.ts';
import { newProbeId } from '../names.ts';
import { seen, seenAnswer } from '../observation.ts';
import { deletion } from '../parts.ts';
import type { Row } from '../row.ts';

const absent = ['HCN_E_NETWORK_NOT_FOUND', 'HCN_E_ENDPOINT_NOT_FOUND', 'ERROR_NOT_FOUND'];

/** A row about a call with the ID of no object. */
function absentRow(id: string, verb: 'open' | 'delete', kind: Kind, ...expected: readonly string[]): Row {
  return {
    id,
    claim: `${verb === 'open' ? 'Opening' : 'Deleting'} an absent ${kindName(kind)} returns ${expected.join(' or ')}`,
    on: 'node',
    expected,
    handled: kind === 'LoadBalancer' ? ['HCN_E_POLICY_NOT_FOUND'] : absent,
    run: async (hcn) => seenAnswer(await hcn[verb](kind, newProbeId())),
  };
}

/** Objects that do not exist, or no longer. */
export const absentObjectRows: readonly Row[] = [
  absentRow('openMissingNetwork', 'open', 'Network', 'HCN_E_NETWORK_NOT_FOUND'),
  absentRow('openMissingEndpoint', 'open', 'Endpoint', 'HCN_E_ENDPOINT_NOT_FOUND'),
  absentRow('openMissingNamespace', 'open', 'Namespace', 'ERROR_NOT_FOUND'),
  absentRow('openMissingLoadBalancer', 'open', 'LoadBalancer', 'ERROR_NOT_FOUND'),
  absentRow('deleteMissingNetwork', 'delete', 'Network', 'ERROR_NOT_FOUND', 'HCN_E_NETWORK_NOT_FOUND'),
  absentRow('deleteMissingEndpoint', 'delete', 'Endpoint', 'HCN_E_ENDPOINT_NOT_FOUND'),
  absentRow('deleteMissingPolicyList', 'delete', 'LoadBalancer', 'ERROR_NOT_FOUND'),
  {
    id: 'queryDeletedEndpoint',
    claim: 'Querying a deleted endpoint through an open handle returns HCN_E_OBJECT_USED_AFTER_UNLOAD',
    on: 'base',
    expected: ['HCN_E_OBJECT_USED_AFTER_UNLOAD'],
    handled: [...absent, 'accepted'],
    uses: [deletion],
    run: async (context) => seenAnswer((await context.share(deletion)).query),
  },
  {
    id: 'deletedEndpoint',
    claim: 'A deleted endpoint is gone at once',
    on: 'base',
    expected: ['gone'],
    handled: ['lingers'],
    uses: [deletion],
    run: async (context) => {
      const { open } = await context.share(deletion);
      if (isFailure(open.hresult) && !isAbsent(open)) return seenAnswer(open);
      return seen(isFailure(open.hresult) ? 'gone' : 'lingers');
    },
  },
];
