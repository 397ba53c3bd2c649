// The configurations of the scenarios, as a runtime passes them.

const common = { cniVersion: '1.1.0', type: 'win-hcn' };
const ipam = { type: 'test-ipam' };

/** The default configuration. */
export const l2bridge = {
  ...common,
  ...{
    name: 'l2bridge',
    networkType: 'L2Bridge',
    adapter: 'Ethernet',
    subnets: [{ subnet: '10.244.1.0/24' }],
    ipam,
  },
};

/** With an endpoint of the node, at .2, as the gateway of pods, so that doctor finds nothing. */
export const withHostEndpoint = { ...l2bridge, name: 'cbr0', hostEndpoint: {} };

export const dualStack = {
  ...l2bridge,
  subnets: [{ subnet: '10.244.1.0/24' }, { subnet: 'fd00:10:244:1::/64', gateway: 'fd00:10:244:1::1' }],
};

/** HNS assigns the addresses of these two. */
export const nat = { ...common, name: 'nat', networkType: 'NAT', subnets: [{ subnet: '172.28.0.0/16' }] };
export const overlay = {
  ...common,
  ...{ name: 'overlay', networkType: 'Overlay', subnets: [{ subnet: '10.245.1.0/24', vsid: 4096 }] },
};
