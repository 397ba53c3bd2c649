import { isObject, type JsonObject } from '../../../json/members.ts';
import { attach, createEndpoint, createNamespace, done, memberRequest, read } from '../fixtures.ts';
import type { Laboratory } from '../laboratory.ts';
import { type Row, seen } from '../row.ts';

/** What an endpoint's document shows after the creation, in a namespace without containers, and after it was detached. */
async function overItsLife<T>(
  laboratory: Laboratory,
  look: (document: JsonObject) => T,
): Promise<readonly [T, T, T]> {
  const endpoint = await createEndpoint(laboratory, await laboratory.base());
  const namespace = await createNamespace(laboratory);
  const created = look(await read(laboratory, endpoint));
  await attach(laboratory, namespace, endpoint);
  const attached = look(await read(laboratory, endpoint));
  const request = memberRequest('Remove', endpoint.id);
  done(await laboratory.modify(namespace, request), 'detaching an endpoint');
  return [created, attached, look(await read(laboratory, endpoint))];
}

function lastErrorCode({ Health }: JsonObject): unknown {
  const data = isObject(Health) ? Health['Data'] : undefined;
  return isObject(data) ? data['LastErrorCode'] : undefined;
}

/** State and health of endpoints without containers. */
export const endpointHealthRows: readonly Row[] = [
  {
    id: 'endpointState',
    claim:
      "Without a container, an endpoint's State is 1 after creation and in a namespace, and 1 or 4 once detached",
    evidence: "S hcsshim's hnsendpoint.go has the states; when an endpoint has them is I",
    handling:
      'an endpoint in state 2 or 3 is in use even without a namespace; one of another plugin is a leftover only in state 1, 4 or 6',
    experiment: {
      on: 'base',
      expected: ['created 1, attached 1, detached 4', 'created 1, attached 1, detached 1'],
      run: async (laboratory) => {
        const look = ({ State }: JsonObject) => String(State ?? 'absent');
        const [created, attached, detached] = await overItsLife(laboratory, look);
        return seen(`created ${created}, attached ${attached}, detached ${detached}`);
      },
    },
  },
  {
    id: 'endpointHealth',
    claim: 'The `Health.Data.LastErrorCode` of a healthy endpoint is zero or absent',
    evidence: 'O zero in every captured response',
    handling: 'another value is a notice of ADD, and a difference for CHECK',
    experiment: {
      on: 'base',
      expected: ['zero', 'absent'],
      run: async (laboratory) => {
        const errors = await overItsLife(laboratory, lastErrorCode);
        const detail = errors.map(String).join(', ');
        if (errors.every((error) => error === undefined)) return seen('absent');
        return seen(errors.every((error) => (error ?? 0) === 0) ? 'zero' : 'not zero', detail);
      },
    },
  },
];
