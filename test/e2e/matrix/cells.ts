/** How many cells a scenario has in each part of the matrix, which is a file of tests; none where the part leaves it out. */
export type Cells = Readonly<Record<string, { readonly [part in Part]?: number }>>;

/** `others` is everything but the IP Helper and the kills, in one file. */
export type Part = 'hresults' | 'nonsense' | 'outages' | 'silences' | 'others' | 'ipHelper' | 'kills';

export const addCells: Cells = {
  ADD: { hresults: 168, nonsense: 38, outages: 126, silences: 119, kills: 23 },
  'ADD that creates the network': {
    hresults: 192,
    nonsense: 48,
    outages: 144,
    silences: 136,
    ipHelper: 20,
    kills: 33,
  },
  'ADD with an IPAM plugin': { hresults: 168, nonsense: 38, outages: 126, silences: 149, kills: 29 },
  'ADD with an IPAM plugin that creates the network': {
    hresults: 192,
    nonsense: 48,
    outages: 144,
    silences: 166,
    ipHelper: 20,
    kills: 39,
  },
  'ADD on Windows Server 2019': { hresults: 168, nonsense: 38, outages: 126, silences: 149, kills: 29 },
  'ADD beside the host endpoint': {
    hresults: 240,
    nonsense: 59,
    outages: 180,
    silences: 200,
    ipHelper: 100,
    kills: 37,
  },
  'ADD that creates the host endpoint': {
    hresults: 528,
    nonsense: 130,
    outages: 396,
    silences: 404,
    ipHelper: 160,
    kills: 92,
  },
  'ADD that creates the network with its host endpoint': {
    hresults: 456,
    nonsense: 116,
    outages: 342,
    silences: 353,
    ipHelper: 160,
    kills: 97,
  },
  'ADD with an address of each family': {
    hresults: 168,
    nonsense: 38,
    outages: 126,
    silences: 149,
    kills: 29,
  },
  'ADD with an address of each family that creates the network': {
    hresults: 216,
    nonsense: 57,
    outages: 162,
    silences: 183,
    ipHelper: 20,
    kills: 40,
  },
  'ADD with a host port': { hresults: 168, nonsense: 38, outages: 126, silences: 149, kills: 29 },
  'ADD whose policies need the address HNS assigned': {
    hresults: 216,
    nonsense: 49,
    outages: 162,
    silences: 153,
    kills: 33,
  },
  'ADD on an Overlay network': { hresults: 168, nonsense: 38, outages: 126, silences: 119, kills: 23 },
  'ADD that creates an Overlay network': {
    hresults: 192,
    nonsense: 47,
    outages: 144,
    silences: 136,
    ipHelper: 20,
    kills: 33,
  },
};

export const otherCells: Cells = {
  DEL: { others: 72, kills: 6 },
  'DEL with an IPAM plugin': { others: 92, kills: 10 },
  'DEL of nothing': { others: 178, kills: 11 },
  'DEL of an endpoint with a host port': { others: 92, kills: 10 },
  'DEL on an Overlay network': { others: 72, kills: 6 },
  "DEL of win-bridge's endpoint": { others: 115, kills: 7 },
  CHECK: { others: 170, kills: 6 },
  'CHECK of an MTU': { others: 294, ipHelper: 20, kills: 10 },
  'CHECK on an Overlay network': { others: 160, kills: 4 },
  'GC of an endpoint': { others: 748, kills: 18 },
  'GC of nothing': { others: 356, kills: 8 },
  'GC without a network': { others: 108, kills: 5 },
  STATUS: { others: 134, kills: 7 },
  'STATUS without a network': { others: 54, kills: 6 },
  'STATUS with a feature': { others: 177, kills: 9 },
};
