// The whole checklist, in its order.

import type { Line } from '../line.ts';
import { attachmentLines } from './lines-attachment.ts';
import { nodeLines } from './lines-node.ts';
import { requestLines } from './lines-request.ts';

export const lines: readonly Line[] = [...requestLines, ...attachmentLines, ...nodeLines];
