import { HcnError } from '../../src/hcn/errors.ts';
import { hex } from '../../src/hcn/hresults.ts';
import { endpointId, hostEndpointId } from '../../src/model/identity.ts';
import { type HresultName, hresultOf } from '../simulator/hresults.ts';
import { overlay, withHostEndpoint } from './configurations.ts';
import type { Scenario } from './scenario.ts';
import type { Stage } from './stage.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const web = endpointId({ containerId: 'web', ifname: 'eth0', network: 'cbr0' });
const service = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const second = '1b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const third = '2b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const dev = 'a7e6032f-bbf7-4b5a-880f-667bebc65507';
const onDev = 'f6e6032f-bbf7-4b5a-880f-667bebc65506';
const balancer = {
  HostComputeEndpoints: [web],
  FrontendVIPs: ['10.96.0.20'],
  PortMappings: [{ Protocol: 6, InternalPort: 8080, ExternalPort: 80 }],
  SchemaVersion,
};

/** A pod, for which kube-proxy creates a service. */
async function startService({ add, hcn, event }: Stage): Promise<void> {
  await add('web', '10.244.1.10');
  await event('kube-proxy creates 10.96.0.20', () => hcn.createLoadBalancer(service, balancer));
}

/** kube-proxy asks for a load balancer, which HNS refuses; its log has the code, which `explain` explains. */
async function refused(stage: Stage, document: object, code: HresultName, explained: string): Promise<void> {
  const failed = await stage.hcn.createLoadBalancer(third, { ...balancer, ...document }).then(
    () => 'nothing',
    (error: unknown) => (error instanceof HcnError ? hex(error.hresult) : error),
  );
  stage.expect('what HNS returns to kube-proxy', failed, hex(hresultOf(code)));
  await stage.cli(`explain ${failed}`, 0, code, explained);
}

