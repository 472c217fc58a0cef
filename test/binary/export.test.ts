import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { binary } from '../../scripts/build.ts'
import { onPostgres } from '../support/postgres.ts'
import { cleanUp, createFolder, runCommand, sendRequest } from './cork.ts'
import { exportLines, exportText } from './export-lines.ts'
import { createInstallation, createSqliteInstallation } from './installation.ts'
import { createBoard } from './writers.ts'

afterAll(cleanUp)

/** Fewer tasks are enough when both sides run on SQLite. */
const TASKS = onPostgres ? 5000 : 500

const file = (name: string) => join(createFolder(), name)
const writeExport = (lines: object[]) => {
  const path = file('team.jsonl')
  writeFileSync(path, exportText(lines))
  return path
}

/** The export sorts these lists of names in its own way, so both sides are sorted here. */
const withSortedNames = (line: object) =>
  JSON.parse(JSON.stringify(line), (field, value) => {
    const isNameList = ['labels', 'assignees', 'former_tickets'].includes(field)
    return isNameList ? value.map((one: unknown) => JSON.stringify(one)).sort() : value
  })

describe('an exported team', () => {
  test('is unchanged after an import into another database and a second export', async () => {
    const origin = createSqliteInstallation()
    const target = await createInstallation()
    await origin.run(['import', writeExport(exportLines(TASKS))])
    const first = file('first.jsonl')
    const exportResult = await origin.run(['export', '--team', 'Häfen ⚓', first])
    expect([exportResult.code, exportResult.err]).toEqual([
      0,
      expect.stringContaining(`${TASKS * 1.1} tasks`),
    ])
    const expectedLines = exportLines(TASKS)
    const out = readFileSync(first, 'utf8').trimEnd().split('\n')
    expect(out.slice(0, -1).map((line) => withSortedNames(JSON.parse(line)))).toEqual(
      expectedLines.map(withSortedNames),
    )
    // Another team exists already, so imported rows get other ids.
    await target.init()
    await target.runJson([
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
    const imported = await target.runJson(['import', first])
    expect(imported).toMatchObject({ team: 'Häfen ⚓', tasks: TASKS * 1.1, boards: 2 })
    expect(imported).toMatchObject({ known: ['ada@example.com'], created: expect.any(Array) })
    const second = file('second.jsonl')
    expect((await target.run(['export', '--team', String(imported.team_id), second])).code).toBe(0)
    // Ada has an account on the target and keeps it; everything else is the same.
    const lines = (path: string) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => !/"ada@example.com","name"|"end"/.test(line))
    expect(lines(second).length).toBeGreaterThan(TASKS * 2)
    expect(lines(second)).toEqual(lines(first))

    const third = createSqliteInstallation()
    await third.run(['import', first])
    const thirdFile = file('again.jsonl')
    await third.run(['export', '--team', '1', thirdFile])
    expect(readFileSync(thirdFile).equals(readFileSync(first))).toBe(true)
  })

  test('that was created over HTTP is served unchanged after its import', async () => {
    const origin = createSqliteInstallation()
    const { api_key, team_id } = await origin.init()
    const server = await origin.serve()
    const call = async (method: string, path: string, body: object) =>
      (await sendRequest(server.url, api_key, method, path, body)).body.data
    const project_id = await createBoard(server.url, api_key, team_id)
    const otherBoardId = await createBoard(server.url, api_key, team_id)
    const parent = await call('POST', '/api/v1/tasks', {
      project_id,
      title: 'Top',
      description: 'one',
    })
    await call('POST', '/api/v1/tasks', {
      project_id,
      title: 'Below',
      parent_task_id: parent.task_id,
    })
    await call('PATCH', `/api/v1/tasks/${parent.task_id}`, {
      description: 'two',
      due_date: '2099-12-01',
    })
    const movedTask = await call('POST', '/api/v1/tasks', { project_id, title: 'Moved' })
    await call('PATCH', `/api/v1/tasks/${movedTask.task_id}`, { project_id: otherBoardId })
    const exported = await origin.run(['export', '--team', 'Harbour'])
    expect(await server.end()).toBe(0)

    const target = await createInstallation()
    const path = file('harbour.jsonl')
    writeFileSync(path, exported.out)
    await target.runJson(['import', path])
    const { secret } = await target.runJson(['token', 'create', '--user', 'ada@example.com'])
    const targetServer = await target.serve()
    const get = async (key: string) =>
      (await sendRequest(targetServer.url, secret, 'GET', `/api/v1/tasks/${key}`)).body.data
    const task = await get(parent.ticket_number)
    expect(task).toMatchObject({
      title: 'Top',
      description: 'two',
      description_version: 2,
      subtask_count: 1,
    })
    expect(task.due_date).toBe('2099-12-01')
    expect((await get(movedTask.ticket_number)).title).toBe('Moved')
    const created = await sendRequest(targetServer.url, secret, 'POST', '/api/v1/tasks', {
      project_id: task.project_id,
      title: 'Next',
    })
    expect(created.body.data.unique_index ?? created.body.data.ticket_number).toBe('GAR-4')
    expect(await targetServer.end()).toBe(0)
    expect((await target.run(['export', '--team', 'Harbour'])).out).toContain('"GAR-4"')
  })

  test('contains no secret', async () => {
    const origin = createSqliteInstallation()
    const { api_key, mcp_token } = await origin.init()
    await origin.run(['user', 'password', '--email', 'ada@example.com', '--password-stdin'], {
      input: 'correct horse battery',
    })
    const { out } = await origin.run(['export', '--team', '1'])
    for (const secret of [api_key, mcp_token, 'argon2', 'hash', 'password'])
      expect(out).not.toContain(secret)
  })
})

// This does not depend on the engine, so one run is enough.
describe.skipIf(onPostgres)('cork import refuses or only checks, and changes nothing:', () => {
  type Records = { [kind: string]: Record<string, unknown> }[]
  const cases: [string, (lines: Records) => object[], string][] = [
    [
      'a newer format',
      (lines) => [{ format: 'corkboard-team', version: 2 }, ...lines.slice(1)],
      'has format 2',
    ],
    ['a backup', () => [{ format: 'corkboard-backup', version: 1 }], 'not a team exported'],
    ['a file of no known product', () => [{ hello: 'world' }], 'not a team exported'],
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
  for (const [name, alter, error] of cases)
    test(name, async () => {
      const origin = createSqliteInstallation()
      const path = writeExport(alter(exportLines(20) as Records))
      const { code, err, out } = await origin.run(['import', path])
      expect([code, err, out]).toEqual([1, expect.stringContaining(error), ''])
      expect(err).toContain(path)
      expect(err).not.toMatch(/\n\s+at /)
      expect((await origin.run(['user', 'list'])).code).toBe(1)
    })

  test('a truncated, changed, incomplete, extended or empty file', async () => {
    const origin = createSqliteInstallation()
    await origin.run(['import', writeExport(exportLines(20))])
    const { out } = await origin.run(['export', '--team', '1'])
    const path = file('spoilt.jsonl')
    const damagedFiles: [string, string][] = [
      [out.slice(0, -200), 'damaged'],
      [out.replace('Task 3', 'Task 4'), 'checksum'],
      [out.split('\n').toSpliced(-3, 1).join('\n'), 'should have'],
      [`${out}{"team":{}}\n`, 'follows its last line'],
      ['', 'cut short'],
    ]
    for (const [text, error] of damagedFiles) {
      writeFileSync(path, text)
      const { code, err } = await origin.run(['import', path])
      expect([code, err]).toEqual([1, expect.stringContaining(error)])
      expect(err).toContain('Nothing was')
    }
    expect(await origin.runJson(['user', 'list'])).toHaveLength(3)
  })

  test('a team that does not fit on the disk', async () => {
    const origin = createSqliteInstallation()
    await origin.init()
    const path = writeExport(exportLines(3000))
    const args = [binary, 'import', path, '--data', origin.data]
    const shell = 'trap "" XFSZ; ulimit -f 1000; exec "$@"'
    const { code, err } = await runCommand(['sh', '-c', shell, 'sh', ...args], { env: origin.env })
    expect([code, err]).toEqual([1, expect.stringContaining('Nothing was changed: the disk')])
    expect(err).not.toMatch(/\n\s+at /)
    expect(await origin.runJson(['user', 'list'])).toHaveLength(1)
    expect((await origin.run(['import', path])).code).toBe(0)
  })

  test('with --dry-run, which prints the counts of a file', async () => {
    const origin = createSqliteInstallation()
    const path = writeExport(exportLines(20))
    const { out, code } = await origin.run(['import', path, '--dry-run', '--json'])
    expect([code, JSON.parse(out)]).toEqual([
      0,
      expect.objectContaining({ team: 'Häfen ⚓', task: 22, board: 2 }),
    ])
    expect((await origin.run(['user', 'list'])).code).toBe(1)
  })
})
