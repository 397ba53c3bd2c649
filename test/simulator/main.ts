// npm run simulator: the simulated service on its own, until Ctrl-C.

import { parseArgs } from 'node:util';
import { startControl } from './control.ts';
import { startHns } from './hns.ts';
import { observedNodes } from './observed-nodes.ts';
import type { ObservedProfile } from './observed-profile.ts';
import { newest, type Profile, profileNames } from './profiles.ts';

function findProfile(name: string): Profile | ObservedProfile {
  const observed = observedNodes();
  const profile = profileNames.find((known) => known === name) ?? observed[name];
  if (profile === undefined)
    throw new Error(`--profile is one of ${[...profileNames, ...Object.keys(observed)].join(', ')}.`);
  return profile;
}

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '0' }, profile: { type: 'string', default: newest } },
  });
  const profile = findProfile(values.profile);
  const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : Number.NaN;
  if (!(port <= 65535)) throw new Error('--port is a number from 0, for any free port, to 65535.');

  const hns = await startHns({ port, profile });
  const control = await startControl(hns);
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    control.server.close();
    control.server.closeAllConnections();
    await hns.stop();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);

  const { WIN_HCN_LIBRARY, WIN_HCN_SIMULATED_HNS } = hns.environment;

  process.stdout.write(`export WIN_HCN_LIBRARY='${WIN_HCN_LIBRARY}' WIN_HCN_SIMULATED_HNS=${WIN_HCN_SIMULATED_HNS} CNI_NETNS=${hns.createNamespace()} HNS_CONTROL=${control.url}

# Every object, every call, a new namespace, the next endpoint fails, the service restarts:
curl $HNS_CONTROL/dump
curl $HNS_CONTROL/calls
curl -X POST $HNS_CONTROL/namespaces
curl -X POST $HNS_CONTROL/faults -d '{"function":"HcnCreateEndpoint","effect":{"hresult":2147942405}}'
curl -X POST $HNS_CONTROL/restart
`);
}

try {
  await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
