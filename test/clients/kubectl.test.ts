import { readFileSync } from 'node:fs';
import { DaemonSet } from 'kubernetes-models/apps/v1';
import { ClusterRole, ClusterRoleBinding } from 'kubernetes-models/rbac.authorization.k8s.io/v1';
import { ConfigMap, Namespace, ServiceAccount } from 'kubernetes-models/v1';
import { describe, expect, test } from 'vitest';
import { kubectlMissing, type Manifest, render } from './kubectl.ts';

const missing = kubectlMissing();
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

const models = { Namespace, ServiceAccount, ClusterRole, ClusterRoleBinding, DaemonSet, ConfigMap };

type Model = new (data: object) => { validate(): void };

/** Throws an error that lists what Kubernetes' schema refuses. */
function validate(manifest: Manifest): void {
  const Model = models[manifest.kind as keyof typeof models] as unknown as Model;
  new Model(manifest).validate();
}

/** The containers of a DaemonSet, and its volumes. */
function podOf(manifests: readonly Manifest[], name: string) {
  const found = manifests.find(({ kind, metadata }) => kind === 'DaemonSet' && metadata.name === name);
  const { spec } = found as unknown as DaemonSet;
  const { initContainers = [], containers = [], volumes = [] } = spec?.template.spec ?? {};
  return { initContainers, containers, volumes };
}

const binDir = ['--bin-dir', 'C:\\var\\lib\\rancher\\rke2\\bin'];
const confDir = ['--conf-dir', 'C:\\var\\lib\\rancher\\rke2\\agent\\etc\\cni'];

describe.skipIf(missing !== undefined).each([
  ['l2bridge', []],
  ['overlay', []],
  ['rke2', [...binDir, ...confDir]],
])('kubectl renders deploy/%s', (name, folders) => {
  const manifests = missing === undefined ? render(`deploy/${name}`) : [];

  test("to objects that are valid in Kubernetes' schema", () => {
    for (const manifest of manifests) expect(() => validate(manifest), manifest.kind).not.toThrow();
    expect(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'Namespace win-hcn',
      'ServiceAccount win-hcn',
      'ClusterRole win-hcn',
      'ClusterRoleBinding win-hcn',
      expect.stringMatching(/^ConfigMap win-hcn-conflist-\w+$/),
      'DaemonSet win-hcn',
      'DaemonSet win-hcn-uninstall',
    ]);
  });

  test('with the conflist in the ConfigMap that the DaemonSet mounts, whose name changes with it', () => {
    const [configMap] = manifests.filter(({ kind }) => kind === 'ConfigMap');
    expect(configMap).toMatchObject({
      metadata: { namespace: 'win-hcn' },
      data: { '10-win-hcn.conflist': readFileSync(`deploy/${name}/10-win-hcn.conflist`, 'utf8') },
    });
    expect(podOf(manifests, 'win-hcn').volumes).toEqual([
      { name: 'conflist', configMap: { name: configMap?.metadata.name } },
    ]);
  });

  test.each(['win-hcn', 'win-hcn-uninstall'])(
    'with the image of this version, and the folders of the runtime, in %s',
    (daemonSet) => {
      const { initContainers, containers } = podOf(manifests, daemonSet);
      const images = [...initContainers, ...containers].map(({ image }) => image);
      expect(images).toEqual(Array(2).fill(`registry.example/win-hcn:${version}`));
      const words = initContainers.flatMap(({ args = [] }) => args);
      expect(words.slice(words.indexOf('--yes'))).toEqual(['--yes', ...folders]);
      expect(containers.flatMap(({ args = [] }) => args)).not.toContain('--bin-dir');
    },
  );
});
