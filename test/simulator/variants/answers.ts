// Uncertain: query results and error codes of all kinds of objects.

import type { Variant } from './variant.ts';

export const answerVariants = {
  memberTypes: {
    meaning: 'the JSON types of returned members that no client needs: as documented, or text',
    positions: ['as documented', 'other'],
  },
} as const satisfies Readonly<Record<string, Variant>>;
