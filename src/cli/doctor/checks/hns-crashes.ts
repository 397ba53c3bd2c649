import { type Check, whenKnown } from '../finding.ts';

const see =
  "Get-WinEvent -FilterHashtable @{ LogName = 'System'; Id = 7031, 7034 } -MaxEvents 20 | Format-List TimeCreated, Message";

/** Endpoints of running pods may be gone after a crash. */
export const hnsCrashes: Check = {
  name: 'HNS crashes',
  judge: ({ crashes }) =>
    whenKnown(
      crashes,
      (times) => {
        const [last] = times;
        if (last === undefined) return [{ verdict: 'PASS', seen: 'none in the last day' }];
        const often = times.length === 1 ? 'one' : String(times.length);
        const seen = `${often} in the last day, the last at ${last}: pods from before may have lost their endpoints`;
        return [{ verdict: 'WARN', seen, see }];
      },
      see,
    ),
};
