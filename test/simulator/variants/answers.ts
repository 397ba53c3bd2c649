// What is uncertain about query results and error codes in general.

import { codes, type Variant } from './variant.ts';

export const answerVariants = {
  schemaVersion: {
    meaning: 'the schema version of query results: always 2.0, or that of the query',
    evidence: 'O calico#7305; echoed I',
    positions: ['fixed', 'echoed'],
  },
  detailedQuery: {
    meaning: 'what a query with the flag Detailed adds: nothing, or the resources',
    evidence: 'I',
    positions: ['nothing', 'resources'],
  },
  unknownEnumerationValue: {
    meaning: 'the code for an unknown value of an enumeration',
    evidence: 'I',
    positions: codes('HCN_E_INVALID_JSON', 'E_INVALIDARG'),
  },
} as const satisfies Readonly<Record<string, Variant>>;
