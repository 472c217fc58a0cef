import { describeConfig, unknownVariables } from '../config/index.ts'
import { type Command, DATA, table } from './command.ts'

export const config: Command = {
  summary: 'List all settings: value, source and description',
  about: 'Secrets are masked. Exits with 1 if a setting is invalid.',
  example: 'cork config --json',
  flags: { data: DATA },
  async run({ data, json }) {
    const settings = describeConfig(process.env, { data })
    if (json !== undefined) console.log(JSON.stringify(settings))
    else
      console.log(
        table(
          settings.map(({ name, value, origin, about }) => [name, value ?? '-', origin, about]),
          ['setting', 'value', 'from', 'what it does'],
        ),
      )
    for (const warning of unknownVariables(process.env)) console.error(warning)
    const problems = settings.flatMap(({ problem }) => problem ?? [])
    for (const problem of problems) console.error(problem)
    return problems.length ? 1 : 0
  },
}
