import type { WindowsVersion } from '../collectors/windows-version.ts';
import { type Check, whenKnown } from '../finding.ts';

/** Updates that broke the networks of containers, up to the one that mended them. */
const broken = [
  {
    build: 20348,
    from: 2582,
    until: 2762,
    // https://github.com/microsoft/Windows-Containers/issues/516
    what: 'may break the networks of pods since KB5040437; KB5044281 (20348.2762) mends them',
  },
];

/** What Windows it is, and whether its containers are known to have no network. */
export const windowsBuild: Check = {
  name: 'Windows',
  judge: ({ windows }) =>
    whenKnown(
      windows,
      (version) => {
        const known = broken.find(
          ({ build, from, until }) =>
            version.build === build && version.revision >= from && version.revision < until,
        );
        if (known === undefined) return [{ verdict: 'PASS', seen: describe(version) }];
        return [
          {
            verdict: 'WARN',
            seen: `${describe(version)}, which ${known.what}`,
            see: 'Get-HotFix | Sort-Object InstalledOn',
          },
        ];
      },
      'cmd /c ver',
    ),
};

function describe({ caption, build, revision }: WindowsVersion): string {
  return `${caption}, build ${build}${revision === 0 ? '' : `.${revision}`}`;
}
