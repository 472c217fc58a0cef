import { afterAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TSchema, Type as t } from '@sinclair/typebox'
import { type Command, UsageError } from '../../src/surfaces/cli/command.ts'
import { flagOf, valueIn } from '../../src/surfaces/cli/fields.ts'
import { parseArguments } from '../../src/surfaces/cli/parse-arguments.ts'
import { createTemporaryFolder, removeTemporaryFolders, terminal } from '../support/terminal.ts'
import { world } from '../support/world.ts'

afterAll(removeTemporaryFolders)

/** A command with a flag of every kind. */
const command: Command = {
  summary: 'Pack a box',
  example: 'cork boxes pack 1 nails',
  args: [
    { name: 'box', about: 'Its number', required: true },
    { name: 'things', about: 'What goes into it', variadic: true },
  ],
  flags: {
    size: { type: 'string', hint: 'S', about: 'Its size', choices: ['small', 'large'] },
    sealed: { type: 'boolean', about: 'Glue it', negatable: true },
    label: { type: 'string', hint: 'TEXT', about: 'What stands on it', repeat: true },
    owner: { type: 'string', hint: 'NAME', about: 'Whose it is', alias: 'owner-id' },
  },
  run: () => Promise.resolve(0),
}

const parse = (...words: string[]) => parseArguments('boxes pack', command, words)

describe('a command line', () => {
  test('is parsed into arguments, flags and lists', () => {
    expect(parse('1', 'nails', '--size=large', 'glue', '--label', 'a', '--label=b')).toEqual({
      values: { box: '1', size: 'large' },
      lists: { things: ['nails', 'glue'], label: ['a', 'b'] },
    })
    expect(parse('1', '--size', 'LARGE').values.size).toBe('large')
    expect(parse('1', '--sealed').values.sealed).toBe('')
    expect(parse('1', '--no-sealed').values.sealed).toBe('false')
    expect(parse('1', '--owner-id', '7').values.owner).toBe('7')
    expect(parse('--', '-1', '--size').lists.things).toEqual(['--size'])
    expect(parse('-h').values.help).toBe('')
  })

  test('with wrong arguments or flags is refused with the correct ones', () => {
    const invalidCases: [string[], string][] = [
      [[], 'needs <box>\nUsage: cork boxes pack <box> [things…] [flags]'],
      [
        ['1', '--size', 'larg'],
        '--size must be one of small, large, not "larg"; did you mean large?',
      ],
      [['1', '--sealed=yes'], '--sealed takes no value'],
      [['1', '--label'], '--label needs a value: --label TEXT'],
      [['1', '--label', '--size'], 'For a value that begins with --, write --label=…'],
      [['1', '--lable', 'x'], 'did you mean --label?'],
      [['1', '--no-size'], 'has no flag --no-size'],
      [['1', '-x'], 'Put -- before words that begin with a dash'],
      [['1', '--constructor'], 'has no flag --constructor'],
    ]
    for (const [words, message] of invalidCases) {
      expect(() => parse(...words)).toThrow(UsageError)
      expect(() => parse(...words)).toThrow(message)
    }
    const singleArgument = { ...command, args: [command.args![0]!] }
    expect(() => parseArguments('boxes open', singleArgument, ['1', '2'])).toThrow(
      '"2" is one more',
    )
  })
})

const orNull = (schema: TSchema) => t.Union([schema, t.Null()])
const value = (schema: TSchema, ...texts: string[]) => valueIn('--it', schema, texts)

