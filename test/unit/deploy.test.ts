import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DaemonSet } from 'kubernetes-models/apps/v1';
import { ClusterRole, ClusterRoleBinding } from 'kubernetes-models/rbac.authorization.k8s.io/v1';
import { ConfigMap, Namespace, ServiceAccount } from 'kubernetes-models/v1';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { checkFile } from '../../src/cli/conflist/check-file.ts';
import { fillPlaceholders } from '../../src/cli/conflist/placeholders.ts';
import { runCli } from '../e2e/cli/run-cli.ts';

interface Overlay {
  readonly configMapGenerator: readonly {
    readonly name: string;
    readonly namespace: string;
    readonly files: readonly string[];
  }[];
  readonly images: readonly { readonly name: string; readonly newName: string; readonly newTag: string }[];
}

const overlays = ['l2bridge', 'overlay', 'rke2'];
const base = parse(readFileSync('deploy/base/kustomization.yaml', 'utf8'));
const documents = (base.resources as readonly string[]).flatMap((file) =>
  parseAllDocuments(readFileSync(join('deploy/base', file), 'utf8')).map((one) => one.toJSON()),
);

function conflistOf(name: string): string {
  return readFileSync(join('deploy', name, '10-win-hcn.conflist'), 'utf8');
}

const models = { Namespace, ServiceAccount, ClusterRole, ClusterRoleBinding, DaemonSet, ConfigMap };

/** Throws an error that lists what Kubernetes' schema refuses. */
function validate(document: { readonly kind: string }): void {
  const Model = models[document.kind as keyof typeof models] as unknown as new (
    data: object,
  ) => {
    validate(): void;
  };
  new Model(document).validate();
}

function overlay(name: string): Overlay {
  return parse(readFileSync(join('deploy', name, 'kustomization.yaml'), 'utf8'));
}

function daemonSet(name: string) {
  return documents.find(({ kind, metadata }) => kind === 'DaemonSet' && metadata.name === name);
}

const installing = daemonSet('win-hcn');
const uninstalling = daemonSet('win-hcn-uninstall');

describe('the manifests', () => {
  test.each(documents.map((document) => [document.kind, document.metadata.name, document]))(
    "%s %s is valid in Kubernetes' schema",
    (_kind, _name, document) => {
      expect(() => validate(document)).not.toThrow();
    },
  );

  test('give access to nothing but reading a node, and only to the DaemonSet that installs', () => {
    const roles = documents.filter(({ kind }) => /Role$/.test(kind));
    expect(roles.map(({ rules }) => rules)).toEqual([
      [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }],
    ]);
    const accounts = [installing, uninstalling].map(({ spec }) => {
      const { serviceAccountName = 'none', automountServiceAccountToken } = spec.template.spec;
      return { serviceAccountName, automountServiceAccountToken };
    });
    expect(accounts).toEqual([
      { serviceAccountName: 'win-hcn', automountServiceAccountToken: true },
      { serviceAccountName: 'none', automountServiceAccountToken: false },
    ]);
    const { roleRef, subjects } = documents.find(({ kind }) => kind === 'ClusterRoleBinding');
    expect({ role: roleRef.name, subjects }).toEqual({
      role: roles[0].metadata.name,
      subjects: [{ kind: 'ServiceAccount', name: 'win-hcn', namespace: 'win-hcn' }],
    });
  });
});

describe.each([
  ['win-hcn', installing],
  ['win-hcn-uninstall', uninstalling],
])('the pods of DaemonSet %s', (_name, { spec }) => {
  const pod = spec.template.spec;
  const [container] = pod.initContainers;
  const [waiting] = pod.containers;

  test('are HostProcess pods of SYSTEM on Windows nodes of the architecture of their image', () => {
    const { hostNetwork, securityContext, nodeSelector, containers } = pod;
    expect({ hostNetwork, securityContext, nodeSelector, containers: containers.length }).toMatchObject({
      hostNetwork: true,
      securityContext: { windowsOptions: { hostProcess: true, runAsUserName: 'NT AUTHORITY\\SYSTEM' } },
      nodeSelector: { 'kubernetes.io/os': 'windows', 'kubernetes.io/arch': 'amd64' },
      containers: 1,
    });
  });

  test('run on such nodes also if it is tainted or full, and are replaced one at a time', () => {
    const { priorityClassName, tolerations } = pod;
    expect({ priorityClassName, tolerations, updateStrategy: spec.updateStrategy }).toEqual({
      priorityClassName: 'system-node-critical',
      tolerations: [{ operator: 'Exists' }],
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
    });
  });

  test('have command lines that cmd and CreateProcess read alike, with paths below the mount point', () => {
    const lines = [container, waiting].map(({ command, args }) => [...command, ...args]);
    for (const line of lines) {
      for (const word of line) {
        const rest = word
          .replace(/^%CONTAINER_SANDBOX_MOUNT_POINT%(?=\\)/, '')
          .replace(/^\$\(NODE_NAME\)$/, '');
        expect(rest, 'has no character with a meaning for cmd').toMatch(/^[\w\\.:/-]*$/);
      }
    }
    expect(container.command).toEqual(['%CONTAINER_SANDBOX_MOUNT_POINT%\\win-hcn.exe']);
  });
});

