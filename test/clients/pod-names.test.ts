// The pod names that win-hcn reads from the files that libcni and go-cni write.

import { readdirSync } from 'node:fs';
import { join, win32 } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cachedPods } from '../../src/cli/inventory/read-pods.ts';
import { terminal } from '../../src/cli/terminal/terminal.ts';
import { system } from '../../src/system.ts';
import { newerLibcniMissing } from './build.ts';
import { conflist } from './conflist.ts';
import { linux } from './hosts.ts';
import { type Node, startNode } from './node.ts';

const labels = {
  IgnoreUnknown: '1',
  K8S_POD_NAMESPACE: 'shop',
  K8S_POD_NAME: 'web',
  K8S_POD_INFRA_CONTAINER_ID: 'pod1',
  K8S_POD_UID: '5efcf8b5-6b39-5f7c-8ebe-586dde64a108',
};

describe.skipIf(linux.missing !== undefined)('the pod of an attached container is in the files of', () => {
  let node: Node;
  beforeEach(async () => {
    node = await startNode(linux);
  });
  afterEach(() => node.stop());

  /** Reads the test's cache instead of that of this machine. */
  const pods = () => {
    const results = join(node.cacheDir, 'results');
    const moved = {
      ...terminal,
      listFolder: () => readdirSync(results),
      readEnd: (path: string, most: number) => terminal.readEnd(join(results, win32.basename(path)), most),
    };
    return cachedPods(['pod1', 'pod2'], { system, terminal: moved }).map(({ container, name }) => [
      container,
      name,
    ]);
  };

  test('go-cni, until the container is detached', async () => {
    const pod = { conflist: conflist('l2bridge'), netns: node.hns.createNamespace(), labels };
    expect(await node.gocni(pod, ['setup'])).not.toMatchObject([{ error: expect.anything() }]);
    expect(pods()).toEqual([['pod1', 'shop/web']]);
    await node.gocni(pod, ['remove']);
    expect(pods()).toEqual([]);
  });

  test.skipIf(newerLibcniMissing() !== undefined)('libcni 1.3', async () => {
    const pod = {
      conflist: conflist('l2bridge'),
      netns: node.hns.createNamespace(),
      args: Object.entries(labels),
    };
    await node.newerLibcni(pod, ['add']);
    expect(pods()).toEqual([['pod1', 'shop/web']]);
  });
});
