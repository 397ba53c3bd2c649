import { version1Query } from '../../../hcn/documents.ts';
import { isUsableAddress } from '../../../model/readiness.ts';
import { createNetwork, documentOf, read, seenWhen, settingsIn } from '../fixtures.ts';
import type { Item, Laboratory } from '../laboratory.ts';
import type { Row } from '../row.ts';

/** What HNS adds to a network after its creation; undefined as long as it is missing. */
type Output = (laboratory: Laboratory, network: Item<'Network'>) => Promise<unknown>;

const inTime = 'within 20 s';

/** A row about when something appears in the first network on an adapter. */
function outputRow(on: 'L2Bridge' | 'L2Tunnel' | 'Overlay', row: Omit<Row, 'experiment'>, find: Output): Row {
  return {
    ...row,
    experiment: {
      on,
      isAlone: true,
      expected: ['at once', inTime],
      run: async (laboratory) => {
        const network = await createNetwork(laboratory, {}, on);
        const appeared = await seenWhen(laboratory, 20, async () => {
          const value = await find(laboratory, network);
          return typeof value === 'string' && isUsableAddress(value);
        });
        return appeared.observed === 'late' ? { ...appeared, observed: inTime } : appeared;
      },
    },
  };
}

const managementIp: Output = async (laboratory, network) =>
  documentOf(network, await laboratory.query(network, version1Query))['ManagementIP'];

function managementIpRow(on: 'L2Bridge' | 'L2Tunnel'): Row {
  const row = {
    id: `managementIp${on}`,
    claim: `The V1 document of a new ${on} network has a ManagementIP within 20 s`,
    evidence: 'S flannel waits for it on L2Bridge networks too',
    handling: 'waits for it up to 20 s after a creation, and never for an existing network',
  };
  return outputRow(on, row, managementIp);
}

/** When HNS has finished a network. */
export const readinessRows: readonly Row[] = [
  managementIpRow('L2Bridge'),
  managementIpRow('L2Tunnel'),
  outputRow(
    'Overlay',
    {
      id: 'providerAddress',
      claim: 'A new Overlay network has a usable ProviderAddress within 20 s',
      evidence: 'S flannel vxlan_windows.go waits for the ManagementIP',
      handling: 'waits up to 20 s, and does not accept a 169.254 address',
    },
    async (laboratory, network) =>
      settingsIn(await read(laboratory, network), 'ProviderAddress')?.['ProviderAddress'],
  ),
  outputRow(
    'Overlay',
    {
      id: 'drMacAddress',
      claim: 'A new Overlay network has a DrMacAddress within 20 s',
      evidence: 'S flannel vxlan_windows.go fails without it',
      handling: 'waits up to 20 s',
    },
    async (laboratory, network) => settingsIn(await read(laboratory, network), 'DrMacAddress')?.['Address'],
  ),
];