describe('the value of a flag', () => {
  test('is parsed as a number, a choice or a boolean, as its field requires', () => {
    expect(value(t.Integer(), '12')).toBe(12)
    expect(value(t.Integer(), '-3')).toBe(-3)
    expect(value(t.Union([t.Integer(), t.String()]), '2')).toBe(2)
    expect(value(t.Union([t.Integer(), t.String()]), 'High')).toBe('High')
    expect(value(t.Union([t.Literal('a'), t.Literal('b')]), 'b')).toBe('b')
    expect(value(t.Boolean(), '')).toBe(true)
    expect(value(t.Boolean(), 'false')).toBe(false)
    expect(value(t.String(), '12')).toBe('12')
    for (const invalid of ['', 'x', '1e3', '0x10', '1.', '１'])
      expect(() => value(t.Integer(), invalid)).toThrow('--it must be a number')
    expect(() => value(t.Boolean(), 'maybe')).toThrow('true or false')
  })

  test('is null if it is empty and the field allows null', () => {
    expect(value(orNull(t.Integer()), '')).toBeNull()
    expect(value(orNull(t.String()), '')).toBeNull()
    expect(value(orNull(t.Boolean()), '')).toBeNull()
    expect(value(orNull(t.Boolean()), 'false')).toBe(false)
    expect(value(orNull(t.Array(t.Integer())), '')).toBeNull()
    expect(value(t.Array(t.Integer()), '')).toEqual([])
    expect(value(t.String(), '')).toBe('')
  })

  test('is a list if the field is one, split at commas for short entries or by repeating the flag', () => {
    const label = t.Union([t.Integer(), t.String({ maxLength: 100 })])
    expect(value(t.Array(label), 'bug, 12,,ui', 'new')).toEqual(['bug', 12, 'ui', 'new'])
    expect(value(t.Array(label), '["a,b"]')).toEqual(['a,b'])
    expect(value(t.Array(label), '[wip]')).toEqual(['[wip]'])
    expect(value(t.Array(t.String({ maxLength: 2000 })), 'One, two', '3')).toEqual([
      'One, two',
      '3',
    ])
    expect(value(t.Union([t.String(), t.Integer(), t.Array(t.Integer())]), 'me')).toEqual(['me'])
  })

  test('is an object as JSON, or in a list as the text of its only required field', () => {
    const column = t.Object({ title: t.String({ maxLength: 99 }), hidden: t.Optional(t.Boolean()) })
    expect(value(t.Object({}), '{"a":1}')).toEqual({ a: 1 })
    expect(value(t.Array(column), 'To do,Done', '{"title":"Later","hidden":true}')).toEqual([
      { title: 'To do' },
      { title: 'Done' },
      { title: 'Later', hidden: true },
    ])
    const pair = t.Object({ from: t.String(), to: t.String() })
    expect(() => value(t.Array(pair), 'a')).toThrow('--it must be JSON')
    expect(() => value(t.Object({}), '{a:1}')).toThrow(UsageError)
  })

  test('is described in the help with its type and hint', () => {
    const describeFlag = (schema: TSchema, name = 'it') => {
      const { type, hint, about } = flagOf(name, schema, false)
      return [type, hint, about]
    }
    expect(describeFlag(t.Boolean())).toEqual(['boolean', undefined, 'It'])
    expect(describeFlag(orNull(t.Integer()), 'parent_id')).toEqual([
      'string',
      'ID',
      'Parent id; "" clears it',
    ])
    expect(describeFlag(t.Array(t.String({ maxLength: 9 })), 'tags')).toEqual([
      'string',
      'TEXT,…',
      'Tags',
    ])
    const choices = t.Union([t.Literal('asc'), t.Literal('desc')])
    expect(describeFlag(choices)).toEqual(['string', 'asc|desc', 'It'])
  })
})

describe('a long text', () => {
  async function adaTerminal(input = '') {
    const w = await world()
    return { w, ...terminal(w, w.ada, { input: async () => input }) }
  }

  test('is read from a file or from standard input', async () => {
    const { w, cork } = await adaTerminal('# From a pipe\n')
    const file = join(createTemporaryFolder(), 'text.md')
    writeFileSync(file, '# From a file\n\n- «one»\n')
    const readDescription = async () =>
      ((await w.ada['tasks.get']({ ticket_number: 'HP-1' })) as { description: string }).description
    const update = ['tasks', 'update', 'HP-1', '--content-type', 'markdown', '--description-file']
    expect((await cork(...update, file)).code).toBe(0)
    expect(await readDescription()).toBe('# From a file\n\n- «one»\n')
    expect((await cork(...update, '-')).code).toBe(0)
    expect(await readDescription()).toBe('# From a pipe\n')
  })

  test('is refused if it is missing or given twice, or if its file does not exist', async () => {
    const { cork } = await adaTerminal()
    const update = [
      'tasks',
      'update',
      'HP-1',
      '--description-file',
      join(createTemporaryFolder(), 'none'),
    ]
    expect(await cork(...update)).toMatchObject({ code: 2, err: expect.stringContaining('none') })
    const both = await cork(...update, '--description', 'x')
    expect(both).toMatchObject({ code: 2, err: expect.stringContaining('not both') })
    const withoutText = await cork('projects', 'set-instructions', 'HP')
    expect([withoutText.code, withoutText.err]).toEqual([
      2,
      '--custom-instruction or --custom-instruction-file is required',
    ])
  })

  test('is removed by an empty value if the field allows null', async () => {
    const { w, cork } = await adaTerminal()
    const { project_id } = w.board
    const readInstruction = async () =>
      (await w.ada['projects.get_instructions']({ project_id })).custom_instruction
    await cork('projects', 'set-instructions', 'HP', '--custom-instruction', 'Be brief')
    expect(await readInstruction()).toBe('Be brief')
    await cork('projects', 'set-instructions', 'HP', '--custom-instruction', '')
    expect(await readInstruction()).toBeNull()
  })
})
