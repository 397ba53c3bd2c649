import { l2bridge, nat, overlay } from './configurations.ts';
import type { Scenario } from './scenario.ts';

type Build = readonly [caption: string, build: number, revision: number];

/** On the first build, doctor warns of the report; on the second one, it does not. */
const scenario = (
  report: Scenario['report'],
  says: string,
  config: Scenario['config'],
  warning: string,
  faulty: Build,
  sound: Build,
): Scenario => ({
  report,
  says,
  ...(config && { config }),
  play: async (stage) => {
    for (const [[caption, build, revision], seen] of [
      [faulty, `WARN     Windows             ${faulty[0]}, build ${faulty[1]}.${faulty[2]}: ${warning}`],
      [sound, 'PASS     Windows'],
    ] as const) {
      const server = caption.includes('Server');
      stage.scripts = { ...stage.scripts, windows: { caption, build, revision, server } };
      await stage.cli('doctor', 0, seen);
    }
  },
  left: '',
});

/** Reports on builds of Windows. */
export const windowsBuilds: readonly Scenario[] = [
  scenario(
    'rancher/rancher#50915',
    'Overlay networks do not work on Windows Server 2025 until an update of October 2025.',
    overlay,
    'Overlay networks may not work; install KB5066835',
    ['Windows Server 2025', 26100, 6898],
    ['Windows Server 2025', 26100, 6899],
  ),
  scenario(
    'microsoft/Windows-Containers#608',
    'On Windows 11 24H2, VFP only filters, and the packets of pods are lost.',
    l2bridge,
    'Windows 11 24H2 and later may drop the packets of pods',
    ['Windows 11 Pro', 26100, 4000],
    ['Windows 11 Pro', 22631, 4000],
  ),
  scenario(
    'microsoft/Windows-Containers#616',
    'ACLs of NAT endpoints do not apply on Windows Server 2025 until an update of April 2026.',
    nat,
    'ACLs may not apply to NAT endpoints',
    ['Windows Server 2025', 26100, 32_689],
    ['Windows Server 2025', 26100, 32_690],
  ),
  scenario(
    'microsoft/Windows-Containers#516',
    'Updates of Windows Server 2022 from July 2024 broke the networks of pods until October.',
    l2bridge,
    'KB5040437 and later updates may break pod networks',
    ['Windows Server 2022', 20348, 2582],
    ['Windows Server 2022', 20348, 2762],
  ),
];
