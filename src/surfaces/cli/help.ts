import { argumentText, type Command, flagsOf, usageOf } from './command.ts'

/** A group of commands in the help. */
export interface Group {
  title: string
  /** The commands by their full names. */
  commands: Record<string, Command>
}

/** The help of a command: purpose, usage, arguments and flags. */
export function helpOf(name: string, command: Command): string {
  const { summary, about, example, args = [] } = command
  const flags = Object.entries(flagsOf(command))
    .filter(([, { hidden }]) => !hidden)
    .map(([flag, one]) => [
      `--${one.negatable ? '[no-]' : ''}${flag}${one.hint ? ` ${one.hint}` : ''}`,
      one.about + (one.required ? ' (required)' : one.repeat ? ' (may be repeated)' : ''),
    ])
  const parts = [
    `${summary}.`,
    ...(about ? [about] : []),
    `Usage: ${usageOf(name, command)}`,
    ...(args.length
      ? [`Arguments:\n${columns(args.map((arg) => [argumentText(arg), arg.about]))}`]
      : []),
    `Flags:\n${columns(flags)}`,
    `Example:\n  ${example}`,
  ]
  return `${parts.join('\n\n')}\n`
}

/** The help of a noun: its verbs. */
export function helpOfNoun(noun: string, commands: Record<string, Command>): string {
  const rows = Object.entries(commands)
    .filter(([name]) => name.startsWith(`${noun} `))
    .map(([name, { args = [], summary }]) => [[name, ...args.map(argumentText)].join(' '), summary])
  return `Usage: cork ${noun} <verb>

${columns(rows)}

"cork ${noun} <verb> --help" lists the flags of a verb.
`
}

/** The overview of all commands, with one line for each noun. */
export function helpOfAll(groups: readonly Group[]): string {
  const parts = groups.map(({ title, commands }) => `${title}:\n${columns(overview(commands))}`)
  return `Corkboard, the task board that people and AI agents share.

Usage: cork <command> [flags]

${parts.join('\n\n')}

"cork <command> --help" shows help for a command, "cork --version" the version.
Commands use the server of "cork login"; CORK_URL and CORK_TOKEN take precedence.
`
}

function overview(commands: Record<string, Command>): string[][] {
  const rows = new Map<string, string>()
  const verbs = Map.groupBy(Object.keys(commands), (name) => name.split(' ')[0]!)
  for (const [noun, names] of verbs) {
    const verbs = names.map((one) => one.slice(noun.length + 1)).filter(Boolean)
    const summary = names.includes(noun) && commands[noun]!.summary
    rows.set(noun, [summary, verbs.join(', ')].filter(Boolean).join('; '))
  }
  return [...rows]
}

export function columns(rows: string[][]): string {
  const width = Math.max(...rows.map(([first = '']) => first.length))
  return rows.map(([first = '', rest = '']) => `  ${first.padEnd(width)}  ${rest}`).join('\n')
}
