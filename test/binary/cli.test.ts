import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { catalog } from '../../src/catalog.ts'
import { type AnyOperation, isWrite } from '../../src/kernel/operation.ts'
import { sampleInput } from '../support/samples.ts'
import { everyNth } from '../support/scale.ts'
import { cliArguments, removeTemporaryFolders as tidy } from '../support/terminal.ts'
import { startCastServer } from './cast-server.ts'
import { cleanUp, cork, createFolder } from './cork.ts'

const operations: readonly AnyOperation[] = catalog
let cast: Awaited<ReturnType<typeof startCastServer>>

beforeAll(async () => {
  cast = await startCastServer()
  await cast.createWorld()
})

afterAll(async () => {
  await cast?.server.end()
  cleanUp()
  tidy()
})

const createEnv = () => ({
  CORK_URL: cast.server.url,
  CORK_TOKEN: cast.secret,
  XDG_CONFIG_HOME: createFolder(),
})

/** These run last: they rename or remove people whom other samples refer to. */
const LAST = ['user_context.update_profile', 'teams.remove_member', 'teams.leave']
const rank = ({ name }: AnyOperation) => LAST.indexOf(name)

describe('the command line', () => {
  test('a user signs in, creates a board and a task, moves it, lists it and signs out', async () => {
    const env = { XDG_CONFIG_HOME: createFolder() }
    const { secret } = cast
    const { url } = cast.server
    const runLine = async (input: string, ...words: string[]) => {
      const { out, err, code } = await cork(words, { env, input })
      expect([words, code, err]).toEqual([words, 0, ''])
      return out
    }
    expect(await runLine(secret, 'login', url, '--token', '-')).toBe(
      `Signed in to ${url} as Ada (owner of Harbour)\n`,
    )
    expect(await runLine('', 'whoami')).toContain('ada@example.com')
    await runLine('', 'projects', 'create', 'Garden', '--sections', 'To do,Done')
    const flags = [
      '--description-file',
      '-',
      '--content-type',
      'markdown',
      '--due-date',
      '2099-12-24',
    ]
    expect(await runLine('# How\n\n- dig', 'tasks', 'create', 'GAR', 'Dig', ...flags)).toBe(
      `Created task GAR-1 "Dig" ${url}/t/GAR-1\n`,
    )
    await runLine('', 'tasks', 'update', 'gar-1', '--section', 'Done', '--assignees', 'me')
    const [task] = JSON.parse(await runLine('', 'tasks', 'list', '--project', 'Garden', '--json'))
    expect(task).toMatchObject({ ticket_number: 'GAR-1', section: 'Done', due_date: '2099-12-24' })
    expect(await runLine('', 'tasks', 'list', '--project', 'Garden')).toMatch(
      /^KEY +TITLE +COLUMN +DUE +ASSIGNEES\nGAR-1 +Dig +Done +2099-12-24 +Ada\n$/,
    )
    expect(await runLine('', 'tasks', 'get', 'GAR-1')).toContain('description:\n# How\n\n- dig\n')
    expect(await runLine('', 'events', '--since', '0')).toContain('task.created')
    await runLine('', 'logout')
    const afterLogout = await cork(['tasks', 'list'], { env })
    expect([afterLogout.code, afterLogout.out, afterLogout.err.includes('cork login')]).toEqual([
      1,
      '',
      true,
    ])
  })

  test('the exit code is 0 for success and help, 1 when refused and 2 for wrong usage', async () => {
    const env = createEnv()
    const exitCode = async (...words: string[]) => (await cork(words, { env })).code
    expect(await exitCode('tasks', 'get', 'HP-1')).toBe(0)
    expect(await exitCode('tasks', 'get', 'HP-99')).toBe(1)
    expect(await exitCode('tasks', 'get')).toBe(2)
    expect(await exitCode('tasks')).toBe(2)
    expect(await exitCode('tasks', '--help')).toBe(0)
    expect(await exitCode('help', 'tasks', 'get')).toBe(0)
    const unreachable = { ...env, CORK_URL: 'http://127.0.0.1:9' }
    const { code, err } = await cork(['tasks', 'list'], { env: unreachable })
    expect([code, err]).toEqual([1, expect.stringContaining('No server answers at')])
  })

  test('a misspelt command or flag is refused with a hint to the right one', async () => {
    const cases: [string[], string][] = [
      [['taks'], 'did you mean "cork tasks"?'],
      [['tasks', 'crate'], 'did you mean "cork tasks create"?'],
      [['tasks', 'create', 'HP', 'x', '--titel', 'y'], 'see "cork tasks create --help"'],
      [['tasks', 'update', 'HP-1', '--titel', 'y'], 'did you mean --title?'],
    ]
    for (const [words, hint] of cases) {
      const { out, err, code } = await cork(words)
      expect([words, code, out]).toEqual([words, 2, ''])
      expect(err).toContain(hint)
    }
  })

  test('a reader that closes the pipe early causes no error message', async () => {
    const { binary } = await import('../../scripts/build.ts')
    const script = `'${binary}' completion bash | head -n 1; '${binary}' tasks list --json | true`
    const run = Bun.spawn(['bash', '-c', script], {
      env: { ...process.env, ...createEnv() },
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
  const cliOperations = operations.filter((op) => op.on.cli && !isOfThread(op))
  const inOrder = cliOperations.toSorted((one, other) => rank(one) - rank(other))
  for (const op of everyNth(inOrder, { sqlite: 5, postgres: 10 }))
    test(`cork ${op.on.cli!.usage}`, async () => {
      const input = await sampleInput(op.name, await cast.createWorld())
      const env = { ...createEnv(), CORK_TOKEN: cast.secretFor(op) }
      const [noun = '', verb = '', ...rest] = cliArguments(op, input)
      const { out, err, code } = await cork([noun, verb, '--json', ...rest], { env })
      expect([code, err.replace(/^Warning: .*\n/gm, '')]).toEqual([0, ''])
      const schema = op.output.list ? op.output.properties.items : op.output
      expect([...Value.Errors(schema, JSON.parse(out))]).toEqual([])
      if (isWrite(op)) return
      const plain = await cork([noun, verb, ...rest], { env })
      expect([plain.code, (plain.out + plain.err).length > 10]).toEqual([0, true])
    })
})
