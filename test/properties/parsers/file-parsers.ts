import { InvalidArgumentError } from 'commander';
import { newCleaner } from '../../../src/cli/collect/allow-list.ts';
import { checkFile } from '../../../src/cli/conflist/check-file.ts';
import { readConfFile } from '../../../src/cli/conflist/conf-file.ts';
import { readConfigFile } from '../../../src/cli/conflist/config-file.ts';
import { readRangeSets } from '../../../src/cli/conflist/host-local-ranges.ts';
import { fillPlaceholders } from '../../../src/cli/conflist/placeholders.ts';
import { parseConfig } from '../../../src/cli/containerd/config.ts';
import { readLoggedRequests } from '../../../src/cli/doctor/checks/log.ts';
import { readServices } from '../../../src/cli/doctor/cluster-services.ts';
import { findCodes } from '../../../src/cli/explain/explain-code.ts';
import { readReservations, storeFolder } from '../../../src/cli/gc/reservations.ts';
import { isForWinHcn } from '../../../src/cli/install/configurations.ts';
import { readApiAccess, readPodCidrs } from '../../../src/cli/install/pod-cidrs.ts';
import { cachedPods } from '../../../src/cli/inventory/read-pods.ts';
import { readNodeList } from '../../../src/cli/network/cluster-node.ts';
import { clusterRoutes, type OwnSide } from '../../../src/cli/network/cluster-routes.ts';
import { secondsParser } from '../../../src/cli/terminal/options.ts';
import { parseDestination } from '../../../src/cli/traffic/destination.ts';
import { CniError } from '../../../src/cni/error.ts';
import { example } from '../../e2e/example.ts';
import { nodeList, vxlanNode } from '../../unit/cli/network/node-list.ts';
import { objectIn, type Parser, textOf } from './parser.ts';

const executable = 'C:\\opt\\cni\\bin\\win-hcn.exe';
const conflist = (config: object) =>
  JSON.stringify({ cniVersion: '1.0.0', name: 'n', plugins: [config] }, null, 1);
const conflists = [
  conflist({ ...example('l2bridge'), logFile: 'C:\\k\\win-hcn.log' }),
  conflist(example('overlay')),
  conflist({ type: 'flannel', delegate: { type: 'sdnoverlay' } }),
  '{"name": "n",\n "plugins": [{"type": "win-hcn", "networkType": "NAT"},],\u00a0 "a": “b”}',
];
const log = [
  '{"time":"2030-01-01T00:00:00.000Z","request":"0a1b2c3d","event":"request","command":"ADD","containerId":"c0ffee","pod":"shop/web"}',
  '{"time":"2030-01-01T00:00:01.000Z","request":"0a1b2c3d","event":"answer","code":0}',
  '{"time":"2030-01-01T00:00:02.000Z","request":"0a1b2c3e","event":"load balancer","name":"dns","id":"x"}',
  '{"time":"2030-01-01T00:00:03.000Z","request":"0a1b2c3f","event":"answer","code":100,"msg":"HNS is not running"}',
].join('\n');
const cached = JSON.stringify({
  kind: 'cniCacheV1',
  containerId: 'c0ffee',
  cniArgs: [
    ['K8S_POD_NAMESPACE', 'shop'],
    ['K8S_POD_NAME', 'web'],
  ],
});
const toml = `version = 2
imports = ['conf.d/*.toml']
[plugins.'io.containerd.grpc.v1.cri'.cni]
  bin_dir = 'C:\\opt\\cni\\bin'
  conf_dir = 'C:/etc/cni/net.d/'
[plugins.'io.containerd.grpc.v1.cri'.registry.configs.'r'.auth]
  password = 'secret'
[plugins.'io.containerd.grpc.v1.cri'.containerd.runtimes.runhcs]
  cni_conf_dir = 'C:\\other'
`;
const node = vxlanNode({
  name: 'win-2',
  podCIDRs: ['10.244.2.0/24'],
  address: '10.0.0.5',
  mac: '00:15:5d:fb:cb:0d',
});
const ownNode = vxlanNode({
  name: 'own',
  podCIDRs: ['10.244.1.0/24'],
  address: '10.0.0.4',
  mac: '00:15:5d:fb:cb:0e',
});
const own: OwnSide = {
  network: 'pods',
  underlay: { type: 'Overlay', vsid: 4096 },
  subnets: ['10.244.1.0/24'],
  addresses: ['10.0.0.4'],
  gateways: ['10.0.0.1'],
  configured: [],
};

