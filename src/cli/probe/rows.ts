import type { Row } from './row.ts';
import { absentObjectRows } from './rows/absent-objects.ts';
import { adapterRows } from './rows/adapters.ts';
import { endpointRows, idRows } from './rows/endpoints.ts';
import { loadBalancerRows } from './rows/load-balancers.ts';
import { hostNamespaceRows, namespaceRows } from './rows/namespaces.ts';
import { networkRows } from './rows/networks.ts';
import { policyRows } from './rows/policies.ts';
import { serviceRows } from './rows/service.ts';

/** The rows of `probe`, by subject. */
export const subjects: Readonly<Record<string, readonly Row[]>> = {
  IDs: idRows,
  Networks: networkRows,
  Adapters: adapterRows,
  Endpoints: endpointRows,
  Policies: policyRows,
  'Endpoints in namespaces': namespaceRows,
  "The node's namespace": hostNamespaceRows,
  'Load balancers': loadBalancerRows,
  'Absent objects': absentObjectRows,
  Restarts: serviceRows,
};

export const rows: readonly Row[] = Object.values(subjects).flat();
