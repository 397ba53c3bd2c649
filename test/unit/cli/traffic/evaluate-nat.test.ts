import { describe, expect, test } from 'vitest';
import { evaluateNat, type NatEvaluation } from '../../../../src/cli/traffic/evaluate-nat.ts';
import type { Stage } from '../../../../src/cli/traffic/query.ts';
import type { ObservedEndpoint, ObservedLoadBalancer } from '../../../../src/hcn/documents.ts';
import { outboundNat, overlayState, podNamespace, policy } from '../../../cluster/states.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const service: ObservedLoadBalancer = {
  ID: 'd4e6032f-bbf7-4b5a-880f-667bebc65504',
  HostComputeEndpoints: ['pod-1', 'backend'],
  FrontendVIPs: ['10.96.0.10'],
  PortMappings: [{ Protocol: 6, InternalPort: 8080, ExternalPort: 80 }],
  Flags: 1,
  SchemaVersion,
};
const backend: ObservedEndpoint = {
  ID: 'backend',
  Name: 'backend',
  HostComputeNetwork: 'overlay-1',
  HostComputeNamespace: podNamespace,
  IpConfigurations: [{ IpAddress: '10.244.1.9', PrefixLength: 24 }],
  SchemaVersion,
};
const proxy = policy('L4WFPPROXY', { OutboundProxyPort: '15001', FilterTuple: { Protocols: '17' } });
const everyPolicy = [
  proxy,
  outboundNat('10.0.0.0/8'),
  policy('OutBoundNAT', { Destinations: ['10.244.1.5'] }),
  policy('SDNRoute', { DestinationPrefix: '10.96.0.0/12', NeedEncap: true }),
  policy('PortMapping', { Protocol: 6, InternalPort: 80, ExternalPort: 8080 }),
];

/** Traffic of a pod with a policy of each kind to a service. */
function evaluate(
  endpoint: Partial<ObservedEndpoint> = {},
  loadBalancer: Partial<ObservedLoadBalancer> = {},
  others: readonly ObservedEndpoint[] = [backend],
): NatEvaluation {
  const { inventory } = overlayState(1, {
    endpoint: { Policies: everyPolicy, ...endpoint },
    others,
    loadBalancers: [{ ...service, ...loadBalancer }],
  });
  const [pod] = inventory.endpoints;
  const [network] = inventory.networks;
  if (pod === undefined || network === undefined) throw new Error('no pod');
  return evaluateNat({
    endpoint: pod,
    network,
    addresses: ['10.244.1.5'],
    destination: { address: '10.96.0.10', port: 80, protocol: 6 },
    inventory,
  });
}

/** The stages with rules, each once. */
const stagesOf = (stages: readonly Stage[]) => [
  ...new Set(stages.flatMap(({ rules }) => rules.map(({ stage }) => stage))),
];
const summary = ({ hasRoute, reasons, dataPath }: NatEvaluation) => ({
  hasRoute,
  reasons: stagesOf(reasons),
  dataPath: stagesOf(dataPath),
});

describe('traffic passes', () => {
  test('proxies, routes, load balancers, networks, OutBoundNAT, then node ports', () => {
    expect(summary(evaluate())).toEqual({
      hasRoute: true,
      reasons: ['L4WFPPROXY', 'load balancer', 'loopbackDSR', 'OutBoundNAT', 'SDNRoute', 'RemoteSubnetRoute'],
      dataPath: [
        'L4WFPPROXY',
        'route',
        'load balancer',
        'loopbackDSR',
        'SDNRoute',
        'RemoteSubnetRoute',
        'OutBoundNAT',
        'PortMapping',
      ],
    });
  });

  test('proxies and routes if no route leads to the destination', () => {
    const Routes = [{ NextHop: '10.244.1.1', DestinationPrefix: '10.97.0.0/16' }];
    expect(summary(evaluate({ Routes }))).toEqual({
      hasRoute: false,
      reasons: ['L4WFPPROXY'],
      dataPath: ['L4WFPPROXY', 'route'],
    });
  });

  test('proxies, routes and load balancers if the backends are gone', () => {
    expect(summary(evaluate({ ID: 'other' }, {}, []))).toEqual({
      hasRoute: true,
      reasons: ['L4WFPPROXY', 'load balancer'],
      dataPath: ['L4WFPPROXY', 'route', 'load balancer'],
    });
  });

  test('the stage of loopbackDSR even if the backends have no address', () => {
    expect(summary(evaluate({ IpConfigurations: [] }, {}, []))).toEqual({
      hasRoute: true,
      reasons: ['L4WFPPROXY', 'load balancer', 'loopbackDSR'],
      dataPath: ['L4WFPPROXY', 'route', 'load balancer', 'loopbackDSR'],
    });
  });
});

describe('OutBoundNAT', () => {
  const decidedBy = ({ dataPath }: NatEvaluation) =>
    dataPath
      .flatMap(({ rules }) => rules)
      .filter(({ stage, matches }) => stage === 'OutBoundNAT' && matches === 'yes')
      .map(({ decides, because }) => ({ decides, because }));

  test('applies to traffic for another backend than the pod', () => {
    expect(decidedBy(evaluate())).toEqual([{ decides: 'yes', because: undefined }]);
  });

  test('does not apply if the pod is the only backend', () => {
    expect(decidedBy(evaluate({}, { HostComputeEndpoints: ['pod-1'] }))).toEqual([
      { decides: 'no', because: 'the load balancer decides' },
    ]);
  });

  test('does not apply without direct server return', () => {
    expect(decidedBy(evaluate({}, { Flags: 0 }))).toEqual([
      { decides: 'no', because: 'the load balancer decides' },
    ]);
  });
});
