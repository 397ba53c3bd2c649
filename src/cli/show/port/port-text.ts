import type { Session } from '../../terminal/session.ts';
import { rowsTable } from '../../terminal/table.ts';
import { wrapSentences } from '../../terminal/wrap.ts';
import type { PortSubject } from './port-subject.ts';

/** Returns the holders of a port as text: a sentence for each protocol, then a table. */
export function portText({ verdicts, holders, unchecked }: PortSubject, session: Session): string {
  const rows = holders.map(({ protocol, address, name, use }) => ({ protocol, address, holder: name, use }));
  const sentences = verdicts.map(({ held, text }) =>
    session.style(held === 'yes' ? 'yellow' : 'bold', wrapSentences(text, session.width)),
  );
  return [
    ...sentences,
    ...(unchecked.length === 0
      ? []
      : [wrapSentences(`Not checked: ${unchecked.join('; ')}.`, session.width)]),
    ...(rows.length === 0 ? [] : ['', rowsTable(rows, session, { prose: ['holder', 'use'] })]),
  ].join('\n');
}
