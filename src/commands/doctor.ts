import { type Finding, runChecks } from '../doctor/index.ts'
import { type Command, DATA } from './command.ts'

export const doctor: Command = {
  summary: 'Check settings, data and server, and suggest fixes for problems',
  about: 'Changes nothing. Exits with 1 if there is a problem; warnings do not count.',
  example: 'cork doctor',
  flags: { data: DATA },
  async run({ data, json }) {
    const findings = await runChecks(process.env, { data }, () => new Date())
    console.log(
      json === undefined ? findings.map(formatFinding).join('\n') : JSON.stringify(findings),
    )
    return findings.some(({ state }) => state === 'problem') ? 1 : 0
  },
}

const formatFinding = ({ check, state, says, hint }: Finding) =>
  `${state.padEnd(7)}  ${check}: ${says}${hint ? `\n         → ${hint}.` : ''}`
