import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { binary } from '../../scripts/build.ts'
import { onPostgres } from '../server.ts'
import { ask, ended, folder, sweep } from './cork.ts'
import { ground, inFolder } from './ground.ts'
import { linesOf, textOf } from './team.ts'
import { boardIn } from './writers.ts'

afterAll(sweep)

/** Fewer tasks are enough when both sides run on SQLite. */
const TASKS = onPostgres ? 5000 : 500

const file = (name: string) => join(folder(), name)
const written = (lines: object[]) => {
  const path = file('team.jsonl')
  writeFileSync(path, textOf(lines))
  return path
}

/** The export sorts these lists of names in its own way, so both sides are sorted here. */
const sorted = (line: object) =>
  JSON.parse(JSON.stringify(line), (field, value) => {
    const named = ['labels', 'assignees', 'former_tickets'].includes(field)
    return named ? value.map((one: unknown) => JSON.stringify(one)).sort() : value
  })

describe('an exported team', () => {
  test('is unchanged after an import into another database and a second export', async () => {
    const here = inFolder()
    const there = await ground()
    await here.run(['import', written(linesOf(TASKS))])
    const first = file('first.jsonl')
    const told = await here.run(['export', '--team', 'Häfen ⚓', first])
    expect([told.code, told.err]).toEqual([0, expect.stringContaining(`${TASKS * 1.1} tasks`)])
    const source = linesOf(TASKS)
    const out = readFileSync(first, 'utf8').trimEnd().split('\n')
    expect(out.slice(0, -1).map((line) => sorted(JSON.parse(line)))).toEqual(source.map(sorted))
    // Another team exists already, so imported rows get other ids.
    await there.init()
    await there.json([
      'user',
      'add',
      '--email',
      'x@example.com',
      '--name',
      'X',
      '--team',
      '1',
      '--role',
      'guest',
    ])
    const made = await there.json(['import', first])
    expect(made).toMatchObject({ team: 'Häfen ⚓', tasks: TASKS * 1.1, boards: 2 })
    expect(made).toMatchObject({ known: ['ada@example.com'], created: expect.any(Array) })
    const second = file('second.jsonl')
    expect((await there.run(['export', '--team', String(made.team_id), second])).code).toBe(0)
    // Ada has an account on the target and keeps it; everything else is the same.
    const lines = (path: string) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => !/"ada@example.com","name"|"end"/.test(line))
    expect(lines(second).length).toBeGreaterThan(TASKS * 2)
    expect(lines(second)).toEqual(lines(first))

    const third = inFolder()
    await third.run(['import', first])
    const again = file('again.jsonl')
    await third.run(['export', '--team', '1', again])
    expect(readFileSync(again).equals(readFileSync(first))).toBe(true)
  }, 120_000)

  test('that was created over HTTP is served unchanged after its import', async () => {
    const here = inFolder()
    const { api_key, team_id } = await here.init()
    const server = await here.serve()
    const call = async (method: string, path: string, body: object) =>
      (await ask(server.url, api_key, method, path, body)).body.data
    const project_id = await boardIn(server.url, api_key, team_id)
    const other = await boardIn(server.url, api_key, team_id)
    const top = await call('POST', '/api/v1/tasks', {
      project_id,
      title: 'Top',
      description: 'one',
    })
    await call('POST', '/api/v1/tasks', { project_id, title: 'Below', parent_task_id: top.task_id })
    await call('PATCH', `/api/v1/tasks/${top.task_id}`, {
      description: 'two',
      due_date: '2026-12-01',
    })
    const moved = await call('POST', '/api/v1/tasks', { project_id, title: 'Moved' })
    await call('PATCH', `/api/v1/tasks/${moved.task_id}`, { project_id: other })
    const out = await here.run(['export', '--team', 'Harbour'])
    expect(await server.end()).toBe(0)

    const there = await ground()
    const path = file('harbour.jsonl')
    writeFileSync(path, out.out)
    await there.json(['import', path])
    const { secret } = await there.json(['token', 'create', '--user', 'ada@example.com'])
    const next = await there.serve()
    const get = async (key: string) =>
      (await ask(next.url, secret, 'GET', `/api/v1/tasks/${key}`)).body.data
    const one = await get(top.ticket_number)
    expect(one).toMatchObject({
      title: 'Top',
      description: 'two',
      description_version: 2,
      subtask_count: 1,
    })
    expect(one.due_date).toBe('2026-12-01')
    expect((await get(moved.ticket_number)).title).toBe('Moved')
    const fresh = await ask(next.url, secret, 'POST', '/api/v1/tasks', {
      project_id: one.project_id,
      title: 'Next',
    })
    expect(fresh.body.data.unique_index ?? fresh.body.data.ticket_number).toBe('GAR-4')
    expect(await next.end()).toBe(0)
    expect((await there.run(['export', '--team', 'Harbour'])).out).toContain('"GAR-4"')
  }, 30_000)

  test('contains no secret', async () => {
    const here = inFolder()
    const { api_key, mcp_token } = await here.init()
    await here.run(['user', 'password', '--email', 'ada@example.com', '--password-stdin'], {
      input: 'correct horse battery',
    })
    const { out } = await here.run(['export', '--team', '1'])
    for (const secret of [api_key, mcp_token, 'argon2', 'hash', 'password'])
      expect(out).not.toContain(secret)
  })
})

