import { networkId } from '../../src/model/identity.ts';
import { doctorEnvironment, files as filesInOrder, healthy } from '../e2e/cli/doctor-node.ts';
import { libcniFile } from '../e2e/cli/libcni-files.ts';
import type { Node } from '../e2e/node.ts';
import { hostLocal } from './host-local.ts';
import { newScene, type Scene, tried } from './scene.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const l2bridge = {
  cniVersion: '1.0.0',
  name: 'l2bridge',
  type: 'win-hcn',
  networkType: 'L2Bridge',
  subnets: [{ subnet: '10.244.1.0/24' }],
};
const nat = {
  cniVersion: '1.0.0',
  name: 'pods',
  type: 'win-hcn',
  networkType: 'NAT',
  subnets: [{ subnet: '172.30.0.0/24' }],
};

const conflist = 'C:\\etc\\cni\\net.d\\10-win-hcn.conflist';

/** A Windows version that supports one NAT network. */
const oneNatNetwork = { profile: 'ws2019' } as const;

/** The problem of each section of the page, by its title. */
export const scenes: Readonly<Record<string, () => Promise<Scene>>> = {
  'An address provided is invalid or reserved': () =>
    newScene(async (node) => {
      const config = { ...l2bridge, ipam: { type: 'test-ipam' } };
      await node.cni('ADD', { config, pod: node.newPod('neighbour') });
      await node.hcn.createEndpoint(networkId('l2bridge'), 'a1e6032f-bbf7-4b5a-880f-667bebc65501', {
        Name: 'c0ffee_l2bridge',
        HostComputeNetwork: networkId('l2bridge'),
        IpConfigurations: [{ IpAddress: '10.244.1.11' }],
        SchemaVersion,
      });
      return { others: kubectl(node, () => config) };
    }),

  'The parameter is incorrect': () =>
    newScene(async (node) => {
      await node.hcn.createNetwork('d0c4e732-8b1a-4f6d-9c55-3e7a1f2b9d04', {
        Name: 'nat',
        Type: 'NAT',
        Ipams: [{ Type: 'Static', Subnets: [{ IpAddressPrefix: '172.20.0.0/16' }] }],
        SchemaVersion,
      });
      const own = { ...nat, name: 'nat', subnets: undefined, createNetwork: 'never' };
      let config: typeof nat | typeof own = nat;
      const { 'kubectl get pod web': get, ...others } = kubectl(node, () => config);
      return {
        files: { 'nat.conflist': listed(own) },
        others: {
          ...others,
          'Get-Content nat.conflist': () => JSON.stringify(JSON.parse(listed(own)), null, 2),
          'kubectl get pod web': () => {
            config = own;
            return get();
          },
        },
      };
    }, oneNatNetwork),

  'no IP addresses available in range set': () =>
    newScene(async (node) => {
      const config = { ...l2bridge, ipam: { type: 'host-local', subnet: '10.244.1.0/24' } };
      const files: Record<string, string> = { '10-win-hcn.conflist': listed(config) };
      const run = hostLocal(files);
      node.ipam.run = run;
      const pods = [node.newPod('one'), node.newPod('two')];
      for (const pod of pods) await node.cni('ADD', { config, pod });
      for (const { ID } of node.hns.dump().endpoints) await node.hcn.deleteEndpoint(String(ID));
      const system = {
        isFile: (path: string) => path === 'C:\\opt\\cni\\bin\\host-local.exe',
        windows: true,
        spawn: async (_: string, environment: Readonly<Record<string, string | undefined>>) =>
          run(environment),
      };
      return { files, system, others: kubectl(node, () => config) };
    }),

  'The Host Network Service does not respond': () =>
    newScene(async (node) => {
      await node.cni('ADD', { config: l2bridge, pod: node.newPod('neighbour') });
      node.hns.inject({ ordinal: 'every', effect: { hang: true } });
      return {
        others: {
          ...kubectl(node, () => l2bridge),
          'Restart-Service hns': () => {
            node.hns.clearFaults();
            node.hns.restart();
            return '';
          },
        },
      };
    }),

  'cni plugin not initialized': () =>
    newScene(async (node) => {
      const text = filesInOrder[conflist];
      const files: Record<string, string | Uint8Array> = {
        ...filesInOrder,
        [conflist]: Buffer.from(`\ufeff${text}`, 'utf16le'),
      };
      const isRead = () => typeof files[conflist] === 'string';
      const notReady =
        'Ready  False  KubeletNotReady  container runtime network not ready: NetworkReady=false ' +
        'reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized';
      return {
        ...doctorEnvironment(node, healthy, files),
        others: {
          'kubectl describe node win-1': () => (isRead() ? 'Ready  True' : notReady),
          [`[IO.File]::WriteAllText('${conflist}', (Get-Content -Raw '${conflist}'))`]: () => {
            files[conflist] = text;
            return '';
          },
          'kubectl get node win-1': () => `NAME   STATUS\nwin-1  ${isRead() ? 'Ready' : 'NotReady'}`,
        },
      };
    }),

  'A pod is running but cannot connect to a destination': () =>
    newScene(async (node) => {
      const config = {
        ...l2bridge,
        hostEndpoint: {},
        outboundNat: { exceptions: ['10.244.0.0/16', '10.96.0.0/12', '10.0.0.0/16'] },
        acls: [{ action: 'Block', direction: 'Out', remoteAddresses: ['10.0.3.0/24'], priority: 200 }],
        defaultAction: 'Allow',
      };
      const rest = 'a8cfb';
      const before = { ...config, outboundNat: { exceptions: ['10.244.0.0/16', '10.96.0.0/12'] } };
      const pods = [
        {
          name: 'shop/api',
          containerId: `41c0b2f1${rest}`,
          netns: '7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d',
          config: before,
        },
        {
          name: 'shop/web',
          containerId: `0e12d1d5${rest}`,
          netns: 'e0b1a5d4-6f3e-4b0a-8f57-2a9d1c3e4f60',
          config,
        },
      ];
      const files: Record<string, string> = {};
      for (const { config, name, ...pod } of pods) {
        await node.hcn.createNamespace(pod.netns, { Type: 'Host', SchemaVersion });
        await node.cni('ADD', { config, pod });
        Object.assign(files, libcniFile('/var/lib/cni/results', pod, name));
      }
      return { files, powershell: doctorEnvironment(node).powershell };
    }),
};

function kubectl(node: Node, config: () => { readonly name: string; readonly type: string }) {
  const pod = tried(node, config);
  return { 'kubectl describe pod web': pod.describe, 'kubectl get pod web': pod.get };
}

/** A conflist with one plugin. */
function listed({ cniVersion, name, ...plugin }: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ cniVersion, name, plugins: [plugin] });
}
