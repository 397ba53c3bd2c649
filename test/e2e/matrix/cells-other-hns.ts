import type { Cells } from './cells.ts';
import type { OtherHns } from './other-hns.ts';
import { isWhole } from './whole.ts';

/** Numbers of cells without and with kills: those that CI runs, then all. */
type Counts = readonly [others: number, kills: number, allOthers: number, allKills: number];

const counts: Readonly<Record<string, Readonly<Record<OtherHns['short'], Counts>>>> = {
  ADD: { ids: [144, 13, 607, 25], attached: [112, 11, 465, 23], both: [144, 13, 607, 25] },
  'ADD that creates the network': {
    ids: [162, 17, 698, 35],
    attached: [130, 15, 556, 33],
    both: [162, 17, 698, 35],
  },
  'ADD with an IPAM plugin': {
    ids: [148, 15, 637, 31],
    attached: [116, 13, 495, 29],
    both: [148, 15, 637, 31],
  },
  'ADD with an IPAM plugin that creates the network': {
    ids: [166, 19, 728, 41],
    attached: [134, 17, 586, 39],
    both: [166, 19, 728, 41],
  },
  'ADD on Windows Server 2019': {
    ids: [148, 15, 637, 31],
    attached: [116, 13, 495, 29],
    both: [148, 15, 637, 31],
  },
  'ADD beside the host endpoint': {
    ids: [236, 25, 1074, 41],
    attached: [173, 21, 799, 37],
    both: [236, 25, 1074, 41],
  },
  'ADD that creates the host endpoint': {
    ids: [306, 42, 1402, 88],
    attached: [274, 40, 1260, 86],
    both: [306, 42, 1402, 88],
  },
  'ADD that creates the network with its host endpoint': {
    ids: [322, 45, 1473, 97],
    attached: [290, 43, 1331, 95],
    both: [322, 45, 1473, 97],
  },
  'ADD with an address of each family': {
    ids: [148, 15, 637, 31],
    attached: [116, 13, 495, 29],
    both: [148, 15, 637, 31],
  },
  'ADD with an address of each family that creates the network': {
    ids: [181, 20, 798, 42],
    attached: [149, 18, 656, 40],
    both: [181, 20, 798, 42],
  },
  'ADD with exceptions of both families': {
    ids: [148, 15, 637, 31],
    attached: [116, 13, 495, 29],
    both: [148, 15, 637, 31],
  },
  'ADD with a host port': { ids: [148, 15, 637, 31], attached: [116, 13, 495, 29], both: [148, 15, 637, 31] },
  'ADD whose policies need the address HNS assigned': {
    ids: [175, 17, 740, 35],
    attached: [143, 15, 598, 33],
    both: [175, 17, 740, 35],
  },
  'ADD on an Overlay network': {
    ids: [144, 13, 607, 25],
    attached: [112, 11, 465, 23],
    both: [144, 13, 607, 25],
  },
  'ADD that creates an Overlay network': {
    ids: [164, 20, 710, 44],
    attached: [132, 18, 568, 42],
    both: [164, 20, 710, 44],
  },
  DEL: { ids: [142, 17, 692, 29], attached: [48, 7, 216, 13], both: [142, 17, 692, 29] },
  'DEL with an IPAM plugin': {
    ids: [146, 19, 712, 33],
    attached: [52, 9, 236, 17],
    both: [146, 19, 712, 33],
  },
  'DEL of nothing': { ids: [82, 11, 408, 19], attached: [82, 11, 408, 19], both: [82, 11, 408, 19] },
  'DEL of an endpoint with a host port': {
    ids: [146, 19, 712, 33],
    attached: [52, 9, 236, 17],
    both: [146, 19, 712, 33],
  },
  'DEL on an Overlay network': {
    ids: [142, 17, 692, 29],
    attached: [48, 7, 216, 13],
    both: [142, 17, 692, 29],
  },
  'DEL without CNI_NETNS': { ids: [131, 16, 642, 27], attached: [99, 14, 466, 25], both: [131, 16, 642, 27] },
  'DEL of nothing without CNI_NETNS': {
    ids: [51, 7, 266, 12],
    attached: [51, 7, 266, 12],
    both: [51, 7, 266, 12],
  },
  "DEL of win-bridge's endpoint": {
    ids: [142, 17, 346, 17],
    attached: [142, 17, 346, 17],
    both: [142, 17, 346, 17],
  },
};

/** The number of cells of each scenario on other variants of HNS. */
export function cellsOn({ name, short }: OtherHns): Cells {
  const rows = Object.entries(counts).map(([scenario, { [short]: numbers }]) => {
    const [others, kills] = isWhole ? numbers.slice(2) : numbers;
    return [`${scenario} ${name}`, { others, kills }];
  });
  return Object.fromEntries(rows);
}

/** The number of cells of each row of the covering array. */
export const rowCells = {
  faults: [50, 62, 58, 58, 58, 54, 54, 62, 58, 58, 54, 58, 54, 58, 50, 50],
  kills: [20, 26, 24, 24, 24, 22, 22, 26, 24, 24, 22, 24, 22, 24, 20, 20],
};
