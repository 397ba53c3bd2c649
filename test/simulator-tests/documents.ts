// Documents that clients send to the service.

const natSubnet = {
  IpAddressPrefix: '192.168.100.0/24',
  Routes: [{ NextHop: '192.168.100.1', DestinationPrefix: '0.0.0.0/0' }],
};

export const nat = { Name: 'nat', Type: 'NAT', Ipams: [{ Type: 'Static', Subnets: [natSubnet] }] };
export const bridge = { ...nat, Name: 'l2bridge', Type: 'L2Bridge' };
export const overlay = {
  Name: 'flannel.4096',
  Type: 'Overlay',
  Flags: 8,
  Ipams: [
    {
      Type: 'Static',
      Subnets: [
        {
          IpAddressPrefix: '10.244.3.0/24',
          Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }],
          Routes: [{ NextHop: '10.244.3.1', DestinationPrefix: '0.0.0.0/0' }],
        },
      ],
    },
  ],
};
