import { example } from '../e2e/example.ts';
import type { Scenario } from './scenario.ts';

/** A build of Windows on which doctor warns of a report, and one on which it does not. */
const builds = (
  report: Scenario['report'],
  says: string,
  config: string,
  warning: string,
  faulty: readonly [caption: string, build: number, revision: number],
  sound: readonly [caption: string, build: number, revision: number],
): Scenario => ({
  report,
  says,
  config: example(config, { cniVersion: '1.1.0', ipam: undefined }),
  play: async (stage) => {
    const run = async ([caption, build, revision]: typeof faulty, ...parts: readonly string[]) => {
      const server = caption.includes('Server');
      stage.scripts = { ...stage.scripts, windows: { caption, build, revision, server } };
      await stage.cli('doctor', 0, ...parts);
    };
    await run(faulty, `WARN     Windows`, `${faulty[1]}.${faulty[2]}: ${warning}`);
    await run(sound, 'PASS     Windows');
  },
  left: '',
});

/** Reports on builds of Windows. */
export const windowsBuilds: readonly Scenario[] = [
  builds(
    'rancher/rancher#50915',
    'Overlay networks do not work on Windows Server 2025 until an update of October 2025.',
    'overlay',
    'Overlay networks may not work; install KB5066835',
    ['Windows Server 2025', 26100, 6898],
    ['Windows Server 2025', 26100, 6899],
  ),
  builds(
    'microsoft/Windows-Containers#608',
    'On Windows 11 24H2, VFP only filters, and the packets of pods are lost.',
    'l2bridge',
    'Windows 11 24H2 and later may drop the packets of pods',
    ['Windows 11 Pro', 26100, 4000],
    ['Windows 11 Pro', 22631, 4000],
  ),
  builds(
    'microsoft/Windows-Containers#616',
    'ACLs of NAT endpoints do not apply on Windows Server 2025 until an update of April 2026.',
    'nat',
    'ACLs may not apply to NAT endpoints',
    ['Windows Server 2025', 26100, 32_689],
    ['Windows Server 2025', 26100, 32_690],
  ),
  builds(
    'microsoft/Windows-Containers#516',
    'Updates of Windows Server 2022 from July 2024 broke the networks of pods until October.',
    'l2bridge',
    'KB5040437 and later updates may break pod networks',
    ['Windows Server 2022', 20348, 2582],
    ['Windows Server 2022', 20348, 2762],
  ),
];
