import { expect, test } from 'vitest';
import { exclusively, mutexName } from '../../../../src/cli/install/run-command.ts';
import { notUnderWine } from '../../../not-on-windows.ts';

const folder = `/opt/cni/${process.pid}`;
const conf = `${folder}/net.d`;

notUnderWine('Wine lets two servers listen on a pipe of one name')(
  'a command that changes a folder refuses another one in it, also in another case',
  async () => {
    const inside = (path: string) => exclusively([path], async () => 'ran').catch((error: unknown) => error);
    const found = await exclusively([folder, conf, folder], async () => [
      await inside(folder.toUpperCase()),
      await inside(conf),
    ]);
    expect(found).toMatchObject([
      {
        code: 11,
        message: `another command of win-hcn is changing ${folder.toUpperCase()}, or this account is not an administrator. Run this command again as an administrator`,
      },
      { code: 11 },
    ]);
  },
);

test('another folder, and the next command after a failure, are not affected', async () => {
  const failed = exclusively([folder], () => Promise.reject(new Error('no space')));
  await expect(failed).rejects.toThrow('no space');
  expect(await exclusively([folder], () => exclusively([conf], async () => 'ran'))).toBe('ran');
});

test('on Windows it has a name that only administrators can take', () => {
  expect(mutexName('C:\\opt\\cni\\bin', true)).toBe(
    '\\\\.\\pipe\\ProtectedPrefix\\Administrators\\win-hcn-install-42f7ddb09abef20c',
  );
});
