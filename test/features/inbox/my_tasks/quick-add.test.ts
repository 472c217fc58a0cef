import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createPerson } from '../../../../src/features/identity/people/model/index.ts'
import { joinTeam } from '../../../../src/features/identity/teams/model/index.ts'
import { lastSeq } from '../../../../src/store/log.ts'
import { faultOf } from '../../../support/faults.ts'
import { removeTemporaryFolders, terminal } from '../../../support/terminal.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

afterAll(removeTemporaryFolders)

interface Understood {
  title: string
  due_date: string | null
  recurrence: string | null
  priority: number
  project_id: number
  project_title: string
  labels: string[]
  assignees: { name: string }[]
  parts: { text: string; means: string; from: number; to: number }[]
}
interface Added {
  task_id: number
  project_id: number
  changed: string[]
  understood: Understood
}

const sections = [{ title: 'To do' }]
const board = async ({ ada, team_id }: World, title: string, labels: string[] = []) =>
  (
    await ada['projects.create']({
      ...{ team_id, title, sections },
      labels: labels.map((name) => ({ name })),
    })
  ).project_id

/** Quick-adds a natural line to the board Home page, unless the line names another board. */
const add = async (w: World, title: string, overrides: object = {}, actor: Actor = w.cleo) =>
  (await actor['my_tasks.add']({
    ...{ title, project_id: w.board.project_id, natural: true },
    ...overrides,
  })) as unknown as Added
const preview = async (w: World, title: string, overrides: object = {}, actor: Actor = w.cleo) =>
  (await add(w, title, { dry_run: true, ...overrides }, actor)).understood

/** Returns the title and the warnings of a line. Warnings are part of the HTTP response only. */
async function addWithWarnings(w: World, title: string, actor: Actor = w.cleo) {
  const body = { title, project_id: w.board.project_id, natural: true, dry_run: true }
  const answer = await w.http(actor, 'POST', '/api/v1/my-tasks', body)
  const { data, warnings = [] } = answer.body as {
    data: { understood: Understood }
    warnings?: { field: string; code: string; message: string }[]
  }
  return { title: data.understood.title, warnings }
}

test('quick-add parses a line, creates the task and returns what it understood', async () => {
  const w = await world()
  const home = await board(w, 'Home')
  const lastChange = await w.store.read(lastSeq)
  const line = 'Pay rent every month tomorrow 9am #home !high'
  const added = await add(w, line)
  expect(added).toMatchObject({
    ...{ title: 'Pay rent', project_id: home },
    changed: ['title', 'due_date', 'recurrence', 'priority', 'assignee_ids'],
    understood: {
      ...{ title: 'Pay rent', due_date: '2026-11-21T09:00:00+01:00', recurrence: 'Monthly' },
      ...{ priority: 2, priority_name: 'High', project_id: home, project_title: 'Home' },
      ...{ labels: [], assignees: [{ kind: 'person', name: 'Cleo' }] },
      parts: [
        { text: 'every month', means: 'recurrence', from: 9, to: 20 },
        { text: 'tomorrow 9am', means: 'due_date', from: 21, to: 33 },
        { text: '#home', means: 'project_id', from: 34, to: 39 },
        { text: '!high', means: 'priority', from: 40, to: 45 },
      ],
    },
  })
  const { task_id } = added
  expect((await w.cleo['tasks.get']({ task_id })) as object).toMatchObject({
    ...{ title: 'Pay rent', due_date: '2026-11-21T08:00:00.000Z', recurrence: 'Monthly' },
    ...{ priority: 2, project_id: home, assignees: [{ name: 'Cleo' }] },
  })
  expect(await w.changeTypes(lastChange)).toEqual(['task.created', 'task.assigned'])
})

test('a dry run returns the same parsed line and stores nothing', async () => {
  const w = await world()
  const line = 'Mend the tap friday #bug @ada !1'
  const preview = (await w.cleo['my_tasks.add']({
    ...{ title: line, project_id: w.board.project_id, natural: true, dry_run: true },
  })) as unknown as Added
  expect(Object.keys(preview)).toEqual(['understood'])
  expect(await w.changeTypes()).toEqual([])
  // The board does not become the default either.
  expect((await faultOf(w.cleo['my_tasks.add']({ title: 'x' }))).details.code).toBe('required')
  expect((await add(w, line)).understood).toEqual(preview.understood)
  const input = { title: line, project_id: w.board.project_id, natural: true }
  for (const [dry_run, status] of [
    [true, 200],
    [false, 201],
  ] as const)
    expect(await w.http(w.cleo, 'POST', '/api/v1/my-tasks', { ...input, dry_run })).toMatchObject({
      status,
    })
})

