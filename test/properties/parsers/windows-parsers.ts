import { parseLog } from '../../../src/cli/capture/log.ts';
import { countFilters, isCapturing } from '../../../src/cli/capture/pktmon.ts';
import { containerdCommands, findConfigPath } from '../../../src/cli/containerd/commands.ts';
import { findAll } from '../../../src/cli/doctor/checks.ts';
import { readWindowsState } from '../../../src/cli/doctor/windows-state.ts';
import { readWindows } from '../../../src/cli/probe/node.ts';
import { nodePortsQuery } from '../../../src/cli/show/port.ts';
import { fileAccess } from '../../../src/cli/terminal/access.ts';
import { runQuery } from '../../../src/cli/terminal/powershell.ts';
import { windowsText } from '../../../src/cli/terminal/run-program.ts';
import { readAdapterList } from '../../../src/iphlpapi/read-adapters.ts';
import { readRouteTable } from '../../../src/iphlpapi/route-table.ts';
import * as pktmon from '../../unit/cli/capture/recorded.ts';
import { snapshot } from '../../unit/cli/doctor/snapshot.ts';
import { type Parser, textOf } from './parser.ts';

const printing = (bytes: Uint8Array) => ({ powershell: async () => ({ stdout: textOf(bytes) }) });

const netsh = ['', 'Protocol tcp Dynamic Port Range', 'Start Port      : 49152', 'Number of Ports : 16384'];
const excluded = ['Start Port    End Port', '----------    --------', '     50000       50059     *'];
const printed = [
  { state: 'Running', startMode: 'Manual', processId: 5, threads: 30, seconds: 90 },
  { times: ['2030-01-01T12:00:00Z'] },
  { caption: 'Microsoft Windows Server 2022', build: 20348, revision: 2402, server: true },
  { name: 'NT AUTHORITY\\SYSTEM', elevated: true },
  { protocols: [{ protocol: 'tcp', dynamic: netsh, excluded }] },
  { interfaces: [{ index: 5, isIPv6: false, forwarding: true }] },
  { services: ['"C:\\k\\containerd.exe" --config "C:\\k\\config.toml" --run-service'], processes: [] },
  { output: 'containerd github.com/containerd/containerd/v2 v2.0.1 88aa2f5' },
  { windows: 'Windows Server 2022 Datacenter 20348.2402', files: { 'vmcompute.dll': '10.0.20348.1' } },
  {
    mappings: ['nat: TCP 0.0.0.0 to 172.28.0.2 port 80'],
    excluded: [{ protocol: 'tcp', lines: excluded }],
  },
  {
    files: [
      {
        path: 'C:\\opt',
        folder: true,
        product: '',
        owner: 'S-1-5-18',
        rules: [{ sid: 'S-1-5-32-544', rights: 2032127, inherited: false, inheritOnly: false }],
      },
    ],
  },
].map((one) => JSON.stringify(one));

const doctor = 'src/cli/doctor/';
const capture = 'src/cli/capture/';

/** Readers of what Windows and its programs write. */
export const windowsParsers: readonly Parser[] = [
  {
    reads: 'pktmon status',
    functions: {
      [`${capture}pktmon.ts`]: ['isCapturing'],
      'src/cli/terminal/run-program.ts': ['windowsText'],
    },
    samples: [pktmon.running, pktmon.notRunning, ...pktmon.notRunningTranslated, pktmon.accessDenied],
    read: (bytes) => isCapturing(windowsText(bytes)),
  },
  {
    reads: 'pktmon filter list',
    functions: {
      [`${capture}pktmon.ts`]: ['countFilters'],
    },
    samples: [pktmon.noFilters, pktmon.oneFilter, pktmon.defenderFilters],
    read: (bytes) => countFilters(windowsText(bytes)),
  },
  {
    reads: "pktmon's log",
    functions: { [`${capture}log.ts`]: ['parseLog'] },
    samples: [pktmon.serverLog, pktmon.droppedPacket, pktmon.droppedArp, pktmon.koreanPacket],
    read: (bytes) => parseLog(windowsText(bytes)),
  },
  {
    reads: "PowerShell's output for a check of doctor",
    functions: {
      'src/cli/terminal/powershell.ts': ['runQuery'],
      [`${doctor}windows-state.ts`]: ['readDynamicRange'],
      'src/cli/terminal/node-queries.ts': ['readExcludedRanges'],
    },
    samples: printed,
    read: async (bytes) => findAll(snapshot({ windows: await readWindowsState(printing(bytes)) })),
  },
  {
    reads: "PowerShell's output for other commands",
    functions: {
      'src/cli/probe/node.ts': ['readWindows'],
    },
    samples: printed,
    read: async (bytes) => {
      const commands = await runQuery(printing(bytes), containerdCommands);
      return [
        'value' in commands ? findConfigPath(commands.value.commandLines) : undefined,
        await readWindows(printing(bytes)),
        await runQuery(printing(bytes), nodePortsQuery(80)),
        await runQuery(printing(bytes), fileAccess(['C:\\opt'])),
      ];
    },
  },
  {
    reads: 'the list of adapters in memory',
    functions: { 'src/iphlpapi/read-adapters.ts': ['readAdapterList'] },
    samples: [
      '\u0000'.repeat(448),
      `${'\u0000'.repeat(8)}\u0010${'\u0000'.repeat(439)}`,
      '\u0001'.repeat(600),
    ],
    read: (bytes) => readAdapterList(Buffer.from(bytes), 0n),
  },
  {
    reads: 'the table of routes in memory',
    functions: { 'src/iphlpapi/route-table.ts': ['readRouteTable'] },
    samples: [
      '\u0000'.repeat(112),
      `\u0001${'\u0000'.repeat(111)}`,
      `\u0002${'\u0000'.repeat(19)}\u0002${'\u0000'.repeat(400)}`,
    ],
    read: (bytes) => readRouteTable(Buffer.from(bytes)),
  },
];
