import { isFailure } from '../../../hcn/hresults.ts';
import { createNetwork, networkDocument } from '../fixtures.ts';
import { type NetworkType, type Row, seenAcceptance, seenAnswer } from '../row.ts';

/** A row about a network whose document lacks something that win-hcn requires in a configuration. */
function incompleteNetwork(
  row: Pick<Row, 'id' | 'claim' | 'handling'>,
  type: NetworkType & ('L2Bridge' | 'Overlay'),
  ipams: (prefix: string, gateway: string) => readonly unknown[],
): Row {
  return {
    ...row,
    evidence: 'I',
    experiment: {
      on: type,
      expected: ['refused'],
      run: async (laboratory) => {
        // HNS could also refuse a network because it has not released the adapter.
        await laboratory.base();
        const subnet = laboratory.newSubnet();
        const document = networkDocument(laboratory.newName(), type, subnet, laboratory.adapter);
        const Ipams = ipams(subnet.prefix, subnet.gateway);
        const { hresult } = await laboratory.create('Network', { ...document, Ipams });
        // HNS could also refuse every further network on this adapter.
        if (isFailure(hresult)) await createNetwork(laboratory, {}, type);
        return seenAcceptance(hresult);
      },
    },
  };
}

/** The subnets of networks. */
export const subnetRows: readonly Row[] = [
  {
    id: 'subnetOverlap',
    claim:
      'HNS refuses an Internal network with the subnet of another one with ERROR_DUP_NAME or ERROR_ALREADY_EXISTS',
    evidence: 'O wsl2-boot#3, hyperv-fix-for-devs#13 (NAT)',
    handling: "reads both as another request's network, waits 3 s for it, then fails ADD",
    experiment: {
      on: 'NAT',
      expected: ['ERROR_DUP_NAME', 'ERROR_ALREADY_EXISTS'],
      run: async (laboratory) => {
        const { subnet } = await createNetwork(laboratory, {}, 'Internal');
        const document = networkDocument(laboratory.newName(), 'Internal', subnet);
        return seenAnswer((await laboratory.create('Network', document)).hresult);
      },
    },
  },
  {
    id: 'overlapAcrossTypes',
    claim:
      'HNS accepts a Private network with the subnet of another Private network or of an L2Bridge network',
    evidence: 'I',
    handling:
      'ADD, `plan` and `doctor` warn if subnets of networks on adapters overlap, and do not compare those of other types; a refusal fails ADD',
    experiment: {
      on: 'base',
      expected: ['accepted'],
      run: async (laboratory) => {
        const { subnet } = await laboratory.base();
        const document = networkDocument(laboratory.newName(), 'Private', subnet);
        return seenAcceptance((await laboratory.create('Network', document)).hresult);
      },
    },
  },
  incompleteNetwork(
    {
      id: 'overlayWithoutVsid',
      claim: 'HNS refuses an Overlay subnet without a VSID policy',
      handling: 'requires "vsid" for Overlay networks',
    },
    'Overlay',
    (prefix, gateway) => {
      const Routes = [{ NextHop: gateway, DestinationPrefix: '0.0.0.0/0' }];
      return [{ Type: 'Static', Subnets: [{ IpAddressPrefix: prefix, Routes }] }];
    },
  ),
  incompleteNetwork(
    {
      id: 'bridgeWithoutSubnet',
      claim: 'HNS refuses an L2Bridge network without subnets',
      handling: 'requires "subnets" for L2Bridge and L2Tunnel networks',
    },
    'L2Bridge',
    () => [],
  ),
];
