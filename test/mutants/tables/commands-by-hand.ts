import type { MutantsOf } from '../mutant.ts';

/** What the commands by hand and ADD share, and what is only by hand. */
export const commandsByHand: readonly MutantsOf[] = [
  {
    file: 'src/commands/finish-endpoint.ts',
    tests: ['e2e/attachment', 'e2e/cli/endpoint'],
    mutants: [
      {
        before: 'const late = assignment === undefined ?',
        after: 'const late = assignment !== undefined ?',
        noticed: "loopbackDSR has no effect with addresses of HNS's",
      },
      {
        before: 'if (first !== undefined) throw',
        after: 'if (others.length > 99) throw',
        noticed: 'an ADD succeeds whatever HNS made',
      },
    ],
  },
  {
    file: 'src/commands/provide-network.ts',
    tests: ['e2e/cli/network'],
    mutants: [
      {
        before: '    await ensureHostEndpoint(plan.config, ensured, host, undo);\n',
        after: '',
        noticed: 'a network made by hand has no endpoint of the node',
      },
    ],
  },
  {
    file: 'src/commands/create-unattached-endpoint.ts',
    tests: ['e2e/cli/endpoint'],
    mutants: [
      {
        before: 'if (plan.found === undefined) {',
        after: 'if (plan.config.name === undefined) {',
        noticed: "creating an endpoint by hand interrupts the node's connections",
      },
      {
        before: '  await requireFeatures(requiredFeatures(config, false), hcn);\n',
        after: '',
        noticed: 'an endpoint is tried on a Windows that cannot have it',
      },
      {
        before: 'if (!(await throwIfAttached(id, hcn))) continue;',
        after: 'continue;',
        noticed: 'HCN says in its own words that an attachment has an endpoint',
      },
    ],
  },
];
