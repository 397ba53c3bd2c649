import { expect, test } from 'vitest';
import { exclusively } from '../../../../src/cli/install/exclusive.ts';

const folder = `/opt/cni/${process.pid}`;

test('one installation in a folder refuses another', async () => {
  const second = await exclusively([folder], () =>
    exclusively([folder.toUpperCase()], async () => 'ran').catch((error: unknown) => error),
  );
  expect(second).toMatchObject({
    code: 11,
    message: `another command of win-hcn is changing ${folder.toUpperCase()}: run this command again when it has finished`,
  });
});

test('one command in several folders refuses another in one of them, and a folder can be given twice', async () => {
  const conf = `${folder}/net.d`;
  const second = await exclusively([folder, conf, folder], () =>
    exclusively([conf], async () => 'ran').catch((error: unknown) => error),
  );
  expect(second).toMatchObject({ code: 11, message: expect.stringContaining(`is changing ${conf}:`) });
});

test('does not affect another folder', async () => {
  expect(await exclusively([folder], () => exclusively([`${folder}/other`], async () => 'ran'))).toBe('ran');
});

test('allows the next one, also after a failure', async () => {
  const failed = exclusively([folder], () => Promise.reject(new Error('no space')));
  await expect(failed).rejects.toThrow('no space');
  expect(await exclusively([folder], async () => 'ran')).toBe('ran');
});
