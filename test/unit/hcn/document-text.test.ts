import { expect, test } from 'vitest';
import { documentText } from '../../../src/hcn/documents.ts';

test('the text of a document has the exact digits of an interface LUID above 2^53, which JavaScript prints rounded', () => {
  const luid = 71 * 2 ** 48 + 7 * 2 ** 24;
  expect(JSON.stringify(luid)).toBe('19984723463897090');
  const settings = { InterfaceAlias: '"InterfaceLuid":19984723463897090', InterfaceLuid: luid };
  expect(documentText({ Policies: [{ Type: 'InterfaceConstraint', Settings: settings }] })).toBe(
    '{"Policies":[{"Type":"InterfaceConstraint","Settings":' +
      '{"InterfaceAlias":"\\"InterfaceLuid\\":19984723463897090","InterfaceLuid":19984723463897088}}]}',
  );
});
