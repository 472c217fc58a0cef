import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { catalog } from '../../src/catalog.ts'
import { type AnyOperation, isWrite } from '../../src/kernel/operation.ts'
import { everyNth } from '../extent.ts'
import { samples } from '../samples.ts'
import { lineOf, sweep as tidy } from '../terminal.ts'
import { company } from './company.ts'
import { cork, folder, sweep } from './cork.ts'

const operations: readonly AnyOperation[] = catalog
let house: Awaited<ReturnType<typeof company>>

beforeAll(async () => {
  house = await company()
  await house.played()
}, 60_000)

afterAll(async () => {
  await house?.server.end()
  sweep()
  tidy()
})

const envOf = () => ({
  CORK_URL: house.server.url,
  CORK_TOKEN: house.secret,
  XDG_CONFIG_HOME: folder(),
})

/** These run last: they rename or remove people whom other samples refer to. */
const LAST = ['user_context.update_profile', 'teams.remove_member', 'teams.leave']
const rank = ({ name }: AnyOperation) => LAST.indexOf(name)

describe('the command line', () => {
  test('a user signs in, creates a board and a task, moves it, lists it and signs out', async () => {
    const env = { XDG_CONFIG_HOME: folder() }
    const { secret } = house
    const { url } = house.server
    const line = async (input: string, ...words: string[]) => {
      const { out, err, code } = await cork(words, { env, input })
      expect([words, code, err]).toEqual([words, 0, ''])
      return out
    }
    expect(await line(secret, 'login', url, '--token', '-')).toBe(
      `Signed in to ${url} as Ada (owner of Harbour)\n`,
    )
    expect(await line('', 'whoami')).toContain('ada@example.com')
    await line('', 'projects', 'create', 'Garden', '--sections', 'To do,Done')
    const draft = [
      '--description-file',
      '-',
      '--content-type',
      'markdown',
      '--due-date',
      '2026-12-24',
    ]
    expect(await line('# How\n\n- dig', 'tasks', 'create', 'GAR', 'Dig', ...draft)).toBe(
      `Created task GAR-1 "Dig" ${url}/t/GAR-1\n`,
    )
    await line('', 'tasks', 'update', 'gar-1', '--section', 'Done', '--assignees', 'me')
    const [task] = JSON.parse(await line('', 'tasks', 'list', '--project', 'Garden', '--json'))
    expect(task).toMatchObject({ ticket_number: 'GAR-1', section: 'Done', due_date: '2026-12-24' })
    expect(await line('', 'tasks', 'list', '--project', 'Garden')).toMatch(
      /^KEY +TITLE +COLUMN +DUE +ASSIGNEES\nGAR-1 +Dig +Done +2026-12-24 +Ada\n$/,
    )
    expect(await line('', 'tasks', 'get', 'GAR-1')).toContain('description:\n# How\n\n- dig\n')
    expect(await line('', 'events', '--since', '0')).toContain('task.created')
    await line('', 'logout')
    const after = await cork(['tasks', 'list'], { env })
    expect([after.code, after.out, after.err.includes('cork login')]).toEqual([1, '', true])
  })

  test('the exit code is 0 for success and help, 1 when refused and 2 for wrong usage', async () => {
    const env = envOf()
    const ending = async (...words: string[]) => (await cork(words, { env })).code
    expect(await ending('tasks', 'get', 'HP-1')).toBe(0)
    expect(await ending('tasks', 'get', 'HP-99')).toBe(1)
    expect(await ending('tasks', 'get')).toBe(2)
    expect(await ending('tasks')).toBe(2)
    expect(await ending('tasks', '--help')).toBe(0)
    expect(await ending('help', 'tasks', 'get')).toBe(0)
    const away = { ...env, CORK_URL: 'http://127.0.0.1:9' }
    const { code, err } = await cork(['tasks', 'list'], { env: away })
    expect([code, err]).toEqual([1, expect.stringContaining('No server answers at')])
  })

  test('a misspelt command or flag is refused with a hint to the right one', async () => {
    const wrong: [string[], string][] = [
      [['taks'], 'did you mean "cork tasks"?'],
      [['tasks', 'crate'], 'did you mean "cork tasks create"?'],
      [['tasks', 'create', 'HP', 'x', '--titel', 'y'], 'see "cork tasks create --help"'],
      [['tasks', 'update', 'HP-1', '--titel', 'y'], 'did you mean --title?'],
    ]
    for (const [words, said] of wrong) {
      const { out, err, code } = await cork(words)
      expect([words, code, out]).toEqual([words, 2, ''])
      expect(err).toContain(said)
    }
  })

  test('a reader that closes the pipe early causes no error message', async () => {
    const { binary } = await import('../../scripts/build.ts')
    const script = `'${binary}' completion bash | head -n 1; '${binary}' tasks list --json | true`
    const run = Bun.spawn(['bash', '-c', script], {
      env: { ...process.env, ...envOf() },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    expect(await new Response(run.stderr).text()).toBe('')
    expect(await new Response(run.stdout).text()).toStartWith('# Completion of cork')
  })
})

/** Operations on a thread need a model that has answered; `cli-chat.test.ts` tests them. */
const isOfThread = ({ name, input }: AnyOperation) =>
  name.startsWith('chat.') && 'thread_id' in input.properties

describe('the executable prints JSON that matches the schema of the operation', () => {
  const commanded = operations.filter((op) => op.on.cli && !isOfThread(op))
  const inOrder = commanded.toSorted((one, other) => rank(one) - rank(other))
  for (const op of everyNth(inOrder, { sqlite: 5, postgres: 10 }))
    test(`cork ${op.on.cli}`, async () => {
      const input = (await samples[op.name]?.(await house.played())) ?? {}
      const env = { ...envOf(), CORK_TOKEN: house.secretFor(op) }
      const [noun = '', verb = '', ...rest] = lineOf(op, input as Record<string, unknown>)
      const { out, err, code } = await cork([noun, verb, '--json', ...rest], { env })
      expect([code, err.replace(/^Warning: .*\n/gm, '')]).toEqual([0, ''])
      const schema = op.output.list ? op.output.properties.items : op.output
      expect([...Value.Errors(schema, JSON.parse(out))]).toEqual([])
      if (isWrite(op)) return
      const told = await cork([noun, verb, ...rest], { env })
      expect([told.code, (told.out + told.err).length > 10]).toEqual([0, true])
    })
})
