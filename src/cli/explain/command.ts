import type { Command } from 'commander';
import { decodeText } from '../../cni/text.ts';
import { pluginName } from '../../config/open-config.ts';
import { newCommand } from '../terminal/new-command.ts';
import { type FormatFlags, formatOption } from '../terminal/options.ts';
import { serialized } from '../terminal/output.ts';
import { exitCode, type Session, sessionFor } from '../terminal/session.ts';
import { definitionList } from '../terminal/table.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { type Explanation, explainCode, findCodes, isKnown } from './explain-code.ts';

/** `explain`: the meaning of error codes, and what to do. */
export function explainCommand(session: Session): Command {
  return newCommand('explain', session, {
    summary: 'explain an error code, state or error message',
    description:
      'Explains an HRESULT (hex, decimal or symbol), a CNI error code, the state of an endpoint, or all codes in an error ' +
      'message. Runs on any operating system.',
    examples: [
      'win-hcn explain 0x803b002f',
      'win-hcn explain State 3',
      'win-hcn explain Degraded',
      'win-hcn explain "HNS failed with error : The parameter is incorrect"',
      'kubectl describe pod web | win-hcn explain -',
    ],
  })
    .argument('<code-or-text...>', 'code or error message, or - for stdin')
    .addOption(formatOption())
    .action((words: readonly string[], { output }: FormatFlags) => {
      const [only = '', ...others] = words;
      const text = only === '-' && others.length === 0 ? decodeText(session.read('-')) : words.join(' ');
      const explanations = findCodes(text).map(explainCode);
      if (!explanations.some(isKnown)) session.setExitCode(exitCode.problemFound);
      const data = serialized({ codes: explanations }, output);
      if (data !== undefined) return session.print(data);
      if (explanations.length === 0)
        return session.printStderr(`win-hcn: the text has no error code. ${validInput}`);
      const [, plugin = 'win-hcn'] = /\btype=\\*"([^"\\]+)/.exec(text) ?? [];
      if (pluginName(plugin) !== 'win-hcn')
        session.printStderr(`win-hcn: this is an error of plugin ${plugin}, whose keys may differ`);
      session.print(explanations.map((one) => show(one, sessionFor(session, output))).join('\n\n'));
    });
}

const validInput =
  'Enter an HRESULT in hex (0x803b002f) or decimal (2151350319), a symbol (HCN_E_INVALID_IP), the code of a CNI error (11), ' +
  'the state of an endpoint (State 3) or a whole error message. For all else, run win-hcn doctor.';

function show(explanation: Explanation, { style, width }: Session): string {
  const { kind, code, name, message, cause, fix } = explanation;
  const title = style('bold', name ?? `${kind} ${code}`);
  const number = name === undefined ? '' : `  ${kind} ${code}`;
  const texts = { message, cause, fix };
  const unknown = isKnown(explanation) ? '' : ': unknown';
  return `${wrapSentences(`${title}${number}${unknown}`, width, 2)}\n${definitionList(texts, width)}`;
}
