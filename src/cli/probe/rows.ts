import type { Row } from './row.ts';
import { identityRows } from './rows/identity.ts';
import { loadBalancerRows } from './rows/load-balancers.ts';
import { namespaceRows } from './rows/namespaces.ts';
import { natRows } from './rows/nat.ts';
import { networkRows } from './rows/networks.ts';
import { policyRows } from './rows/policies.ts';

/** Every uncertain behavior of HNS that win-hcn knows of, by subject. */
export const subjects: Readonly<Record<string, readonly Row[]>> = {
  IDs: identityRows,
  Networks: networkRows,
  Policies: policyRows,
  'Address translation': natRows,
  Namespaces: namespaceRows,
  'Load balancers': loadBalancerRows,
};

export const rows: readonly Row[] = Object.values(subjects).flat();
