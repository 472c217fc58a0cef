import { expect, test } from 'bun:test'
import { checkFile } from '../../src/transfer/import/check-file.ts'
import { exportLines } from '../binary/export-lines.ts'
import { world } from '../support/world.ts'
import { exportedLines, type Lines, roundTrip, writeExport } from './round-trip.ts'

const KINDS = ['template', 'skill', 'time_entry', 'my_view']
const plans = (lines: object[]) =>
  lines.filter((line) => KINDS.includes(Object.keys(line)[0]!)) as Lines

test('templates, skills, time entries and views are the same after import and export', async () => {
  const lines = exportLines(24)
  expect(plans(lines).map((line) => Object.keys(line)[0])).toEqual([
    ...['template', 'template', 'template', 'skill', 'skill', 'skill'],
    ...Array(12).fill('time_entry'),
    ...['my_view', 'my_view'],
  ])
  expect(plans(await roundTrip(lines))).toEqual(plans(lines))
})

test('rules are the same after import and export, without what sends to webhooks', async () => {
  const lines = exportLines(24) as Lines
  const at = lines.findLastIndex(({ template }) => template) + 1
  const { board, created_by, created_at } = lines[at - 1]!.template!
  const rule = {
    ...{ board, position: 1, enabled: true, created_by, created_at, updated_at: created_at },
    when: { section: 0, event: 'task_moved' },
    conditions: { groups: [{ rules: [{ field: 'label', op: 'is', value: 'bug' }] }] },
    actions: [
      { who: created_by, do: 'assign' },
      { do: 'comment', text: 'Look' },
    ],
  }
  const out = await roundTrip([...lines.slice(0, at), { rule }, ...lines.slice(at)] as Lines)
  expect(out.flatMap((line) => line.rule ?? [])).toEqual([rule] as never)
})

const withoutRestrictions = (record: Record<string, unknown> = {}) => {
  const { budget_micro_usd: _, paused_at: __, paused_by: ___, ...rest } = record
  return rest
}

test('a file from before these records and fields existed is imported', async () => {
  const lines = exportLines(24) as Lines
  const older = lines
    .filter((line) => !plans([line]).length)
    .map(({ task, board, agent, ...line }) => {
      const {
        starts_from: _,
        reminded: __,
        snoozed_until: ___,
        recurrence: ____,
        ...fields
      } = task ?? {}
      const { auto_archive_days: _____, sections = [], ...rest } = withoutRestrictions(board)
      const columns = (sections as Lines).map(
        ({ wip_limit: ______, color: _______, ...column }) => column,
      )
      const old = { ...rest, sections: columns }
      if (agent) return { agent: withoutRestrictions(agent) }
      return task ? { task: fields } : board ? { board: old } : line
    })
  const out = await roundTrip(older)
  expect(plans(out)).toEqual([])
  const remindedOf = (key: string) =>
    out.find(({ task }) => task?.ticket_number === key)?.task?.reminded
  // WEB-4 was due in March, so its reminder counts as sent.
  expect([remindedOf('WEB-4'), remindedOf('WEB-5')]).toEqual([2, 0])
})

test('a view that its owner already has is kept, and exported only with its own team', async () => {
  const titles = (lines: Lines) => lines.flatMap(({ my_view }) => my_view?.title ?? [])
  expect(titles(await roundTrip(exportLines(24)))).toEqual(['Mine 0', 'Mine 1'])
  // At the second import both views exist: one of all boards, one of boards of the first team.
  expect(titles(await roundTrip(exportLines(24), 2))).toEqual(['Mine 0'])
})

test('an export ends open timers and writes names instead of ids into filters', async () => {
  const w = await world()
  const { logo, copy } = w.tasks
  await w.cleo['time.start']({ task_identifier: logo.task_id })
  await w.bot['time.start']({ task_identifier: copy.task_id })
  w.clock.advance(60_000)
  await w.cleo['time.pause']({})
  w.clock.advance(60_000)
  const label = (await w.cleo['labels.list']({ project_id: w.board.project_id })).items[0]!
  const rules = [
    { field: 'label', op: 'is' as const, value: label.label_id },
    { field: 'section', op: 'any_of' as const, value: [w.sections.Doing, 'Done'] },
    { field: 'assignee', op: 'is' as const, value: w.ben.caller.actor_id },
    { field: 'parent', op: 'is' as const, value: logo.task_id },
  ]
  await w.cleo['my_views.create']({
    ...{ title: 'Mine', board_filters: { groups: [{ rules }] } },
  })
  const lines = await w.store.read((tx) => exportedLines(tx, w.team_id, w.clock.now))
  await checkFile(await writeExport(lines))
  const { key } = lines.find(({ board }) => board)!.board!
  expect(plans(lines).flatMap(({ my_view }) => my_view?.filters ?? [])).toEqual([
    {
      groups: [
        {
          rules: [
            { ...rules[0], value: { board: key, label: label.name } },
            { ...rules[1], value: [{ board: key, section: 2 }, 'Done'] },
            { ...rules[2], value: { who: expect.stringContaining('ben') } },
            { ...rules[3], value: { task: logo.ticket_number } },
          ],
        },
      ],
    },
  ])
  const timeEntries = plans(lines).flatMap(({ time_entry }) => time_entry ?? [])
  expect(timeEntries).toMatchObject([
    { task: logo.ticket_number, seconds: 60, ended_at: '2026-11-20T12:01:00.000Z' },
    { who: expect.stringMatching(/^agent:/), seconds: 120, ended_at: '2026-11-20T12:02:00.000Z' },
  ])
})