test('without natural the title is stored unchanged, and dry_run is refused', async () => {
  const w = await world()
  const { project_id } = w.board
  const title = 'Pay rent every month tomorrow #ui !high'
  const plain = (await w.cleo['my_tasks.add']({ title, project_id })) as unknown as Added
  expect(plain).toMatchObject({ title, changed: ['title', 'assignee_ids'] })
  expect(plain.understood).toBeUndefined()
  const input = { title, project_id, dry_run: true }
  const { code, details } = await faultOf(w.cleo['my_tasks.add'](input))
  expect([code, details.field]).toEqual(['invalid', 'dry_run'])
})

test('a # name is a board’s title or key, and a label only if no board has that name', async () => {
  const w = await world()
  const garden = await board(w, 'Garden Club', ['ui', 'weeds'])
  const ids = async (line: string) => {
    const { project_id, labels, title } = await preview(w, line)
    return [title, project_id === garden ? 'garden' : 'home', ...labels]
  }
  expect(await ids('Dig #garden club tomorrow')).toEqual(['Dig', 'garden'])
  expect(await ids('Dig #GARDEN-CLUB')).toEqual(['Dig', 'garden'])
  expect(await ids('Dig #gc #weeds #ui')).toEqual(['Dig', 'garden', 'weeds', 'ui'])
  expect(await ids('Dig #UI')).toEqual(['Dig', 'home', 'ui'])
  expect(await ids('Dig #weeds')).toEqual(['Dig #weeds', 'home'])
  expect(await ids('Dig \\#gc')).toEqual(['Dig #gc', 'home'])
  expect(await ids('Dig "#gc"')).toEqual(['Dig "#gc"', 'home'])
  expect(await ids('Dig #gcx and C#gc')).toEqual(['Dig #gcx and C#gc', 'home'])
  expect(await ids('#gc: dig')).toEqual(['dig', 'garden'])
  await board(w, 'ui')
  expect((await preview(w, 'Dig #ui')).project_title).toBe('ui')
  await w.ada['projects.archive']({ project_id: garden })
  expect(await ids('Dig #gc')).toEqual(['Dig #gc', 'home'])
})

test('an unknown or ambiguous name stays in the title with a warning, at most five per line', async () => {
  const w = await world()
  await board(w, 'Attic')
  await w.otto['projects.create']({ team_id: w.otherTeamId, title: 'Secret', sections })
  const unknown = await addWithWarnings(w, 'Sweep #cellar @nobody')
  expect(unknown.title).toBe('Sweep #cellar @nobody')
  const [board_, person] = unknown.warnings
  expect(board_).toMatchObject({ field: 'title', code: 'not_found' })
  expect(board_!.message).toContain('Boards: Attic, Home page. Labels: bug, ui')
  expect(person).toMatchObject({ field: 'title', code: 'not_found' })
  expect(person!.message).toContain('Ada (user_id')
  expect(person!.message).not.toContain('Otto')
  expect((await addWithWarnings(w, 'Sweep #secret @otto')).warnings).toHaveLength(2)
  await w.ada['projects.create']({ team_id: w.team_id, title: 'attic', sections })
  const ambiguous = await addWithWarnings(w, 'Sweep #attic')
  expect(ambiguous.title).toBe('Sweep #attic')
  expect(ambiguous.warnings).toMatchObject([{ field: 'title', code: 'ambiguous' }])
  expect((await addWithWarnings(w, 'Fix #12 and C#')).warnings).toEqual([])
  // Each name gets one warning, and a line gets at most five.
  expect((await addWithWarnings(w, 'Sweep #x #x')).warnings).toHaveLength(1)
  const many = Array.from({ length: 30 }, (_, at) => `#x${at}`).join(' ')
  expect((await addWithWarnings(w, `Sweep ${many}`)).warnings).toHaveLength(5)
  const two = await addWithWarnings(w, 'Sweep #hp #attic')
  expect(two).toMatchObject({ title: 'Sweep #attic', warnings: [{ code: 'ambiguous' }] })
})

