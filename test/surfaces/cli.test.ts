import { afterAll, describe, expect, test } from 'bun:test'
import { removeTemporaryFolders, terminal } from '../support/terminal.ts'
import { world } from '../support/world.ts'

afterAll(removeTemporaryFolders)

async function adaTerminal() {
  const w = await world()
  return { w, ...terminal(w, w.ada) }
}

describe('cork', () => {
  test('lists tasks in a table with their main fields', async () => {
    const { cork } = await adaTerminal()
    const { code, out, err } = await cork('tasks', 'list', '--sort', 'title')
    expect([code, err]).toEqual([0, ''])
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['KEY', 'TITLE', 'COLUMN', 'PRIORITY', 'SIZE', 'DUE', 'LABELS', 'ASSIGNEES'],
      ['HP-4', 'Buy the domain', 'Done'],
      ['HP-1', 'Draw the logo', 'Doing', 'High', 'S', '2026-11-27', 'ui', 'Cleo'],
      ['HP-3', 'Mend the broken link', 'Inbox', 'Urgent', 'bug'],
      ['HP-2', 'Write the copy', 'Next'],
    ])
  })

  test('prints with --json exactly the data of the REST response', async () => {
    const { w, cork } = await adaTerminal()
    const rest = await w.http(w.ada, 'GET', '/api/v1/tasks')
    expect(JSON.parse((await cork('tasks', 'list', '--json')).out)).toEqual(rest.body.data)
    const record = await w.http(w.ada, 'GET', '/api/v1/tasks/HP-1')
    expect(JSON.parse((await cork('tasks', 'get', 'hp-1', '--json')).out)).toEqual(record.body.data)
  })

  test('prints indented JSON on a terminal, with control characters escaped', async () => {
    const w = await world()
    const { cork } = terminal(w, w.ada, { screen: { width: 80, colour: true } })
    await w.ada['teams.rename']({ team_id: w.team_id, name: 'Har\u009bbour' })
    const { out } = await cork('teams', 'get', '--json')
    expect(out).toContain('\n  "name": "Har\\u009bbour",\n')
    expect(JSON.parse(out).name).toBe('Har\u009bbour')
  })

  test('prints a record as fields, and a long text below them', async () => {
    const { w, cork } = await adaTerminal()
    const { out } = await cork('tasks', 'get', String(w.tasks.logo.task_id))
    expect(out).toMatch(/^key +HP-1\ntitle +Draw the logo\n/)
    expect(out).toContain('assignees            Cleo\n')
    await cork('tasks', 'update', 'HP-1', '--description', 'One\n\nTwo')
    expect((await cork('tasks', 'get', 'HP-1')).out).toEndWith('description:\nOne\n\nTwo')
  })

  test('prints a tree as one table, with each task indented by its depth', async () => {
    const { w, cork } = await adaTerminal()
    const { project_id } = w.board
    const createChild = async (title: string, parent_task_id: number) =>
      (await w.ada['tasks.create']({ project_id, title, parent_task_id })).task_id
    const sketch = await createChild('Sketch', w.tasks.logo.task_id)
    await createChild('Pencil', sketch)
    await createChild('Colour', w.tasks.logo.task_id)
    const { out } = await cork('tasks', 'tree', 'HP-1')
    const titles = out.split('\n').map((line) => line.split(/ {2,}/)[1])
    const children = ['· Sketch', '· · Pencil', '· Colour']
    expect(titles.slice(-5)).toEqual(['TITLE', 'Draw the logo', ...children])
    expect(out).not.toContain('{')
  })

  test('prints custom field values by field name, and the options of a field by their labels', async () => {
    const { w, cork } = await adaTerminal()
    const { project_id } = w.board
    const options = [{ label: 'Draft' }, { label: 'Final' }]
    await w.ada['custom_fields.create']({ project_id, name: 'Stage', type: 'select', options })
    await cork('fields', 'set', 'HP-1', 'Points', '5')
    expect((await cork('tasks', 'get', 'HP-1')).out).toMatch(/\nNAME +VALUE\nPoints +5$/)
    expect((await cork('fields', 'list', 'HP')).out).toMatch(/Stage +select +Draft, Final$/)
  })

  test('prints a write in one line, with the fields that really changed', async () => {
    const { cork } = await adaTerminal()
    const line = async (...words: string[]) => (await cork(...words)).out
    const link = 'http://localhost/t/HP-5'
    expect(await line('tasks', 'create', 'HP', 'Paint')).toBe(`Created task HP-5 "Paint" ${link}`)
    const move = ['tasks', 'update', 'HP-5', '--section', 'done', '--title', 'Paint']
    expect(await line(...move)).toBe(`Updated task HP-5 "Paint": section_id ${link}`)
    expect(await line(...move)).toBe(`Nothing to change on task HP-5 "Paint" ${link}`)
    expect(await line('labels', 'create', 'HP', 'new')).toMatch(/^Created label \d+ "new"$/)
    expect(await line('teams', 'set-role', '1', 'gus', 'member')).toBe(
      'Gus is now member (was guest)',
    )
    expect(await line('projects', 'archive', 'HP')).toContain('Archived "Home page"')
    expect(await line('projects', 'archive', 'HP', '--status', 'Normal')).toContain('Unarchived')
  })

  test('prints a new API key with a warning that it is not shown again', async () => {
    const { cork } = await adaTerminal()
    const { out, err } = await cork('keys', 'create', 'laptop')
    expect(out).toMatch(/^key +cork_\S+$/m)
    expect(err).toBe('Save it now: it is not shown again')
  })

  test('reads pages up to --limit or --all, and says if there is more', async () => {
    const { w, cork } = await adaTerminal()
    for (let n = 1; n <= 70; n++)
      await w.ada['tasks.create']({ project_id: w.board.project_id, title: `Task ${n}` })
    const rows = async (...flags: string[]) => {
      const { out } = await cork('tasks', 'list', '--json', ...flags)
      const keys = JSON.parse(out).map((task: { ticket_number: string }) => task.ticket_number)
      expect(new Set(keys).size).toBe(keys.length)
      return keys.length
    }
    expect(await rows()).toBe(20)
    expect(await rows('--limit', '7')).toBe(7)
    expect(await rows('--limit', '61')).toBe(61)
    expect(await rows('--all')).toBe(74)
    expect(await rows('--all', '--offset', '70')).toBe(4)
    expect((await cork('tasks', 'list')).err).toStartWith('20 of 74;')
    expect((await cork('tasks', 'list', '--all')).err).toBe('')
    expect(await cork('tasks', 'list', '--query', 'nowhere')).toEqual({
      code: 0,
      out: '',
      err: 'Nothing to list',
    })
  })

  test('prints the fields of --fields, and a warning to standard error', async () => {
    const { cork } = await adaTerminal()
    const { out } = await cork('tasks', 'list', '--fields', 'title,done', '--query', 'domain')
    expect(out).toBe('TITLE           DONE\nBuy the domain  yes')
    const { err, code } = await cork('tasks', 'list', '--updated-since', 'lately')
    expect([code, err]).toEqual([0, expect.stringMatching(/^Warning: updated_since/)])
  })

  test('accepts boards, columns and tickets as aliases of nouns', async () => {
    const { cork } = await adaTerminal()
    const [original, alias] = [await cork('projects', 'list'), await cork('boards', 'list')]
    expect(alias).toEqual(original)
    expect((await cork('columns', 'list', 'HP')).out).toContain('Review')
    expect((await cork('tickets', 'get', 'HP-1')).out).toContain('Draw the logo')
  })

  test('changes nothing if the request is refused', async () => {
    const { w, cork } = await adaTerminal()
    const before = await w.changeTypes()
    expect((await cork('tasks', 'update', 'HP-1', '--due-date', 'soon')).code).toBe(1)
    expect(await w.changeTypes()).toEqual(before)
  })
})

