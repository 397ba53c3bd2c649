import { findHresult } from '../../hcn/hresults.ts';
import type { Session } from '../session.ts';
import { table } from '../table.ts';
import type { MadeCall } from './run-plugin.ts';

/** The calls a plugin made, in their order, with how long each took and how it ended. */
export function callsTable(calls: readonly MadeCall[], session: Session): string {
  const rows = calls.map((call) => [
    call.milliseconds.toFixed(1).padStart(8),
    endOf(call, session),
    call.event === 'call' ? call.call : `${call.plugin} ${call.command}`,
    (call.event === 'call' ? call.id : undefined) ?? '',
  ]);
  return table(['      ms', 'ended', 'call', 'object'], rows, session);
}

function endOf(call: MadeCall, { style }: Session): string {
  if (call.error !== undefined) return style('red', 'no answer');
  if (call.event === 'run')
    return call.exitCode === 0 ? 'ok' : style('red', `exit ${call.exitCode ?? 'killed'}`);
  const hresult = Number(call.hresult ?? 0);
  return hresult === 0 ? 'ok' : style('yellow', findHresult(hresult)?.symbol ?? call.hresult ?? '');
}
