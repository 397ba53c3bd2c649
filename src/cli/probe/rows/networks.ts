import { isFailure } from '../../../hcn/hresults.ts';
import { isObject } from '../../../json/members.ts';
import { networkDocument, settingsIn } from '../documents.ts';
import { newProbeName } from '../names.ts';
import { NotTried, seen, seenAcceptance, seenAnswer, symbolOf } from '../observation.ts';
import { race } from '../parts.ts';
import type { Row } from '../row.ts';

const existing = [
  'HCN_E_NETWORK_ALREADY_EXISTS',
  'HCN_E_LAYER_ALREADY_EXISTS',
  'ERROR_ALREADY_EXISTS',
  'ERROR_DUP_NAME',
  'ERROR_OBJECT_ALREADY_EXISTS',
];

/** Creation and listing of networks. */
export const networkRows: readonly Row[] = [
  {
    id: 'duplicateNetworkName',
    claim: 'HNS refuses a second network with the same name',
    on: 'Private',
    expected: ['refused'],
    handled: ['accepted'],
    creates: { Network: 1 },
    run: async (context) => {
      const { name } = await context.network();
      const document = networkDocument(name, 'Private', context.newSubnet());
      return seenAcceptance(await context.create('Network', document));
    },
  },
  {
    id: 'duplicateNetworkId',
    claim: 'HNS refuses a second network with the same ID with HCN_E_NETWORK_ALREADY_EXISTS',
    on: 'Private',
    expected: ['HCN_E_NETWORK_ALREADY_EXISTS'],
    handled: existing,
    creates: { Network: 1 },
    run: async (context) => {
      const { id, requested } = await context.network();
      if (id !== requested) throw new NotTried('HNS chose another ID');
      const document = networkDocument(newProbeName(), 'Private', context.newSubnet());
      return seenAnswer(await context.create('Network', { ...document, ID: id }, id));
    },
  },
  {
    id: 'concurrentNetworks',
    claim: 'HNS serializes simultaneous creations of networks',
    on: 'first',
    expected: ['serialized'],
    handled: ['some refused'],
    uses: [race],
    run: async (context) => {
      const { same, refusals } = await context.share(race);
      const isRefused = refusals.length > 0 || same.every(({ hresult }) => isFailure(hresult));
      return seen(isRefused ? 'some refused' : 'serialized');
    },
  },
  {
    id: 'simultaneousNetwork',
    claim:
      'HNS refuses one of two simultaneous creations of the same Private network with "already exists" or E_FAIL',
    on: 'first',
    expected: [...existing, 'E_FAIL'],
    handled: [],
    uses: [race],
    run: async (context) => {
      const { same } = await context.share(race);
      const [loser, ...others] = same.filter(({ hresult }) => isFailure(hresult));
      if (others.length > 0) throw new NotTried(`both were refused: ${symbolOf(same[0].hresult)}`);
      return loser === undefined ? seen('both accepted') : seenAnswer(loser);
    },
  },
  {
    id: 'natVlan',
    claim: 'A new NAT network shows no VLAN that was not sent',
    on: 'NAT',
    expected: ['none'],
    handled: ['shown'],
    run: async (context) => {
      const { document } = await context.network();
      const ipams: readonly unknown[] = Array.isArray(document['Ipams']) ? document['Ipams'] : [];
      const subnets = ipams
        .filter(isObject)
        .flatMap(({ Subnets }) => (Array.isArray(Subnets) ? Subnets : []));
      const found = [document, ...subnets.filter(isObject)].flatMap((one) => settingsIn(one, 'VLAN'));
      return seen(found.length === 0 ? 'none' : 'shown');
    },
  },
  {
    id: 'subnetOverlap',
    claim:
      'HNS refuses a network with the subnet of a NAT network with ERROR_DUP_NAME or ERROR_ALREADY_EXISTS',
    on: 'NAT',
    expected: ['ERROR_DUP_NAME', 'ERROR_ALREADY_EXISTS'],
    handled: [],
    creates: { Network: 1 },
    run: async (context) => {
      const { subnet } = await context.network();
      const document = networkDocument(newProbeName(), 'Internal', subnet);
      return seenAnswer(await context.create('Network', document));
    },
  },
  {
    id: 'secondNat',
    claim: 'HNS accepts a second NAT network',
    on: 'NAT',
    expected: ['accepted'],
    handled: ['refused'],
    creates: { Network: 1 },
    run: async (context) => {
      await context.network();
      const document = networkDocument(newProbeName(), 'NAT', context.newSubnet());
      return seenAcceptance(await context.create('Network', document));
    },
  },
];
