import { isFailure } from '../../../hcn/hresults.ts';
import { createEndpoint, createNetwork, endpointDocument, granted, read } from '../fixtures.ts';
import type { Answer, Item, Laboratory, Network } from '../laboratory.ts';
import { NotTried, type Row, seen, seenAcceptance, seenAnswer, symbolOf } from '../row.ts';

const early = { wait: 500, attempts: 20 };

/** Creates an endpoint with static addresses. */
function createAt(
  laboratory: Laboratory,
  network: Network,
  ...addresses: readonly string[]
): Promise<Answer<Item<'Endpoint'> | undefined>> {
  const IpConfigurations = addresses.map((IpAddress) => ({ IpAddress, PrefixLength: 24 }));
  const document = { ...endpointDocument(laboratory, network), IpConfigurations };
  return laboratory.createEndpoint(network, document);
}

async function addressCount(laboratory: Laboratory, endpoint: Item<'Endpoint'>): Promise<number> {
  const { IpConfigurations = [] } = await read(laboratory, endpoint);
  return Array.isArray(IpConfigurations) ? IpConfigurations.length : 0;
}

/** Addresses of endpoints. */
export const endpointAddressRows: readonly Row[] = [
  {
    id: 'addressConflict',
    claim: 'HNS refuses the address of another endpoint with HCN_E_ADDR_INVALID_OR_RESERVED',
    evidence: 'O sig-windows-tools#71 (since 2004), k8s#74766 (WS2019 returns 0x80071392)',
    handling:
      'after either code, searches for the endpoint that has the address, and deletes it if it is left over',
    experiment: {
      on: 'base',
      expected: ['HCN_E_ADDR_INVALID_OR_RESERVED'],
      run: async (laboratory) => {
        const network = await laboratory.base();
        const IpConfigurations = [{ IpAddress: network.subnet.address(20), PrefixLength: 24 }];
        await createEndpoint(laboratory, network, { IpConfigurations });
        return seenAnswer((await createAt(laboratory, network, network.subnet.address(20))).hresult);
      },
    },
  },
  {
    id: 'gatewayAddress',
    claim: 'HNS refuses the address of the gateway with HCN_E_ADDR_INVALID_OR_RESERVED',
    evidence: 'O sig-windows-tools#71 (since 2004), k8s#74766 (WS2019 returns 0x80071392)',
    handling: "refuses a gateway's address before it creates the endpoint",
    experiment: {
      on: 'base',
      expected: ['HCN_E_ADDR_INVALID_OR_RESERVED'],
      run: async (laboratory) => {
        const network = await laboratory.base();
        return seenAnswer((await createAt(laboratory, network, network.subnet.gateway)).hresult);
      },
    },
  },
  {
    id: 'exhaustedSubnet',
    claim: 'HNS refuses an endpoint in a full subnet with HCN_E_ADDR_INVALID_OR_RESERVED',
    evidence: 'I',
    handling: 'reports the code; `win-hcn explain` has the fix',
    experiment: {
      on: 'base',
      expected: ['HCN_E_ADDR_INVALID_OR_RESERVED'],
      run: async (laboratory) => {
        const network = await smallNetwork(laboratory);
        for (let count = 0; count <= smallSize; count += 1) {
          const document = endpointDocument(laboratory, network);
          const { hresult } = await laboratory.createEndpoint(network, document);
          if (isFailure(hresult) && count === 0)
            throw new NotTried(`HNS refuses the first endpoint: ${symbolOf(hresult)}`);
          if (isFailure(hresult)) return seenAnswer(hresult);
        }
        return seen('accepted');
      },
    },
  },
  {
    id: 'emptyIpConfigurations',
    claim: 'A new endpoint with `IpConfigurations: []` gets no address',
    evidence: 'C',
    handling: 'omits the member if HNS chooses the address',
    experiment: {
      on: 'base',
      expected: ['none'],
      run: async (laboratory) => {
        const { hresult, value } = await createAt(laboratory, await laboratory.base());
        if (value === undefined) return seenAnswer(hresult);
        return seen((await addressCount(laboratory, value)) === 0 ? 'none' : 'automatic');
      },
    },
  },
  {
    id: 'secondAddressOfFamily',
    claim: 'An endpoint can have two addresses of one family',
    evidence: 'I: no known client sends two',
    handling: 'refuses a configuration with two',
    experiment: {
      on: 'base',
      expected: ['accepted'],
      run: async (laboratory) => {
        const network = await laboratory.base();
        const { subnet } = network;
        const answer = await createAt(laboratory, network, subnet.address(30), subnet.address(31));
        if (answer.value === undefined) {
          const one = await createAt(laboratory, network, subnet.address(32));
          granted(one, 'creating an endpoint with one address');
          return seenAcceptance(answer.hresult);
        }
        const count = await addressCount(laboratory, answer.value);
        return seen(count === 2 ? 'accepted' : `${count} of 2 addresses`);
      },
    },
  },
  {
    id: 'earlyStaticAddress',
    claim: 'A new Transparent network refuses a static address at first, with HCN_E_INVALID_IP',
    evidence: 'C; the code I',
    handling: 'reports the code; the runtime retries ADD',
    experiment: {
      on: 'Transparent',
      isAlone: true,
      expected: ['HCN_E_INVALID_IP'],
      run: async (laboratory) => {
        const network = await createNetwork(laboratory, {}, 'Transparent');
        const { hresult } = await createEarly(laboratory, network);
        if (!isFailure(hresult)) throw new NotTried('HNS accepted a static address at once');
        const { observed } = seenAnswer(hresult);
        const started = laboratory.now();
        for (let attempt = 0; attempt < early.attempts; attempt += 1) {
          await laboratory.pause(early.wait);
          if (!isFailure((await createEarly(laboratory, network)).hresult))
            return seen(observed, `accepted after ${Math.round(laboratory.now() - started)} ms`);
        }
        return seen(observed, `still refused after ${Math.round(laboratory.now() - started)} ms`);
      },
    },
  },
];

/** How many addresses a subnet of four has at most. */
const smallSize = 4;

async function smallNetwork(laboratory: Laboratory): Promise<Item<'Network'>> {
  const { prefix } = laboratory.newSubnet();
  const subnet = { IpAddressPrefix: prefix.replace('/24', '/30') };
  return createNetwork(laboratory, { Ipams: [{ Type: 'Static', Subnets: [subnet] }] });
}

function createEarly(laboratory: Laboratory, network: Network): ReturnType<typeof createAt> {
  return createAt(laboratory, network, network.subnet.address(20));
}
