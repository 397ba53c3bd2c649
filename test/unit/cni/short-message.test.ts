import { expect, test } from 'vitest';
import { failureMessage } from '../../../src/cli/terminal/session.ts';
import { CniError, code } from '../../../src/cni/error.ts';

test('a failed command shows a message of at most 4 kB, and details of at most 4 kB a line', () => {
  const error = new CniError(code.hcnFailure, '\n'.repeat(5000), { details: `${'y'.repeat(5000)}\nz` });
  const [message = '', ...details] = failureMessage(error, false).split('\n');
  expect(message).toMatch(/^(\\u000a)+(\\u000?)?\.\.\.$/);
  expect(message.length).toBeLessThanOrEqual(4096);
  expect(details).toEqual([`${'y'.repeat(4093)}...`, 'z']);
});
