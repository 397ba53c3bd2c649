import type { Row } from './row.ts';
import { aclRows } from './rows/acls.ts';
import { endpointRows } from './rows/endpoints.ts';
import { namespaceRows } from './rows/namespaces.ts';
import { networkPolicyRows } from './rows/network-policies.ts';
import { networkRows } from './rows/networks.ts';
import { outboundNatRows } from './rows/outbound-nat.ts';
import { portMappingRows } from './rows/port-mappings.ts';

export const rows: readonly Row[] = [
  ...networkRows,
  ...networkPolicyRows,
  ...endpointRows,
  ...outboundNatRows,
  ...portMappingRows,
  ...aclRows,
  ...namespaceRows,
];