test('people named with @ are assigned instead of the caller', async () => {
  const w = await world()
  const names = async (line: string) => {
    const { title, assignees } = await preview(w, line)
    return [title, ...assignees.map(({ name }) => name)]
  }
  expect(await names('Ask @ada')).toEqual(['Ask', 'Ada'])
  expect(await names('Ask @ADA @me')).toEqual(['Ask', 'Ada', 'Cleo'])
  expect(await names('Ask')).toEqual(['Ask', 'Cleo'])
  expect(await names('Mail ada@example.com')).toEqual(['Mail ada@example.com', 'Cleo'])
  expect(await names('Ask \\@ada')).toEqual(['Ask @ada', 'Cleo'])
  expect(await names('Ask @gus')).toEqual(['Ask @gus', 'Cleo'])
  const account = { email: 'ada2@example.com', password_hash: null, time_zone: 'UTC', locale: 'en' }
  await w.store.write(async (tx) => {
    const id = await createPerson(tx, { name: 'Ada Lovelace', ...account }, w.clock.now)
    await joinTeam(tx, w.team_id, id, 'member', w.clock.now)
  })
  expect(await names('Ask @ada lovelace soon')).toEqual(['Ask soon', 'Ada Lovelace'])
  expect(await names('Ask @ada')).toEqual(['Ask', 'Ada'])
  const { task_id } = await add(w, 'Ask @ben tomorrow')
  expect((await w.cleo['tasks.get']({ task_id })) as object).toMatchObject({
    assignees: [{ name: 'Ben' }],
  })
})

test('of two dates, rules or priorities the last counts; unsupported rules stay, with warnings', async () => {
  const w = await world()
  for (const [line, title, field] of [
    ['Prepare friday lunch tomorrow', 'Prepare friday lunch', 'due_date'],
    ['Call at 5pm and then at 6pm', 'Call at 5pm and then', 'due_date'],
    ['Pay daily, weekly', 'Pay daily', 'recurrence'],
    ['Pay !low !high', 'Pay !low', 'priority'],
  ] as const)
    expect(await addWithWarnings(w, line)).toMatchObject({
      title,
      warnings: [{ field, code: 'ambiguous' }],
    })
  for (const line of ['Stretch every hour', 'Water every few days', 'Gym every monday or friday'])
    expect(await addWithWarnings(w, line)).toMatchObject({
      title: line,
      warnings: [{ field: 'recurrence', code: 'not_supported' }],
    })
})

test('a line without text left for a title is refused, except in a dry run', async () => {
  const w = await world()
  for (const title of ['tomorrow', 'Weekly', 'every month 9am #hp !high @me', ' - tomorrow, '])
    expect(await faultOf(add(w, title))).toMatchObject({
      code: 'invalid',
      details: { field: 'title', code: 'required' },
    })
  expect((await preview(w, '"Weekly"')).title).toBe('"Weekly"')
  // A dry run accepts it, because the person may still be typing the rest.
  expect(await preview(w, 'tomorrow')).toMatchObject({ title: '', due_date: '2026-11-21' })
  expect(await w.changeTypes()).toEqual([])
})

test('dates use the caller’s time zone and order of day and month; an agent uses its owner’s', async () => {
  const w = await world()
  const dueDateOf = async (line: string, actor?: Actor) =>
    (await preview(w, line, {}, actor)).due_date
  expect(await dueDateOf('x 3/4/2027')).toBe('2027-03-04')
  await w.cleo['user_context.update_profile']({ locale: 'en-GB', time_zone: 'Pacific/Auckland' })
  const { caller, secret } = await w.authenticateAs(w.cleo.caller.actor_id)
  const cleo = w.toActor({ caller, secret })
  expect(await dueDateOf('x 3/4/2027', cleo)).toBe('2027-04-03')
  // It is one in the morning of the 21st in Auckland.
  expect(await dueDateOf('x tomorrow', cleo)).toBe('2026-11-22')
  expect(await dueDateOf('x at 9am', cleo)).toBe('2026-11-21T09:00:00+13:00')
  // An agent uses the locale of its owner.
  expect(await dueDateOf('x 3/4/2027', w.bot)).toBe('2027-04-03')
})