/** The lines, with the first one of a kind changed. */
const withChange = (kind: string, change: (one: Record<string, unknown>) => object) => {
  let done = false
  return (exportLines(24) as Lines).map((line) => {
    if (done || !line[kind]) return line
    done = true
    return { [kind]: { ...line[kind], ...change(line[kind]!) } }
  })
}
const filter = (value: unknown) => () => ({
  filters: { groups: [{ rules: [{ field: 'label', op: 'is', value }] }] },
})
const entryWithStretches = (...all: [number, number][]) => ({ stretches: all, seconds: 60 })

const invalidRecords: [string, string, (one: Record<string, unknown>) => object][] = [
  ['FREQ must be DAILY, WEEKLY, MONTHLY', 'task', () => ({ recurrence: 'FREQ=HOURLY' })],
  ['which OPS does not have', 'template', () => ({ labels: ['Nothing'] })],
  ['belongs to NONE, which does not exist', 'template', () => ({ board: 'NONE' })],
  ['x@example.com is not in the file', 'template', () => ({ created_by: 'x@example.com' })],
  ['does not follow its task', 'time_entry', () => ({ task: 'OPS-1' })],
  ['x@example.com is not in the file', 'time_entry', () => ({ who: 'x@example.com' })],
  ['do not match', 'time_entry', () => ({ seconds: 1 })],
  ['do not match', 'time_entry', () => entryWithStretches([60, 0], [0, 120])],
  ['do not match', 'time_entry', () => entryWithStretches([0, 40], [20, 50])],
  ['do not match', 'time_entry', () => ({ kind: 'logged', day: '2026-02-03' })],
  ['must have a valid day', 'time_entry', () => ({ kind: 'logged' })],
  ['must have a valid day', 'time_entry', () => ({ kind: 'logged', day: '2026-02-30' })],
  ['is not a valid date', 'time_entry', () => ({ started_at: '2026-02-31T25:00:00.000Z' })],
  ['x@example.com is not in the file', 'my_view', () => ({ owner: 'x@example.com' })],
  ['belongs to NONE, which does not exist', 'my_view', () => ({ boards: ['NONE'] })],
  ['belongs to NONE, which does not exist', 'my_view', () => ({ default_board: 'NONE' })],
  ['column 9', 'my_view', () => ({ hidden_sections: [{ board: 'WEB', section: 9 }] })],
  ['column 9', 'my_view', filter({ board: 'WEB', section: 9 })],
  ['the label Nothing', 'my_view', filter([{ board: 'WEB', label: 'Nothing' }])],
  ['agent:x is not in the file', 'my_view', filter({ who: 'agent:x' })],
  ['WEB-999 is referenced', 'my_view', filter({ task: 'WEB-999' })],
  ['there are two views', 'my_view', () => ({ view_id: 'c10e7c1e-7a34-4b2c-9d3e-0123456789ab' })],
]
test('an inconsistent record is refused with the reason, and nothing is imported', async () => {
  for (const [description, kind, change] of invalidRecords) {
    const checked = checkFile(await writeExport(withChange(kind, change)))
    const message = await checked.then(
      () => `a ${kind} was taken that should be refused: ${description}`,
      ({ message }: Error) => message,
    )
    expect(message).toContain(description)
    expect(message).toContain('Nothing was imported')
  }
})

test('imported templates and their subtasks are sanitized', async () => {
  const bad = '<p>Paint<img src=x onerror="alert(1)"></p>'
  const lines = (exportLines(24) as Lines).map((line) => {
    if (!line.template) return line
    const html = { description: bad, content_type: 'html' }
    const below = { title: 'Below', ...html, priority: 0, estimate: 0, labels: [] }
    return { template: { ...line.template, ...html, subtasks: [below] } }
  })
  for (const { template } of plans(await roundTrip(lines)).slice(0, 3))
    expect(JSON.stringify(template)).not.toContain('onerror')
})