test('only a labeled node runs a pod: either the one that installs or the one that uninstalls', () => {
  const { affinity, nodeSelector } = installing.spec.template.spec;
  const { nodeAffinity } = affinity;
  expect(nodeSelector['win-hcn/install']).toBe('true');
  const [{ matchExpressions }] =
    nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms;
  expect(matchExpressions).toEqual([{ key: 'win-hcn/uninstall', operator: 'DoesNotExist' }]);
  expect(uninstalling.spec.template.spec.nodeSelector['win-hcn/uninstall']).toBe('true');
});

test('a ConfigMap can set the address of the API server, and no other variable of a process of SYSTEM', () => {
  const [{ env, envFrom }] = installing.spec.template.spec.initContainers;
  const fromConfigMap = (key: string) => ({
    name: key,
    valueFrom: { configMapKeyRef: { name: 'win-hcn-api-server', key, optional: true } },
  });
  expect({ env, envFrom }).toEqual({
    env: [
      { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
      fromConfigMap('KUBERNETES_SERVICE_HOST'),
      fromConfigMap('KUBERNETES_SERVICE_PORT'),
    ],
    envFrom: undefined,
  });
});

test('the ConfigMap is mounted where no folder of the host is, and the arguments name its file', () => {
  const { initContainers, volumes } = installing.spec.template.spec;
  const [{ args, volumeMounts }] = initContainers;
  expect(volumes).toEqual([{ name: 'conflist', configMap: { name: 'win-hcn-conflist' } }]);
  expect(volumeMounts).toEqual([{ name: 'conflist', mountPath: '/mounts/conflist', readOnly: true }]);
  expect(args[args.indexOf('--conf') + 1]).toBe(
    '%CONTAINER_SANDBOX_MOUNT_POINT%\\mounts\\conflist\\10-win-hcn.conflist',
  );
});

describe.each(overlays)('deploy/%s', (name) => {
  const { configMapGenerator, images } = overlay(name);

  test('generates the ConfigMap that the DaemonSet mounts, with the file that it reads', () => {
    expect(configMapGenerator).toEqual([
      { name: 'win-hcn-conflist', namespace: 'win-hcn', files: ['10-win-hcn.conflist'] },
    ]);
  });

  test('names the image of the DaemonSets, in the version of this source', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(images).toEqual([{ name: 'win-hcn', newName: 'registry.example/win-hcn', newTag: version }]);
    for (const { spec } of [installing, uninstalling])
      for (const { image } of [...spec.template.spec.initContainers, ...spec.template.spec.containers])
        expect(image).toBe('win-hcn');
  });

  test('has a conflist that is valid only after its placeholders are filled', () => {
    const problems = (text: string) =>
      checkFile(new TextEncoder().encode(text), '10-win-hcn.conflist', 'win-hcn.exe').problems;
    expect(problems(conflistOf(name))).not.toEqual([]);
    expect(problems(fillPlaceholders(conflistOf(name), ['10.244.3.0/24']))).toEqual([]);
  });
});

test('the options of the containers exist', async () => {
  const options = (words: readonly string[]) => words.filter((word) => word.startsWith('--'));
  for (const [command, { spec }] of Object.entries({ install: installing, uninstall: uninstalling })) {
    const { stdout } = await runCli([command, '--help']);
    const given = options(spec.template.spec.initContainers[0].args);
    expect(given.filter((option) => !stdout.includes(`  ${option} `))).toEqual([]);
  }
});
