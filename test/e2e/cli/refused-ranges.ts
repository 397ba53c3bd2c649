/** `ipam` objects that host-local refuses, with the column and text of the problem. */
export const refusedRanges: [string, Readonly<Record<string, unknown>>, string][] = [
  ['no range', {}, '1: problem: /plugins/0/ipam has neither subnet nor ranges'],
  [
    'a null as subnet',
    { subnet: null },
    '39: problem: /plugins/0/ipam/subnet is null, not a subnet such as "10.244.1.0/24"',
  ],
  ['a range without a subnet', { ranges: [[{}]] }, '41: problem: /plugins/0/ipam/ranges/0/0 has no subnet'],
  [
    'a range that is no object',
    { ranges: [['x']] },
    '41: problem: /plugins/0/ipam/ranges/0/0 is "x", not a range such as {"subnet": "10.244.1.0/24"}',
  ],
  [
    'an empty set',
    { ranges: [[]] },
    '40: problem: /plugins/0/ipam/ranges/0 is not a list of ranges such as [{"subnet": "10.244.1.0/24"}]',
  ],
  [
    'a subnet that is no prefix',
    { subnet: '10.244.1.0' },
    '39: problem: /plugins/0/ipam/subnet is "10.244.1.0", not a subnet such as "10.244.1.0/24"',
  ],
  [
    'a subnet that is too small',
    { subnet: '10.244.1.0/31' },
    '39: problem: /plugins/0/ipam/subnet is "10.244.1.0/31", which is too small to assign addresses from',
  ],
  [
    'host bits',
    { subnet: '10.244.1.1/24' },
    '39: problem: /plugins/0/ipam/subnet is "10.244.1.1/24", which has host bits set: use "10.244.1.0/24"',
  ],
  [
    'a gateway that is no address',
    { subnet: '10.244.1.0/24', gateway: 'x' },
    '65: problem: /plugins/0/ipam/gateway is "x", not an IP address',
  ],
  [
    'a start outside of its subnet',
    { subnet: '10.244.1.0/24', rangeStart: '10.244.2.1' },
    '68: problem: /plugins/0/ipam/rangeStart is "10.244.2.1", outside of its subnet 10.244.1.0/24',
  ],
  [
    'an end outside of its subnet',
    { subnet: '10.244.1.0/24', rangeEnd: '10.244.0.255' },
    '66: problem: /plugins/0/ipam/rangeEnd is "10.244.0.255", outside of its subnet 10.244.1.0/24',
  ],
  [
    'an end before the start',
    { subnet: '10.244.1.0/24', rangeStart: '10.244.1.9', rangeEnd: '10.244.1.8' },
    '92: problem: /plugins/0/ipam/rangeEnd is "10.244.1.8", before the start 10.244.1.9',
  ],
];

const subnet = '10.244.1.0/24';

/** `ipam` objects that look similar, and that host-local accepts. */
export const acceptedRanges: [string, Readonly<Record<string, unknown>>][] = [
  ['an empty rangeStart and a null as gateway', { subnet, rangeStart: '', gateway: null }],
  ['a subnet and no ranges', { subnet, ranges: [] }],
  ['a rangeStart beside ranges, without a subnet', { rangeStart: '10.9.0.1', ranges: [[{ subnet }]] }],
  ['the smallest subnet', { subnet: '10.244.1.0/30' }],
  ['one address', { subnet, rangeStart: '10.244.1.9', rangeEnd: '10.244.1.9' }],
  ['a gateway outside of the subnet', { subnet, gateway: '10.9.0.1' }],
];