// This does not depend on the engine, so one run is enough.
describe.skipIf(onPostgres)('cork import refuses or only checks, and changes nothing:', () => {
  type Lines = { [kind: string]: Record<string, unknown> }[]
  const wrong: [string, (lines: Lines) => object[], string][] = [
    [
      'a newer format',
      (lines) => [{ format: 'corkboard-team', version: 2 }, ...lines.slice(1)],
      'has format 2',
    ],
    ['a file that is not an export', () => [{ hello: 'world' }], 'not a team exported'],
    [
      'an unknown field',
      (lines) => lines.with(1, { team: { ...lines[1]!.team, colour: 1 } }),
      'line 2: colour',
    ],
    ['a missing field', (lines) => lines.with(6, { agent: { name: 'A' } }), 'line 7: agent_id'],
    [
      'a task without its board',
      (lines) => lines.filter(({ board }) => board?.key !== 'OPS'),
      'OPS, which does not exist',
    ],
    [
      'an unknown person',
      (lines) => lines.filter(({ person }) => person?.email !== 'zoë@example.com'),
      'zoë@example.com',
    ],
    [
      'a team without an owner',
      (lines) => lines.filter(({ person }) => person?.role !== 'owner'),
      'ada@example.com',
    ],
    [
      'a duplicate task',
      (lines) => [...lines, lines.find(({ task }) => task)!],
      'two tasks known as OPS-1',
    ],
    [
      'a missing parent',
      (lines) =>
        lines.map((line) =>
          line.task?.ticket_number === 'WEB-3'
            ? { task: { ...line.task, parent: 'WEB-999' } }
            : line,
        ),
      'WEB-999 is referenced',
    ],
    [
      'a task that is its own ancestor',
      (lines) =>
        lines.map((line) =>
          line.task?.ticket_number === 'WEB-1' ? { task: { ...line.task, parent: 'WEB-7' } } : line,
        ),
      'its own subtask',
    ],
    [
      'an invalid date',
      (lines) =>
        lines.map((line) =>
          line.task?.ticket_number === 'WEB-1'
            ? { task: { ...line.task, created_at: '2026-13-45T00:00:00.000Z' } }
            : line,
        ),
      'is not a valid date',
    ],
    [
      'evidence with a missing file',
      (lines) =>
        lines.map((line) =>
          line.evidence ? { evidence: { ...line.evidence, attachment: 1 } } : line,
        ),
      'a file that does not exist',
    ],
    [
      'an escalation with a time of resolution but no resolver',
      (lines) =>
        lines.map((line) =>
          line.escalation ? { escalation: { ...line.escalation, resolved_by: null } } : line,
        ),
      'must have resolved_by and resolved_at',
    ],
    [
      'a missing column',
      (lines) =>
        lines.map((line) =>
          line.task?.ticket_number === 'WEB-1' ? { task: { ...line.task, section: 9 } } : line,
        ),
      'column 9',
    ],
  ]
  for (const [what, spoil, said] of wrong)
    test(what, async () => {
      const here = inFolder()
      const path = written(spoil(linesOf(20) as Lines))
      const { code, err, out } = await here.run(['import', path])
      expect([code, err, out]).toEqual([1, expect.stringContaining(said), ''])
      expect(err).toContain(path)
      expect(err).not.toMatch(/\n\s+at /)
      expect((await here.run(['user', 'list'])).code).toBe(1)
    })

  test('a truncated, changed, incomplete, extended or empty file', async () => {
    const here = inFolder()
    await here.run(['import', written(linesOf(20))])
    const { out } = await here.run(['export', '--team', '1'])
    const path = file('spoilt.jsonl')
    const spoilt: [string, string][] = [
      [out.slice(0, -200), 'damaged'],
      [out.replace('Task 3', 'Task 4'), 'checksum'],
      [out.split('\n').toSpliced(-3, 1).join('\n'), 'should have'],
      [`${out}{"team":{}}\n`, 'follows its last line'],
      ['', 'cut short'],
    ]
    for (const [text, said] of spoilt) {
      writeFileSync(path, text)
      const { code, err } = await here.run(['import', path])
      expect([code, err]).toEqual([1, expect.stringContaining(said)])
      expect(err).toContain('Nothing was')
    }
    expect(await here.json(['user', 'list'])).toHaveLength(3)
  })

  test('a team that does not fit on the disk', async () => {
    const here = inFolder()
    await here.init()
    const path = written(linesOf(3000))
    const args = [binary, 'import', path, '--data', here.data]
    const shell = 'trap "" XFSZ; ulimit -f 1000; exec "$@"'
    const { code, err } = await ended(['sh', '-c', shell, 'sh', ...args], { env: here.env })
    expect([code, err]).toEqual([1, expect.stringContaining('Nothing was changed: the disk')])
    expect(err).not.toMatch(/\n\s+at /)
    expect(await here.json(['user', 'list'])).toHaveLength(1)
    expect((await here.run(['import', path])).code).toBe(0)
  })

  test('with --dry-run, which prints the counts of a file', async () => {
    const here = inFolder()
    const path = written(linesOf(20))
    const { out, code } = await here.run(['import', path, '--dry-run', '--json'])
    expect([code, JSON.parse(out)]).toEqual([
      0,
      expect.objectContaining({ team: 'Häfen ⚓', task: 22, board: 2 }),
    ])
    expect((await here.run(['user', 'list'])).code).toBe(1)
  })
})
