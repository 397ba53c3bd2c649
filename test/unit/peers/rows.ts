import type { Row } from './row.ts';
import { aclRows } from './rows/acls.ts';
import { deletionRows } from './rows/deletion.ts';
import { dualStackEndpointRows } from './rows/dual-stack-endpoints.ts';
import { dualStackNetworkRows } from './rows/dual-stack-networks.ts';
import { endpointPolicyRows } from './rows/endpoint-policies.ts';
import { endpointRows } from './rows/endpoints.ts';
import { hostRouteRows } from './rows/host-routes.ts';
import { loadBalancerRows } from './rows/load-balancers.ts';
import { namespaceRows } from './rows/namespaces.ts';
import { networkPolicyRows } from './rows/network-policies.ts';
import { networkRows } from './rows/networks.ts';
import { outboundNatRows } from './rows/outbound-nat.ts';
import { outboundNatOfBothFamiliesRows } from './rows/outbound-nat-of-both-families.ts';
import { portMappingRows } from './rows/port-mappings.ts';
import { queryRows } from './rows/queries.ts';
import { remoteSubnetRows } from './rows/remote-subnets.ts';

export const rows: readonly Row[] = [
  ...networkRows,
  ...dualStackNetworkRows,
  ...networkPolicyRows,
  ...hostRouteRows,
  ...remoteSubnetRows,
  ...endpointRows,
  ...dualStackEndpointRows,
  ...outboundNatRows,
  ...outboundNatOfBothFamiliesRows,
  ...portMappingRows,
  ...aclRows,
  ...endpointPolicyRows,
  ...namespaceRows,
  ...deletionRows,
  ...queryRows,
  ...loadBalancerRows,
];