describe('the help', () => {
  test('of a command shows its usage, its flags and an example', async () => {
    const { cork } = await adaTerminal()
    const { code, out } = await cork('help', 'tasks', 'create')
    expect(code).toBe(0)
    for (const part of [
      'Create a task on a board.\n\nUsage: cork tasks create <project_id> <title> [flags]\n',
      '  <project_id>  Id of a board; a key or title works too\n',
      '  --content-type html|markdown  Format of description; detected if omitted\n',
      '  --description-file FILE       Read it from a file; - is standard input\n',
      "Example:\n  cork tasks create HOM 'Paint the fence' --section Next",
    ])
      expect(out).toContain(part)
    expect(await cork('tasks', 'create', '--help')).toEqual({ code, out, err: '' })
    // An alias of another flag is accepted, but not listed in the help.
    expect((await cork('tasks', 'list', '--help')).out).not.toContain('--sort-by')
    expect((await cork('tasks', 'list', '--sort-by', 'title')).code).toBe(0)
  })

  test('of a noun lists its verbs, and a noun without a verb is wrong usage', async () => {
    const { cork } = await adaTerminal()
    const { out } = await cork('boards', '--help')
    expect(out).toContain('Usage: cork projects <verb>')
    expect(out).toContain('  projects rename <project_id> <title> ')
    expect(await cork('projects')).toEqual({ code: 2, out: '', err: out })
  })

  test('of everything separates commands that call a server from those that run one', async () => {
    const { cork } = await adaTerminal()
    const { out } = await cork('--help')
    const [, remote = '', local = ''] = out.split(/\(talks to a server\)|\(on its machine\)/)
    expect(remote).toMatch(/^ {2}sections +list, get, create, update, delete$/m)
    expect(local).toMatch(/^ {2}serve +Start the server$/m)
    expect(remote).not.toMatch(/^ {2}serve /m)
  })
})

