import type { Released } from './reservations.ts';

/** The result of a deletion. */
export type Done = { readonly outcome: 'deleted' | 'in use' | 'skipped' } | Released;
