import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { checkFile } from '../../src/cli/conflist/check-file.ts';
import { fillPlaceholders } from '../../src/cli/conflist/placeholders.ts';
import { runCli } from '../e2e/cli/run-cli.ts';

const overlays = ['l2bridge', 'overlay', 'rke2'];
const base = parse(readFileSync('deploy/base/kustomization.yaml', 'utf8'));
const documents = (base.resources as readonly string[]).flatMap((file) =>
  parseAllDocuments(readFileSync(join('deploy/base', file), 'utf8')).map((one) => one.toJSON()),
);

function conflistOf(name: string): string {
  return readFileSync(join('deploy', name, '10-win-hcn.conflist'), 'utf8');
}

function daemonSet(name: string) {
  return documents.find(({ kind, metadata }) => kind === 'DaemonSet' && metadata.name === name);
}

const installing = daemonSet('win-hcn');
const uninstalling = daemonSet('win-hcn-uninstall');

describe('the manifests', () => {
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

/** A pod is replaced only when someone deletes it, so that no node waits for another; removal may run on all nodes at once. */
const updates = {
  install: { type: 'OnDelete' },
  uninstall: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } },
};

describe.each([
  ['win-hcn', installing, updates.install],
  ['win-hcn-uninstall', uninstalling, updates.uninstall],
])('the pods of DaemonSet %s', (_name, { spec }, updateStrategy) => {
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

  test('run on such nodes also if it is tainted or full, and wait for no other node when they are replaced', () => {
    const { priorityClassName, tolerations } = pod;
    expect({ priorityClassName, tolerations, updateStrategy: spec.updateStrategy }).toEqual({
      priorityClassName: 'system-node-critical',
      tolerations: [{ operator: 'Exists' }],
      updateStrategy,
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

test.each(overlays)(
  'deploy/%s has a conflist that is valid only after its placeholders are filled',
  (name) => {
    const problems = (text: string) =>
      checkFile(new TextEncoder().encode(text), '10-win-hcn.conflist', 'win-hcn.exe').problems;
    expect(problems(conflistOf(name))).not.toEqual([]);
    expect(problems(fillPlaceholders(conflistOf(name), ['10.244.3.0/24']))).toEqual([]);
  },
);

test('the options of the containers exist', async () => {
  const options = (words: readonly string[]) => words.filter((word) => word.startsWith('--'));
  for (const [command, { spec }] of Object.entries({ install: installing, uninstall: uninstalling })) {
    const { stdout } = await runCli([command, '--help']);
    const given = options(spec.template.spec.initContainers[0].args);
    expect(given.filter((option) => !stdout.includes(`  ${option} `))).toEqual([]);
  }
});
