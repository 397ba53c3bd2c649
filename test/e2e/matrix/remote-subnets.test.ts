import { remoteSubnetCells } from './cells.ts';
import { kindsOfHresults, missingAnswers, ofIpHelper } from './effects.ts';
import { afterChanges } from './kill.ts';
import { runKills } from './kill-process.ts';
import { runMatrix } from './matrix.ts';
import type { Place } from './places.ts';
import { addsOfRemoteSubnets } from './scenarios.ts';
import { testMatrix } from './test-matrix.ts';

const ofRemoteSubnets = ({ name }: Place) => /^HcnModifyNetwork$|IpForward/.test(name);

testMatrix(
  {
    file: import.meta.filename,
    cells: remoteSubnetCells,
    part: 'remoteSubnets',
    title: 'every effect on a call that sets a remote subnet, and a kill after it',
  },
  [
    {
      scenarios: addsOfRemoteSubnets,
      run: async (scenario) => {
        const effects = [...kindsOfHresults, ...missingAnswers, ...ofIpHelper];
        const faults = await runMatrix(scenario, [{ effects, nexts: ['DEL', 'ADD'], at: ofRemoteSubnets }]);
        const kills = await runKills(scenario, {
          nexts: ['DEL', 'ADD'],
          whensOf: (place) => (ofRemoteSubnets(place) ? afterChanges(place) : []),
        });
        return {
          cells: faults.cells + kills.cells,
          leaks: [...faults.leaks, ...kills.leaks],
          surprises: [...faults.surprises, ...kills.surprises],
        };
      },
    },
  ],
);
