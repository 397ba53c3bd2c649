// npm run hns: the simulated service on its own, until Ctrl-C.

import { parseArgs } from 'node:util';
import { startControl } from './control.ts';
import { startHns } from './hns.ts';
import type { Profile } from './profiles.ts';

const profiles: readonly Profile[] = ['ws2019', 'ws2022', 'ws2025'];

const { values } = parseArgs({
  options: { port: { type: 'string', default: '0' }, profile: { type: 'string', default: 'ws2022' } },
});
const profile = profiles.find((name) => name === values.profile);
if (!profile) throw new Error(`--profile is one of ${profiles.join(', ')}.`);

const hns = await startHns({ port: Number(values.port), profile });
const control = await startControl(hns);
const { WIN_HCN_LIBRARY, WIN_HCN_SIMULATED_HNS } = hns.environment;

process.stdout.write(`export WIN_HCN_LIBRARY='${WIN_HCN_LIBRARY}' WIN_HCN_SIMULATED_HNS=${WIN_HCN_SIMULATED_HNS} HNS_CONTROL=${control.url}

# Every object, every call, a new namespace, the next endpoint fails, the service restarts:
curl $HNS_CONTROL/dump
curl $HNS_CONTROL/calls
curl -X POST $HNS_CONTROL/namespaces
curl -X POST $HNS_CONTROL/faults -d '{"function":"HcnCreateEndpoint","effect":{"hresult":2147942405}}'
curl -X POST $HNS_CONTROL/restart
`);

process.once('SIGINT', async () => {
  control.server.close();
  control.server.closeAllConnections();
  await hns.stop();
});