test('a board in the line is for that task only; a sent project_id becomes the default', async () => {
  const w = await world()
  const attic = await board(w, 'Attic')
  const { cleo } = w
  const input = { title: 'Sweep #attic', natural: true }
  expect(await cleo['my_tasks.add'](input)).toMatchObject({ project_id: attic })
  const unset = await faultOf(cleo['my_tasks.add']({ title: 'Dust today', natural: true }))
  expect(unset.details).toMatchObject({ field: 'project_id', code: 'required' })
  await add(w, 'Dust today')
  const withoutLabel = { title: 'Wash today', natural: true }
  expect(await cleo['my_tasks.add'](withoutLabel)).toMatchObject({ project_id: w.board.project_id })
  const guest = add(w, 'Sweep #attic', { project_id: attic }, w.otto)
  expect((await faultOf(guest)).code).toBe('not_found')
})

const days = { today: '20', tomorrow: '21', 'on monday': '23', 'next friday': '27', '': '' }
const times = { '9am': '09:00', 'at 17:30': '17:30', '11:59pm': '23:59', '': '' }
const repeats = {
  'every day': 'Daily',
  'every two weeks': 'Biweekly',
  'every month': 'Monthly',
  '': '',
}
const key = (options: object) => fc.constantFrom(...Object.keys(options))

test('the parts of a random line are understood in any order', async () => {
  const w = await world()
  const garden = await board(w, 'Garden')
  const pieces = fc.record({
    ...{ day: key(days), time: key(times), repeat: key(repeats) },
    ...{ priority: fc.constantFrom('', '!1', '!high', '!low'), label: fc.constantFrom('', '#ui') },
    ...{
      board: fc.constantFrom('', '#garden'),
      order: fc.array(fc.nat(), { minLength: 6, maxLength: 6 }),
    },
  })
  const check = async ({ order, ...choices }: Record<string, string> & { order: never }) => {
    const at = order as number[]
    const { day = '', time = '', repeat = '', priority = '', label = '' } = choices
    const parts = [`${day}${day && time ? ' ' : ''}${day || repeat ? time : ''}`, repeat, priority]
    const marks = choices.board ? [choices.board] : [label]
    const mixed = [...parts, 'Pay rent', ...marks]
      .map((text, index) => ({ text, place: at[index] ?? 0 }))
      .sort((a, b) => a.place - b.place)
    const line = mixed
      .map(({ text }) => text)
      .filter(Boolean)
      .join(' ')
    const parsed = await preview(w, line)
    const expectedDay = days[day as never] as string
    expect({ line, title: parsed.title }).toEqual({ line, title: 'Pay rent' })
    if (expectedDay) expect(parsed.due_date).toStartWith(`2026-11-${expectedDay}`)
    if (expectedDay && time) expect(parsed.due_date).toContain(`T${times[time as never]}:00+01:00`)
    expect(parsed.recurrence ?? '').toBe(repeats[repeat as never] as string)
    expect(parsed.priority).toBe({ '': 0, '!1': 1, '!high': 2, '!low': 4 }[priority]!)
    expect(parsed.project_id).toBe(choices.board ? garden : w.board.project_id)
    expect(parsed.labels).toEqual(!choices.board && label ? ['ui'] : [])
    for (const { text, from, to } of parsed.parts) expect(line.slice(from, to)).toBe(text)
  }
  await fc.assert(fc.asyncProperty(pieces as never, check as never), { numRuns: 300 })
})

test('the command line shows what quick-add understood', async () => {
  const w = await world()
  await board(w, 'Home')
  const { cork } = terminal(w, w.cleo)
  const line = 'Pay rent every month tomorrow 9am #home !high'
  const expected = [
    '  due       2026-11-21 09:00  (tomorrow 9am)',
    '  repeats   every month  (every month)',
    '  priority  High  (!high)',
    '  board     Home  (#home)',
  ]
  expect(await cork('my', 'add', line, '--natural', '--dry-run')).toEqual({
    ...{ code: 0, err: '' },
    out: ['Would add "Pay rent" to "Home"', ...expected].join('\n'),
  })
  const done = await cork('my', 'add', line, '--natural')
  expect(done.out.split('\n').slice(1)).toEqual(expected)
  expect(done.out).toStartWith('Added task HOM-1 "Pay rent" http')
  const addWithWarnings = await cork('my', 'add', 'Gym every monday #home #x', '--natural')
  expect(addWithWarnings.err).toStartWith('Warning: #x stays in the title')
  expect(addWithWarnings.out).toContain(
    '\n  due       2026-11-23\n  repeats   every week  (every monday)',
  )
  const plain = await cork('my', 'add', line, '--project', 'HOM')
  expect(plain.out).toMatch(
    /^Added task HOM-3 "Pay rent every month tomorrow 9am #home !high" \S+$/,
  )
})