describe('a name instead of an id', () => {
  test('works for boards, columns, people, teams and tasks', async () => {
    const { w, cork } = await adaTerminal()
    const created = await cork(
      ...['tasks', 'create', 'home PAGE', 'Sub', '--section', 'review', '--assignees', 'me,cleo'],
      ...['--parent-task', 'hp-1', '--json'],
    )
    expect([created.code, created.err]).toEqual([0, ''])
    const task = await w.ada['tasks.get']({ ticket_number: JSON.parse(created.out).ticket_number })
    expect(task).toMatchObject({
      project_id: w.board.project_id,
      section_id: w.sections.Review,
      parent_task_id: w.tasks.logo.task_id,
      assignees: [{ name: 'Ada' }, { name: 'Cleo' }],
    })
    expect((await cork('tasks', 'list', '--created-by', 'cleo@example.com')).err).toBe(
      'Nothing to list',
    )
    expect((await cork('teams', 'get', 'HARBOUR')).out).toContain('Harbour')
    const createSection = [
      'sections',
      'create',
      'hp',
      'Ideas',
      '--after-section',
      'Inbox',
      '--json',
    ]
    expect(JSON.parse((await cork(...createSection)).out).position).toBe(1)
  })

  test('works for an archived board', async () => {
    const { cork } = await adaTerminal()
    await cork('projects', 'archive', 'HP')
    expect((await cork('projects', 'archive', 'HP', '--status', 'Normal')).code).toBe(0)
  })

  test('is refused with the available names if it is unknown', async () => {
    const { cork } = await adaTerminal()
    const { code, err } = await cork('tasks', 'update', 'HP-1', '--section', 'Dooing')
    expect([code, err]).toEqual([
      1,
      'There is no column called "Dooing" that you can see; available: Inbox, Next, Doing, Review, Done. List them: cork sections list <project_id>',
    ])
    for (const name of ['zoe', 'Bot'])
      expect((await cork('tasks', 'assign', 'HP-1', '--user', name)).err).toStartWith(
        `There is no person called "${name}" that you can see; available: `,
      )
    expect((await cork('tasks', 'list', '--section-id', 'Next')).err).toContain('--project')
  })

  test('is refused with the matching ids if it is ambiguous', async () => {
    const { w, cork } = await adaTerminal()
    const board = { team_id: w.team_id, title: 'Home page', sections: [{ title: 'Open' }] }
    const { project_id } = await w.ada['projects.create'](board)
    const { code, err } = await cork('projects', 'get', 'Home page')
    expect(code).toBe(1)
    expect(err).toContain(`${w.board.project_id} or ${project_id}`)
  })

  test('of a team can be omitted if the caller is in only one team', async () => {
    const { w, cork } = await adaTerminal()
    expect((await cork('teams', 'members')).out).toContain('Cleo')
    expect((await cork('agents', 'create', 'Helper')).code).toBe(0)
    await w.ada['teams.create']({ name: 'Lighthouse' })
    const { code, err } = await cork('agents', 'create', 'Other')
    expect([code, err]).toEqual([1, expect.stringContaining('choose one with --team, ')])
    expect((await cork('agents', 'create', 'Other', '--team', 'lighthouse')).code).toBe(0)
  })
})
