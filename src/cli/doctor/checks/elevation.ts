import { type Check, whenKnown } from '../finding.ts';

/** HCN answers administrators only. */
export const elevation: Check = {
  name: 'elevation',
  judge: ({ account }) =>
    whenKnown(
      account,
      ({ name, isElevated }) => [
        isElevated
          ? { verdict: 'PASS', seen: `${name}, with an administrator's rights` }
          : {
              verdict: 'FAIL',
              seen: `${name} has no administrator's rights here, and HCN answers nobody else`,
              fix: 'Start-Process powershell -Verb RunAs',
            },
      ],
      'whoami /groups',
    ),
};