/** Reports on the load balancers that kube-proxy creates. */
export const loadBalancers: readonly Scenario[] = [
  {
    report: 'Azure/aks-engine#3956',
    says: 'On Windows Server 2019, load balancers outlive their network, and cannot be deleted then.',
    hns: { profile: 'ws2019', switches: { loadBalancersOfNetwork: 'kept, undeletable' } },
    config: withHostEndpoint,
    play: async (stage) => {
      const { hcn, hns, cli, add, del, event, left, expect } = stage;
      await add('web', '10.244.1.10');
      const create = (id: string, vip: string, HostComputeEndpoints: readonly string[]) =>
        hcn.createLoadBalancer(id, { ...balancer, HostComputeEndpoints, FrontendVIPs: [vip] });
      await create(service, '10.96.0.20', [hostEndpointId('cbr0')]);
      await create(second, '10.96.0.21', [hostEndpointId('cbr0')]);
      await hcn.createNetwork(dev, { Name: 'dev', Type: 'NAT', SchemaVersion });
      await hcn.createEndpoint(dev, onDev, { Name: 'x', HostComputeNetwork: dev, SchemaVersion });
      await create(third, '10.96.0.22', [onDev]);
      await del('web', 'ok');
      const before = left();
      const refusal = { effect: { hresult: hresultOf('E_ACCESSDENIED') }, ordinal: 2 };
      await event('HNS keeps one', () => hns.inject({ function: 'HcnDeleteLoadBalancer', ...refusal }));
      await cli(
        'network delete cbr0 --yes',
        1,
        `deleting load balancer ${second}: HCN returned E_ACCESSDENIED`,
      );
      expect('kept', left().length, before.length);
      await cli(
        'network delete cbr0 --yes',
        0,
        '1. delete load balancer',
        '2. delete load balancer',
        '3. delete network',
      );
    },
    left: 'network dev; endpoint x …; load balancer 10.96.0.22:80',
  },
  {
    report: 'kubernetes/kubernetes#106936',
    says: 'kube-proxy asks for a load balancer of a service without endpoints, which HNS refuses.',
    config: withHostEndpoint,
    play: (stage) => refused(stage, { HostComputeEndpoints: [] }, 'HCN_E_INVALID_POLICY', '…'),
    left: '',
  },
  {
    report: 'kubernetes/kubernetes#137530',
    says: 'A deleted load balancer keeps its port on Windows Server 2019, so the next one is refused: 0x803b0013.',
    config: withHostEndpoint,
    play: async (stage) => {
      await startService(stage);
      await stage.refuse('HcnCreateLoadBalancer', 'HCN_E_PORT_ALREADY_EXISTS');
      await refused(stage, { FrontendVIPs: ['10.96.0.30'] }, 'HCN_E_PORT_ALREADY_EXISTS', '…');
    },
    left: 'network cbr0; pod web 10.244.1.10; endpoint cbr0_ep 10.244.1.2; load balancer 10.96.0.20:80',
  },
  {
    report: 'kubernetes/kubernetes#131466',
    says: 'HNS 15.4 reports that it changed a load balancer, and did not: pods use the old backends.',
    hns: { profile: 'ws2025' },
    config: withHostEndpoint,
    play: async (stage) => {
      await startService(stage);
      const changes = { PortMappings: [{ Protocol: 6, InternalPort: 9090, ExternalPort: 80 }] };
      await refused(stage, changes, 'ERROR_ALREADY_EXISTS', 'Another load balancer has the address');
      const changed = stage.hns.calls
        .map((call) => call.function)
        .filter((name) => name.startsWith('HcnModifyL'));
      stage.expect('changes of load balancers', changed, []);
    },
    left: 'network cbr0; pod web 10.244.1.10; endpoint cbr0_ep 10.244.1.2; load balancer 10.96.0.20:80',
  },
  {
    report: 'microsoft/hcsshim#1043',
    says: 'A load balancer for an endpoint that does not exist is "the switch-port was not found".',
    config: withHostEndpoint,
    play: (stage) => refused(stage, {}, 'HCN_E_PORT_NOT_FOUND', '…'),
    left: '',
  },
  {
    report: 'kubernetes/kubernetes#112836',
    says: 'A load balancer still refers to an endpoint that has been deleted.',
    config: withHostEndpoint,
    play: async (stage) => {
      await startService(stage);
      await stage.del('web', 'ok');
      await stage.cli('doctor', 0, 'WARN     load balancers', 'has a backend that does not exist');
      await stage.cli('network delete cbr0 --yes', 0, `1. delete load balancer ${service} for 10.96.0.20`);
    },
    left: '',
  },
  {
    report: 'kubernetes/kubernetes#135802',
    says: 'kube-proxy never recreates a load balancer that something else deleted.',
    config: { ...withHostEndpoint, loopbackDSR: true, dns: { nameservers: ['10.96.0.10'] } },
    play: async ({ add, kubeProxy, hcn, event, cli }) => {
      await add('dns', '10.244.1.10');
      const backends = [{ ip: '10.244.1.10', isLocal: true }];
      const dns = { clusterIP: '10.96.0.10', port: 53, targetPort: 53, backends };
      const proxy = await kubeProxy();
      await proxy.sync([
        { ...dns, protocol: 17 },
        { ...dns, protocol: 6 },
      ]);
      await cli('doctor', 0, 'PASS     DNS service');
      const [first] = await hcn.findLoadBalancers();
      await event('a restart of RKE2 deletes one', () => hcn.deleteLoadBalancer(first?.ID ?? ''));
      await cli('doctor', 1, 'DNS service', '10.96.0.10', 'is kube-proxy running?');
    },
    left: 'network cbr0; pod dns 10.244.1.10; endpoint cbr0_ep 10.244.1.2; load balancer 10.96.0.10:53',
  },
  {
    report: 'kubernetes/kubernetes#139519',
    says: 'While HNS restarts, kube-proxy takes a failed query for an absent load balancer, and later cannot create it again.',
    config: withHostEndpoint,
    play: async (stage) => {
      const { add, del, hns, event, cli } = stage;
      await startService(stage);
      const effect = { hresult: hresultOf('RPC_S_SERVER_UNAVAILABLE') };
      await event('HNS is down', () => hns.inject({ ordinal: 'every', effect }));
      await del('web', '…');
      await add('api', '…');
      await cli('network delete cbr0 --yes', 3, '…');
      await event('HNS runs again', hns.clearFaults);
      await del('web', 'ok');
    },
    left: 'network cbr0; of api: namespace; endpoint cbr0_ep 10.244.1.2; load balancer 10.96.0.20:80',
  },
  {
    report: 'kubernetes/kubernetes#113524',
    says: 'HNS fails to delete a load balancer, and kube-proxy keeps using the old one.',
    config: withHostEndpoint,
    play: async (stage) => {
      const { refuse, cli, hns, event, left, expect } = stage;
      await startService(stage);
      const before = left();
      await refuse('HcnDeleteLoadBalancer', 'E_ACCESSDENIED');
      await cli(`debug loadbalancer delete ${service} --yes`, 1, 'E_ACCESSDENIED');
      expect('left', left(), before);
      const effect = { drop: 'after' } as const;
      await event('HNS deletes it, and ends', () =>
        hns.inject({ function: 'HcnDeleteLoadBalancer', effect }),
      );
      await cli(`debug loadbalancer delete ${service} --yes`, 3, 'RPC_S_CALL_FAILED');
      await cli(`debug loadbalancer delete ${service} --yes`, 1, `HCN has no load balancer "${service}"`);
    },
    left: 'network cbr0; pod web 10.244.1.10; endpoint cbr0_ep 10.244.1.2',
  },
  {
    report: 'kubernetes/kubernetes#100962',
    says: "kube-proxy cannot create its source VIP on an Overlay network, because the address is another endpoint's.",
    config: { ...overlay, ipam: { type: 'test-ipam' }, sourceVip: true },
    play: async ({ add, cli, kubeProxy, hns, expect }) => {
      await cli('network ensure net.conf --yes', 0, 'start kube-proxy with --source-vip=10.245.1.10');
      await add('web', '10.245.1.11');
      await cli('network ensure net.conf --yes', 0, 'source VIP 10.245.1.10 on it exists as configured');
      await (await kubeProxy('10.245.1.10')).sync([]);
      expect('endpoints', hns.dump().endpoints.length, 2);
    },
    left: 'network overlay; pod web 10.245.1.11; endpoint overlay_source_vip 10.245.1.10; lease 10.245.1.10 of kube-proxy source-vip',
  },
  {
    report: 'Azure/aks-engine#4315',
    says: 'HNS of Windows Server 2019 hangs if several load balancers have one endpoint, until an update of October 2021.',
    config: withHostEndpoint,
    play: async (stage) => {
      const { cli, scripts } = stage;
      const windows = (revision: number) => {
        stage.scripts = {
          ...scripts,
          windows: { caption: 'Windows Server 2019', build: 17763, revision, server: true },
        };
      };
      await startService(stage);
      windows(2267);
      await cli(
        'doctor',
        0,
        'WARN     Windows',
        'several load balancers refer to one endpoint; install KB5006744',
      );
      windows(2268);
      await cli('doctor', 0, 'PASS     Windows');
    },
    left: 'network cbr0; pod web 10.244.1.10; endpoint cbr0_ep 10.244.1.2; load balancer 10.96.0.20:80',
  },
];
