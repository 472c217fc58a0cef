import { describe, expect, test } from 'bun:test'
import { catalog } from '../../src/catalog.ts'
import { groupsOf } from '../../src/commands/run.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { type Command, flagsOf } from '../../src/surfaces/cli/command.ts'
import { ALIASES } from '../../src/surfaces/cli/index.ts'
import { nameOf } from '../../src/surfaces/cli/operation-command.ts'
import { nowhere } from '../terminal.ts'

/** Operations without a command, with the reason. */
const ELSEWHERE: Record<string, string> = {
  'projects.board': 'cork tasks list shows the same page by page; only the app follows a board',
  'browser_sessions.list': 'where somebody sits is the business of nobody but their browser',
  'browser_sessions.end': 'a key is no way to the browsers of its owner',
  'browser_sessions.end_others': 'as above',
  'password.change': 'cork user password sets one for the server operator',
  'drafts.preview': 'whoever types markdown here reads markdown',
  'inbox.mark': 'inbox read, unread, archive and unarchive are commands of their own',
  'tasks.set_start_date': 'cork tasks update has --start-date',
  'tasks.set_recurrence': 'cork tasks update has --recurrence',
}

const operations: readonly AnyOperation[] = catalog
const groups = await groupsOf(nowhere)
const commands: [string, Command][] = groups.flatMap(({ commands }) => Object.entries(commands))

const silent = (ops: readonly AnyOperation[]) =>
  ops.filter(({ name, on }) => on.rest && !on.cli && !ELSEWHERE[name]).map(({ name }) => name)

test('every operation with a REST route has a command or a listed reason for having none', () => {
  const mute = { ...operations[0]!, name: 'moods.get', on: { rest: 'GET /api/v1/mood' as const } }
  expect(silent([mute])).toEqual(['moods.get'])
  expect(silent(operations)).toEqual([])
  for (const name of Object.keys(ELSEWHERE))
    expect(operations.find((op) => op.name === name)?.on.cli).toBeUndefined()
})

/** Breaks every rule at once, to show that each of them can fail. */
const sloppy: Command = {
  summary: 'Does it.',
  example: 'cork thing',
  args: [
    { name: 'many', about: '', variadic: true },
    { name: 'last', about: 'x', required: true },
  ],
  flags: { Bad_name: { type: 'string', about: '' } },
  run: () => Promise.resolve(0),
}

const rules: Record<string, (name: string, command: Command) => boolean> = {
  'has a name of one or two lower-case words': (name) => /^[a-z]+( [a-z]+(-[a-z]+)*)?$/.test(name),
  'has a summary with a capital letter and without a full stop': (_, { summary }) =>
    /^[A-Z].*[^.]$/.test(summary),
  'has an example that calls it': (name, { example }) => `${example} `.startsWith(`cork ${name} `),
  'describes every argument and every flag': (_, command) =>
    [...(command.args ?? []), ...Object.values(flagsOf(command))].every(({ about }) => about),
  'has a placeholder for the value of every flag': (_, command) =>
    Object.values(flagsOf(command)).every(({ type, hint }) => type === 'boolean' || hint),
  'has flags of lower-case words': (_, command) =>
    Object.keys(flagsOf(command)).every((flag) => /^[a-z]+(-[a-z]+)*$/.test(flag)),
  'takes optional arguments last, and a variadic one at the end': (_, { args = [] }) =>
    args.every(({ required, variadic: many }, at) => {
      const after = args.slice(at + 1)
      return (required || !after.some((one) => one.required)) && !(many && after.length)
    }),
}

describe('every command', () => {
  for (const [rule, keeps] of Object.entries(rules))
    test(rule, () => {
      expect(keeps('Thing_one two three', sloppy)).toBe(false)
      expect(commands.filter((one) => !keeps(...one)).map(([name]) => name)).toEqual([])
    })

  test('has a unique name that no alias hides, and no operation lacks its command', () => {
    const names = [...commands.map(([name]) => name), ...Object.keys(ALIASES)]
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
    const nouns = names.map((name) => name.split(' ')[0]!)
    for (const [alias, noun] of Object.entries(ALIASES)) {
      expect(nouns).toContain(noun)
      expect(nouns.filter((one) => one === alias)).toHaveLength(1)
    }
    expect(commands.map(([name]) => name)).toEqual(
      expect.arrayContaining(operations.map(nameOf).filter(Boolean)),
    )
  })

  test('derived from an operation has no field named json, help or all', () => {
    for (const { name, input } of operations)
      for (const field of ['json', 'help', 'all'])
        expect([name, Object.keys(input.properties)]).toEqual([
          name,
          expect.not.arrayContaining([field]),
        ])
  })
})
