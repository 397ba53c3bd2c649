import type { Row } from './row.ts';
import { absentObjectRows } from './rows/absent-objects.ts';
import { aclRows } from './rows/acls.ts';
import { adapterRows } from './rows/adapters.ts';
import { answerRows } from './rows/answers.ts';
import { attachmentRows } from './rows/attachment.ts';
import { endpointAddressRows } from './rows/endpoint-addresses.ts';
import { endpointHealthRows } from './rows/endpoint-health.ts';
import { endpointRows } from './rows/endpoints.ts';
import { hostNamespaceRows } from './rows/host-namespace.ts';
import { identityRows } from './rows/identity.ts';
import { loadBalancerRows } from './rows/load-balancers.ts';
import { namespaceRows } from './rows/namespaces.ts';
import { natRows } from './rows/nat.ts';
import { networkPolicyRows } from './rows/network-policies.ts';
import { networkRows } from './rows/networks.ts';
import { objectIdRows } from './rows/object-ids.ts';
import { policyRows } from './rows/policies.ts';
import { readinessRows } from './rows/readiness-times.ts';
import { remoteEndpointRows } from './rows/remote-endpoints.ts';
import { returnedPolicyRows } from './rows/returned-policies.ts';
import { serviceRows } from './rows/service.ts';
import { subnetRows } from './rows/subnets.ts';

/** The rows of `probe`, by subject. */
export const subjects: Readonly<Record<string, readonly Row[]>> = {
  IDs: [...identityRows, ...objectIdRows],
  Networks: networkRows,
  Subnets: subnetRows,
  'Network policies': networkPolicyRows,
  Adapters: adapterRows,
  'Finished networks': readinessRows,
  Endpoints: [...endpointRows, ...endpointHealthRows],
  'Endpoint addresses': endpointAddressRows,
  'Remote endpoints': remoteEndpointRows,
  Policies: policyRows,
  'Policies as HNS returns them': returnedPolicyRows,
  ACLs: aclRows,
  'Address translation': natRows,
  Namespaces: namespaceRows,
  'Endpoints in namespaces': attachmentRows,
  "The node's namespace": hostNamespaceRows,
  'Load balancers': loadBalancerRows,
  'Absent objects': absentObjectRows,
  'Documents and codes': answerRows,
  'Restarts and load': serviceRows,
};

export const rows: readonly Row[] = Object.values(subjects).flat();
