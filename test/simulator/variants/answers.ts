// Uncertain: query results and error codes of all kinds of objects.

import { codes, type Variant } from './variant.ts';

export const answerVariants = {
  schemaVersion: {
    meaning: 'the schema version of query results: always 2.0, or that of the query',
    positions: ['fixed', 'echoed'],
  },
  memberTypes: {
    meaning: 'the JSON types of returned members that no client needs: as documented, or text',
    positions: ['as documented', 'other'],
  },
  detailedQuery: {
    meaning: 'what the flag Detailed adds to a query result: nothing, or resources',
    positions: ['nothing', 'resources'],
  },
  unknownEnumerationValue: {
    meaning: 'the code for an unknown value of an enumeration',
    positions: codes('HCN_E_INVALID_JSON', 'E_INVALIDARG'),
  },
} as const satisfies Readonly<Record<string, Variant>>;
