import { attach, createEndpoint, createNamespace } from '../documents.ts';
import { seen } from '../observation.ts';
import type { Row } from '../row.ts';

/** How often and how long after a restart HNS is asked for objects that it has not found. */
const retry = { count: 20, milliseconds: 1000 };

/** The Host Network Service while it restarts. */
export const serviceRows: readonly Row[] = [
  {
    id: 'objectsAfterRestart',
    claim: 'Objects survive a restart of HNS, and HNS finds them as soon as it responds',
    on: 'service',
    expected: ['kept'],
    handled: ['late', 'lost', 'lost in part'],
    creates: { Endpoint: 1, Namespace: 1 },
    run: async (context) => {
      const network = await context.network();
      const endpoint = await createEndpoint(context, network);
      const namespace = await createNamespace(context);
      await attach(context, namespace, endpoint);
      await context.restartHns();
      const objects = [network, endpoint, namespace];
      for (let attempt = 0; ; attempt += 1) {
        const answers = await Promise.all(objects.map(({ kind, id }) => context.open(kind, id)));
        for (const { value } of answers) if (value !== undefined) await context.close(value);
        const found = answers.filter(({ value }) => value !== undefined).length;
        if (found === objects.length) return seen(attempt === 0 ? 'kept' : 'late');
        if (attempt === retry.count) return seen(found === 0 ? 'lost' : 'lost in part');
        await context.pause(retry.milliseconds);
      }
    },
  },
];
