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
  | 'kills';

export const addCells: Cells = {
  ADD: { hresults: 182, invalidAnswers: 38, outages: 126, missingAnswers: 119, kills: 23 },
  'ADD that creates the network': {
    hresults: 208,
    invalidAnswers: 48,
    outages: 144,
    missingAnswers: 136,
    ipHelper: 20,
    kills: 33,
  },
  'ADD with an IPAM plugin': {
    hresults: 182,
    invalidAnswers: 38,
    outages: 126,
    missingAnswers: 149,
    kills: 29,
  },
  'ADD with an IPAM plugin that creates the network': {
    hresults: 208,
    invalidAnswers: 48,
    outages: 144,
    missingAnswers: 166,
    ipHelper: 20,
    kills: 39,
  },
  'ADD on Windows Server 2019': {
    hresults: 182,
    invalidAnswers: 38,
    outages: 126,
    missingAnswers: 149,
    kills: 29,
  },
  'ADD beside the host endpoint': {
    hresults: 260,
    invalidAnswers: 59,
    outages: 180,
    missingAnswers: 200,
    ipHelper: 100,
    kills: 37,
  },
  'ADD that creates the host endpoint': {
    hresults: 416,
    invalidAnswers: 94,
    outages: 288,
    missingAnswers: 302,
    ipHelper: 160,
    kills: 86,
  },
  'ADD that creates the network with its host endpoint': {
    hresults: 442,
    invalidAnswers: 104,
    outages: 306,
    missingAnswers: 319,
    ipHelper: 160,
    kills: 95,
  },
  'ADD with an address of each family': {
    hresults: 182,
    invalidAnswers: 38,
    outages: 126,
    missingAnswers: 149,
    kills: 29,
  },
  'ADD with an address of each family that creates the network': {
    hresults: 234,
    invalidAnswers: 57,
    outages: 162,
    missingAnswers: 183,
    ipHelper: 20,
    kills: 40,
  },
  'ADD with exceptions of both families': {
    hresults: 182,
    invalidAnswers: 38,
    outages: 126,
    missingAnswers: 149,
    kills: 29,
  },
  'ADD with a host port': { hresults: 182, invalidAnswers: 38, outages: 126, missingAnswers: 149, kills: 29 },
  'ADD whose policies need the address HNS assigned': {
    hresults: 234,
    invalidAnswers: 49,
    outages: 162,
    missingAnswers: 153,
    kills: 33,
  },
  'ADD on an Overlay network': {
    hresults: 182,
    invalidAnswers: 38,
    outages: 126,
    missingAnswers: 119,
    kills: 23,
  },
  'ADD that creates an Overlay network': {
    hresults: 208,
    invalidAnswers: 40,
    outages: 144,
    missingAnswers: 136,
    ipHelper: 40,
    kills: 42,
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
  'CHECK of an MTU': { others: 294, ipHelper: 20, kills: 10 },
  'CHECK on an Overlay network': { others: 160, kills: 4 },
  'GC of an endpoint': { others: 820, kills: 24 },
  'GC of nothing': { others: 356, kills: 8 },
  'GC without a network': { others: 178, kills: 6 },
  STATUS: { others: 134, kills: 7 },
  'STATUS without a network': { others: 54, kills: 6 },
  'STATUS with a feature': { others: 177, kills: 9 },
};
