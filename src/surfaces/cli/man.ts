import { version } from '../../../package.json'
import { type Command, flagsOf, usageOf } from './command.ts'
import type { Group } from './help.ts'

/** `groups` has all commands when the command runs. */
export function man(groups: readonly Group[], out: (text: string) => void): Command {
  return {
    summary: 'Print the manual page of this program, for man',
    about: 'Packages for Linux install it. To read it without one: cork man | man -l -',
    example: 'cork man > cork.1',
    flags: {},
    async run({ json }) {
      const page = pageOf(groups)
      out(json === undefined ? page.trimEnd() : JSON.stringify({ page }))
      return 0
    },
  }
}

const pageOf = (groups: readonly Group[]) =>
  [
    `.TH CORK 1 "" "cork ${version}" "User Commands"`,
    '.SH NAME',
    'cork \\- the task board that people and AI agents share',
    '.SH SYNOPSIS',
    '.B cork',
    '.I command',
    '[\\fIflags\\fR]',
    ...groups.flatMap(({ title, commands }) => [
      `.SH "${escaped(title.toUpperCase())}"`,
      ...Object.entries(commands).flatMap(([name, command]) => sectionOf(name, command)),
    ]),
    '',
  ].join('\n')

const sectionOf = (name: string, command: Command) => [
  '.TP',
  `.B ${escaped(usageOf(name, command))}`,
  line([command.summary, command.about].filter(Boolean).join('. ')),
  ...Object.entries(flagsOf(command))
    .filter(([flag, { hidden }]) => !hidden && flag !== 'help' && flag !== 'json')
    .flatMap(([flag, { hint, about }]) => [
      '.RS',
      '.TP',
      `.B ${escaped(`--${flag}${hint ? ` ${hint}` : ''}`)}`,
      line(about),
      '.RE',
    ]),
]

const escaped = (text: string) => text.replaceAll('\\', '\\e').replaceAll('-', '\\-')

/** A line that begins with a dot or a quote would be a command of roff. */
const line = (text: string) => escaped(text.replaceAll('\n', ' ')).replace(/^([.'])/, '\\&$1')
