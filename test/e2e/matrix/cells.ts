/** The number of cells of a scenario in each part of the matrix (a test file). Absent if the part omits the scenario. */
export type Cells = Readonly<Record<string, { readonly [part in Part]?: number }>>;

/** `others` is one file with all effects except those on the IP Helper and kills. */
export type Part =
  | 'hresults'
  | 'invalidAnswers'
  | 'outages'
  | 'missingAnswers'
  | 'others'
  | 'ipHelper'
  | 'remoteSubnets'
  | 'kills';

export const addCells: Cells = {
  ADD: { hresults: 156, invalidAnswers: 28, outages: 108, missingAnswers: 102, kills: 22 },
  'ADD that creates the network': {
    hresults: 312,
    invalidAnswers: 71,
    outages: 216,
    missingAnswers: 204,
    ipHelper: 20,
    kills: 37,
  },
  'ADD with an IPAM plugin': {
    hresults: 156,
    invalidAnswers: 28,
    outages: 108,
    missingAnswers: 132,
    kills: 28,
  },
  'ADD with an IPAM plugin that creates the network': {
    hresults: 312,
    invalidAnswers: 71,
    outages: 216,
    missingAnswers: 234,
    ipHelper: 20,
    kills: 43,
  },
  'ADD on Windows Server 2019': {
    hresults: 156,
    invalidAnswers: 28,
    outages: 108,
    missingAnswers: 132,
    kills: 28,
  },
  'ADD beside the host endpoint': {
    hresults: 234,
    invalidAnswers: 49,
    outages: 162,
    missingAnswers: 183,
    ipHelper: 100,
    kills: 36,
  },
  'ADD that creates the host endpoint': {
    hresults: 390,
    invalidAnswers: 84,
    outages: 270,
    missingAnswers: 285,
    ipHelper: 140,
    kills: 76,
  },
  'ADD that creates the network with its host endpoint': {
    hresults: 546,
    invalidAnswers: 127,
    outages: 378,
    missingAnswers: 387,
    ipHelper: 140,
    kills: 90,
  },
  'ADD with an address of each family': {
    hresults: 156,
    invalidAnswers: 28,
    outages: 108,
    missingAnswers: 132,
    kills: 28,
  },
  'ADD with an address of each family that creates the network': {
    hresults: 338,
    invalidAnswers: 80,
    outages: 234,
    missingAnswers: 251,
    ipHelper: 20,
    kills: 44,
  },
  'ADD with exceptions of both families': {
    hresults: 156,
    invalidAnswers: 28,
    outages: 108,
    missingAnswers: 132,
    kills: 28,
  },
  'ADD with a host port': { hresults: 156, invalidAnswers: 28, outages: 108, missingAnswers: 132, kills: 28 },
  'ADD whose policies need the address HNS assigned': {
    hresults: 208,
    invalidAnswers: 39,
    outages: 144,
    missingAnswers: 136,
    kills: 32,
  },
  'ADD on an Overlay network': {
    hresults: 156,
    invalidAnswers: 28,
    outages: 108,
    missingAnswers: 102,
    kills: 22,
  },
  'ADD that creates an Overlay network': {
    hresults: 312,
    invalidAnswers: 63,
    outages: 216,
    missingAnswers: 204,
    ipHelper: 40,
    kills: 46,
  },
};

export const otherCells: Cells = {
  DEL: { others: 216, kills: 13 },
  'DEL with an IPAM plugin': { others: 236, kills: 17 },
  'DEL of nothing': { others: 408, kills: 19 },
  'DEL of an endpoint with a host port': { others: 236, kills: 17 },
  'DEL on an Overlay network': { others: 216, kills: 13 },
  'DEL without CNI_NETNS': { others: 92, kills: 10 },
  'DEL of nothing without CNI_NETNS': { others: 266, kills: 12 },
  "DEL of win-bridge's endpoint": { others: 346, kills: 17 },
  CHECK: { others: 170, kills: 6 },
  'CHECK of an MTU': { others: 250, ipHelper: 20, kills: 9 },
  'CHECK on an Overlay network': { others: 160, kills: 4 },
  'GC of an endpoint': { others: 732, kills: 23 },
  'GC of nothing': { others: 268, kills: 7 },
  'GC without a network': { others: 178, kills: 6 },
  STATUS: { others: 90, kills: 6 },
  'STATUS without a network': { others: 89, kills: 7 },
  'STATUS with a feature': { others: 133, kills: 8 },
};

export const remoteSubnetCells: Cells = {
  'ADD that creates routes to other nodes': { remoteSubnets: 60 },
  'ADD that adds remote subnets to an Overlay network': { remoteSubnets: 66 },
};