/** The files of a session: every file has the same bytes. */
function withFiles(bytes: Uint8Array, names: readonly string[] = ['10.244.1.5', 'fd00__5', 'lock']) {
  const file = { bytes, modified: new Date(0) };
  const terminal = { listFolder: () => names, readFile: () => bytes, readEnd: () => file };
  const system = { windows: true, environment: {}, logFile: 'C:\\k\\win-hcn.log', executable };
  // biome-ignore lint/suspicious/noExplicitAny: only these members are read
  return { terminal, system, read: () => bytes } as any;
}

const nodes = 'src/cli/network/';

/** Readers of files, of the Kubernetes API, and of what operators type. */
export const fileParsers: readonly Parser[] = [
  {
    reads: 'a configuration file, with positions',
    functions: {
      'src/cli/conflist/config-file.ts': ['readConfigFile', 'readJsonFile', 'readConfigName'],
      'src/cli/conflist/conf-file.ts': ['readConfFile'],
      'src/cli/install/configurations.ts': ['isForWinHcn'],
    },
    samples: conflists,
    read: (bytes) => {
      const { problems } = readConfigFile(bytes);
      const { path, report } = readConfFile('C:\\x.conflist', bytes, executable);
      return [
        problems,
        isForWinHcn(bytes),
        path,
        report,
        checkFile(bytes, '10-win-hcn.conflist', executable),
      ];
    },
  },
  {
    reads: "the ranges of host-local's configuration",
    functions: { 'src/cli/conflist/host-local-ranges.ts': ['readRangeSets'] },
    samples: [
      '{"type":"host-local","ranges":[[{"subnet":"10.244.1.0/24","rangeStart":"10.244.1.9","gateway":"10.244.1.1"}]]}',
      '{"subnet":"fd00::/64","rangeEnd":"fd00::99","dataDir":"/var/lib/cni"}',
    ],
    read: (bytes) => readRangeSets(objectIn(textOf(bytes))),
  },
  {
    reads: "host-local's leases",
    functions: { 'src/cli/gc/reservations.ts': ['readReservations'] },
    samples: ['c0ffee\neth0', 'c0ffee', 'c0ffee\r\neth0\r\n'],
    read: (bytes) => [
      readReservations({ folder: 'C:\\var\\lib\\cni\\networks' }, withFiles(bytes)),
      readReservations({ folder: storeFolder(textOf(bytes)), network: 'n' }, withFiles(bytes)),
    ],
  },
  {
    reads: "libcni's result files",
    functions: { 'src/cli/inventory/read-pods.ts': ['cachedPods'] },
    samples: [cached],
    read: (bytes) => cachedPods(['c0ffee'], withFiles(bytes, ['n-c0ffee-eth0'])),
  },
  {
    reads: 'the log',
    functions: { 'src/cli/doctor/checks/log.ts': ['readLoggedRequests'] },
    samples: [log],
    read: (bytes) => readLoggedRequests(textOf(bytes)),
  },
  {
    reads: "containerd's config.toml",
    functions: { 'src/cli/containerd/config.ts': ['parseConfig'] },
    samples: [
      toml,
      'version = 3\n[plugins."io.containerd.cri.v1.runtime".cni]\nbin_dirs = ["C:\\\\x"]\nmax_conf_num = 0',
    ],
    read: (bytes) => parseConfig(textOf(bytes)),
    expects: (error) => error instanceof Error && error.constructor.name === 'TomlError',
  },
  {
    reads: 'kubectl get nodes',
    functions: {
      [`${nodes}cluster-node.ts`]: ['readNodeList', 'readClusterNode'],
      [`${nodes}cluster-routes.ts`]: ['clusterRoutes'],
    },
    samples: [nodeList(ownNode, node), nodeList(node)],
    read: (bytes) => clusterRoutes(readNodeList(bytes, 'nodes.json'), own),
  },
  {
    reads: 'kubectl get services,endpointslices',
    functions: {
      'src/cli/doctor/cluster-services.ts': ['readServices'],
      'src/cli/terminal/kubectl-list.ts': ['readKubectlList'],
    },
    samples: [
      JSON.stringify({
        items: [
          {
            kind: 'Service',
            metadata: { namespace: 'shop', name: 'web' },
            spec: { clusterIPs: ['10.96.0.7'], ports: [{ port: 80 }] },
          },
          {
            kind: 'EndpointSlice',
            metadata: { namespace: 'shop', labels: { 'kubernetes.io/service-name': 'web' } },
            endpoints: [{ conditions: { ready: true } }],
          },
        ],
      }),
    ],
    read: (bytes) => readServices(bytes, 'services.json'),
  },
  {
    reads: "the Kubernetes API's node, and the conflist of its placeholders",
    functions: {
      'src/cli/install/pod-cidrs.ts': ['readPodCidrs', 'readApiAccess'],
    },
    samples: [
      JSON.stringify(node),
      '{"message":"no"}',
      '{"subnet":"{{.PodCIDR}}","gateway":"{{.PodCIDR.Address 1}}"}',
    ],
    read: async (bytes) => {
      const body = textOf(bytes);
      const inPod = withFiles(bytes);
      const environment = { KUBERNETES_SERVICE_HOST: '10.0.0.10', CONTAINER_SANDBOX_MOUNT_POINT: 'C:\\hpc' };
      const access = readApiAccess({ ...inPod, system: { ...inPod.system, environment } });
      const read = (status: number) => readPodCidrs('win-2', access, async () => ({ status, body }));
      const filled = attempt(() => fillPlaceholders(body, ['10.244.2.0/24', 'fd00::/64']));
      await read(503).catch(ours);
      return [filled, await read(200)];
    },
  },
  {
    reads: 'JSON of the support bundle',
    functions: { 'src/cli/collect/allow-list.ts': [] },
    samples: [...conflists, log],
    read: (bytes) => {
      const { clean, hide } = newCleaner();
      return [clean(objectIn(textOf(bytes))), hide(textOf(bytes))];
    },
  },
  {
    reads: 'a message to explain',
    functions: { 'src/cli/explain/explain-code.ts': ['findCodes'] },
    samples: [
      'hcnCreateEndpoint failed: 0x803b002f',
      'HCN_E_ADDR_INVALID_OR_RESERVED',
      '{"code":11}',
      '-2143617992',
    ],
    read: (bytes) => findCodes(textOf(bytes)),
  },
  {
    reads: 'an argument of the command line',
    functions: {
      'src/cli/traffic/destination.ts': ['parseDestination'],
      'src/cli/terminal/options.ts': ['secondsParser'],
    },
    samples: ['10.96.0.10:53/udp', '[fd00::1]:80', '8080:80/tcp', '8080/udp', '30'],
    read: (bytes) => {
      const text = textOf(bytes);
      return [parseDestination(text), refusable(() => secondsParser()(text))];
    },
  },
];

function ours(error: unknown): undefined {
  if (error instanceof CniError) return undefined;
  throw error;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    return ours(error);
  }
}

/** Commander prints what InvalidArgumentError says. */
function refusable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof InvalidArgumentError) return undefined;
    throw error;
  }
}
