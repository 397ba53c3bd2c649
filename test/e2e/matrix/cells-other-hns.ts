import type { Cells } from './cells.ts';
import type { OtherHns } from './other-hns.ts';
import { isOnOtherHns, isWhole } from './whole.ts';

/** Numbers of cells without and with kills: those that CI runs, then all. */
type Counts = readonly [others: number, kills: number, allOthers: number, allKills: number];

const counts: Readonly<Record<string, Readonly<Record<OtherHns['short'], Counts>>>> = {
  ADD: { ids: [159, 14, 669, 26], attached: [96, 10, 394, 22], both: [159, 14, 669, 26] },
  'ADD that creates the network': {
    ids: [225, 21, 965, 39],
    attached: [193, 19, 823, 37],
    both: [225, 21, 965, 39],
  },
  'ADD with an IPAM plugin': {
    ids: [163, 16, 699, 32],
    attached: [100, 12, 424, 28],
    both: [163, 16, 699, 32],
  },
  'ADD with an IPAM plugin that creates the network': {
    ids: [229, 23, 995, 45],
    attached: [197, 21, 853, 43],
    both: [229, 23, 995, 45],
  },
  'ADD on Windows Server 2019': {
    ids: [163, 16, 699, 32],
    attached: [100, 12, 424, 28],
    both: [163, 16, 699, 32],
  },
  'ADD beside the host endpoint': {
    ids: [251, 26, 1136, 42],
    attached: [157, 20, 728, 36],
    both: [251, 26, 1136, 42],
  },
  'ADD that creates the host endpoint': {
    ids: [319, 40, 1464, 80],
    attached: [256, 36, 1189, 76],
    both: [319, 40, 1464, 80],
  },
  'ADD that creates the network with its host endpoint': {
    ids: [383, 46, 1740, 92],
    attached: [351, 44, 1598, 90],
    both: [383, 46, 1740, 92],
  },
  'ADD with an address of each family': {
    ids: [163, 16, 699, 32],
    attached: [100, 12, 424, 28],
    both: [163, 16, 699, 32],
  },
  'ADD with an address of each family that creates the network': {
    ids: [244, 24, 1065, 46],
    attached: [212, 22, 923, 44],
    both: [244, 24, 1065, 46],
  },
  'ADD with exceptions of both families': {
    ids: [163, 16, 699, 32],
    attached: [100, 12, 424, 28],
    both: [163, 16, 699, 32],
  },
  'ADD with a host port': { ids: [163, 16, 699, 32], attached: [100, 12, 424, 28], both: [163, 16, 699, 32] },
  'ADD whose policies need the address HNS assigned': {
    ids: [190, 18, 802, 36],
    attached: [127, 14, 527, 32],
    both: [190, 18, 802, 36],
  },
  'ADD on an Overlay network': {
    ids: [159, 14, 669, 26],
    attached: [96, 10, 394, 22],
    both: [159, 14, 669, 26],
  },
  'ADD that creates an Overlay network': {
    ids: [227, 24, 977, 48],
    attached: [195, 22, 835, 46],
    both: [227, 24, 977, 48],
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
  const run = Object.entries(counts).filter(([scenario]) => isOnOtherHns(scenario));
  const rows = run.map(([scenario, { [short]: numbers }]) => {
    const [others, kills] = isWhole ? numbers.slice(2) : numbers;
    return [`${scenario} ${name}`, { others, kills }];
  });
  return Object.fromEntries(rows);
}

/** The number of cells of each row of the covering array. */
export const rowCells = {
  faults: [50, 72, 54, 72, 66, 60, 60, 62, 58, 64, 64, 62, 66, 58, 56, 58, 50, 50],
  kills: [20, 31, 22, 31, 28, 25, 25, 26, 24, 27, 27, 26, 28, 24, 23, 24, 20, 20],
};
