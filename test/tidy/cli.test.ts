import { describe, expect, test } from 'bun:test'
import { catalog } from '../../src/catalog.ts'
import { groupsOf } from '../../src/commands/run.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { type Command, flagsOf } from '../../src/surfaces/cli/command.ts'
import { ALIASES } from '../../src/surfaces/cli/index.ts'
import { nameOf } from '../../src/surfaces/cli/operation-command.ts'
import { samples } from '../support/samples.ts'
import { silentIO } from '../support/terminal.ts'

const operations: readonly AnyOperation[] = catalog
const groups = await groupsOf(silentIO)
const commands: [string, Command][] = groups.flatMap(({ commands }) => Object.entries(commands))

const operationsWithoutCommand = (ops: readonly AnyOperation[]) =>
  ops
    .filter(({ name, on }) => on.rest && !on.cli && !samples[name]?.noCommand)
    .map(({ name }) => name)

test('every operation with a REST route has a command or a listed reason for having none', () => {
  const restOnly = {
    ...operations[0]!,
    name: 'moods.get',
    on: { rest: 'GET /api/v1/mood' as const },
  }
  expect(operationsWithoutCommand([restOnly])).toEqual(['moods.get'])
  expect(operationsWithoutCommand(operations)).toEqual([])
  for (const { name, on } of operations)
    if (samples[name]!.noCommand) expect([name, on.cli]).toEqual([name, undefined])
})

/** Breaks every rule, to show that each one can fail. */
const badCommand: Command = {
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
    args.every(({ required, variadic: isVariadic }, at) => {
      const after = args.slice(at + 1)
      return (required || !after.some((one) => one.required)) && !(isVariadic && after.length)
    }),
}

describe('every command', () => {
  for (const [rule, isKept] of Object.entries(rules))
    test(rule, () => {
      expect(isKept('Thing_one two three', badCommand)).toBe(false)
      expect(commands.filter((one) => !isKept(...one)).map(([name]) => name)).toEqual([])
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
