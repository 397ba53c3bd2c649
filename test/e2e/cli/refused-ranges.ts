const subnet = '10.244.1.0/24';
const [low, high] = [
  { subnet, rangeStart: '10.244.1.10', rangeEnd: '10.244.1.20' },
  { subnet, rangeStart: '10.244.1.21' },
];

/** `ipam` objects that host-local refuses, by what is wrong, with the diagnostics of validate from the column on. */
export const refusedRanges: [string, Readonly<Record<string, unknown>>, string][] = [
  [
    'an unreadable subnet',
    { subnet: 'nonsense' },
    '39: problem: /plugins/0/ipam/subnet is "nonsense", not a subnet such as "10.244.1.0/24"',
  ],
  [
    'a null as subnet',
    { subnet: null },
    '39: problem: /plugins/0/ipam/subnet is null, not a subnet such as "10.244.1.0/24"',
  ],
  ['neither subnet nor ranges', {}, '1: problem: /plugins/0/ipam has neither subnet nor ranges'],
  ['no ranges', { ranges: [] }, '1: problem: /plugins/0/ipam has neither subnet nor ranges'],
  [
    'an object as ranges',
    { ranges: { subnet } },
    '39: problem: /plugins/0/ipam/ranges is {"subnet":"10.244.1.0/24"}, not a list of range sets',
  ],
  [
    'ranges that are not in a set',
    { ranges: [{ subnet }] },
    '40: problem: /plugins/0/ipam/ranges/0 is {"subnet":"10.244.1.0/24"}, not a list of ranges such as [{"subnet": "10.244.1.0/24"}]',
  ],
  [
    'an empty set',
    { subnet, ranges: [[]] },
    '65: problem: /plugins/0/ipam/ranges/0 is [], not a list of ranges such as [{"subnet": "10.244.1.0/24"}]',
  ],
  [
    'a range that is a text',
    { ranges: [[subnet]] },
    '41: problem: /plugins/0/ipam/ranges/0/0 is "10.244.1.0/24", not a range such as {"subnet": "10.244.1.0/24"}',
  ],
  [
    'a range without a subnet',
    { ranges: [[{ rangeStart: '10.244.1.4' }]] },
    '41: problem: /plugins/0/ipam/ranges/0/0 has no subnet',
  ],
  [
    'an unreadable rangeStart',
    { subnet, rangeStart: 'nonsense' },
    '68: problem: /plugins/0/ipam/rangeStart is "nonsense", not an IP address',
  ],
  [
    'a gateway that is a number',
    { subnet, gateway: 5 },
    '65: problem: /plugins/0/ipam/gateway is 5, not an IP address',
  ],
  [
    'an unreadable rangeStart without a subnet',
    { rangeStart: 'nonsense', ranges: [[{ subnet }]] },
    '43: problem: /plugins/0/ipam/rangeStart is "nonsense", not an IP address',
  ],
  [
    'a rangeStart after the rangeEnd',
    { subnet, rangeStart: '10.244.1.20', rangeEnd: '10.244.1.10' },
    '93: problem: /plugins/0/ipam/rangeEnd is "10.244.1.10", before the start 10.244.1.20',
  ],
  [
    'a rangeEnd before the first address',
    { subnet, rangeEnd: '10.244.1.0' },
    '66: problem: /plugins/0/ipam/rangeEnd is "10.244.1.0", before the start 10.244.1.1',
  ],
  [
    'a rangeStart outside of its subnet',
    { subnet: '10.244.1.0/25', rangeStart: '10.244.1.200' },
    '68: problem: /plugins/0/ipam/rangeStart is "10.244.1.200", outside of its subnet 10.244.1.0/25',
  ],
  [
    'an IPv6 rangeEnd of an IPv4 subnet',
    { subnet, rangeEnd: 'fd00:1::9' },
    '66: problem: /plugins/0/ipam/rangeEnd is "fd00:1::9", outside of its subnet 10.244.1.0/24',
  ],
  [
    'host bits in a subnet',
    { subnet: '10.244.1.9/24' },
    '39: problem: /plugins/0/ipam/subnet is "10.244.1.9/24", which has host bits set: use "10.244.1.0/24"',
  ],
  [
    'a subnet without free addresses',
    { subnet: '10.244.1.0/31' },
    '39: problem: /plugins/0/ipam/subnet is "10.244.1.0/31", which is too small to assign addresses from',
  ],
  [
    'two sets that overlap',
    { subnet, ranges: [[low]] },
    '66: problem: /plugins/0/ipam/ranges/0/0 overlaps 10.244.1.1 to 10.244.1.254 of another set',
  ],
  [
    'two ranges of a set that overlap',
    { ranges: [[low, high, { subnet, rangeStart: '10.244.1.15', rangeEnd: '10.244.1.15' }]] },
    '174: problem: /plugins/0/ipam/ranges/0/2 overlaps 10.244.1.10 to 10.244.1.20 of its set',
  ],
  [
    'two families in a set',
    { ranges: [[{ subnet }, { subnet: 'fd00:1::/64' }]] },
    '68: problem: /plugins/0/ipam/ranges/0/1 has another IP family than the first range of its set',
  ],
];

/** `ipam` objects that look similar, and that host-local accepts. */
export const acceptedRanges: [string, Readonly<Record<string, unknown>>][] = [
  ['an empty rangeStart and a null as gateway', { subnet, rangeStart: '', gateway: null }],
  ['a subnet and no ranges', { subnet, ranges: [] }],
  ['a rangeStart beside ranges, without a subnet', { rangeStart: '10.9.0.1', ranges: [[{ subnet }]] }],
  ['ranges of one subnet side by side', { ranges: [[low, high]] }],
  ['the smallest subnet', { subnet: '10.244.1.0/30' }],
  ['a gateway outside of the subnet', { subnet, gateway: '10.9.0.1' }],
];
