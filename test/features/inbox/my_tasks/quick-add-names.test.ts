import { expect, test } from 'bun:test'
import { type Actor, type World, world } from '../../../support/world.ts'

interface Answer {
  data: {
    understood: { title: string; project_title: string; labels: string[]; assignees: Named[] }
  }
  warnings?: { code: string; message: string }[]
}
interface Named {
  name: string
}

/** Returns how a line on the board Home page is understood, with its warnings. */
async function typed(w: World, title: string, actor: Actor = w.cleo) {
  const body = { title, project_id: w.board.project_id, natural: true, dry_run: true }
  const { data, warnings = [] } = (await w.http(actor, 'POST', '/api/v1/my-tasks', body))
    .body as Answer
  const { labels, assignees, project_title } = data.understood
  return {
    ...{ title: data.understood.title, project_title, labels, warnings },
    names: assignees.map(({ name }) => name),
  }
}

const board = (w: World, title: string) =>
  w.ada['projects.create']({ team_id: w.team_id, title, sections: [{ title: 'To do' }] })

test('a name that is only the start of a longer word stays in the title with a warning', async () => {
  const w = await world()
  await board(w, 'Home')
  for (const line of [
    ...['Fix #bug-fix', 'Fix #bug-', "Fix #bug's", 'Fix #bugs', 'Fix #bug.js', 'Fix #bug/ui'],
    ...['Plan #home-improvement', 'Plan #home-', 'Plan #home’s', 'Plan #home:2'],
    ...["Call @ben's mum", 'Call @ben’s mum', 'Watch @ben-hur', 'Mail @ben.smith', 'Call @ben-'],
  ]) {
    const { title, labels, names, project_title, warnings } = await typed(w, line)
    expect({ title, labels, names, project_title }).toEqual({
      ...{ title: line, labels: [], names: ['Cleo'], project_title: 'Home page' },
    })
    expect(warnings).toMatchObject([{ code: 'not_found' }])
  }
  expect(await typed(w, 'Fix #bug @ben: now')).toMatchObject({
    ...{ title: 'Fix: now', labels: ['bug'], names: ['Ben'], warnings: [] },
  })
})

test('the task key of a visible board after # stays in the title without a warning', async () => {
  const w = await world()
  await board(w, 'Home')
  for (const line of ['See #HP-12', 'See #hp-12 again', 'See #HOM-1.', 'See (#HOM-7)'])
    expect(await typed(w, line)).toMatchObject({
      ...{ title: line, project_title: 'Home page', warnings: [] },
    })
  expect((await typed(w, 'See #abc-12')).warnings).toMatchObject([{ code: 'not_found' }])
})

test('an agent is assigned by name by its owner, by an admin and by itself', async () => {
  const w = await world()
  for (const actor of [w.cleo, w.ada, w.bot])
    expect(await typed(w, 'Ask @BOT now', actor)).toMatchObject({
      ...{ title: 'Ask now', names: ['Bot'], warnings: [] },
    })
  expect(await typed(w, 'Ask @me now', w.bot)).toMatchObject({ title: 'Ask now', names: ['Bot'] })
  const { project_id } = w.board
  const line = { title: 'Ask @bot @ada', project_id, natural: true }
  const { task_id } = (await w.cleo['my_tasks.add'](line)) as unknown as { task_id: number }
  expect((await w.cleo['tasks.get']({ task_id })) as object).toMatchObject({
    title: 'Ask',
    assignees: [{ name: 'Ada' }, { kind: 'agent', name: 'Bot' }],
  })
})

test('an agent the caller may not assign and an ambiguous name stay in the title with a warning', async () => {
  const w = await world()
  const { team_id } = w
  await w.ada['agents.create']({ name: 'Scout', team_id })
  await w.ada['agents.create']({ name: 'Benno', team_id })
  // A person may take the name of an agent, but an agent cannot take the name of a person.
  await w.ben['user_context.update_profile']({ display_name: 'Benno' })
  for (const actor of [w.cleo, w.bot]) {
    const { title, warnings } = await typed(w, 'Ask @scout', actor)
    expect([title, ...warnings.map(({ code }) => code)]).toEqual(['Ask @scout', 'forbidden'])
  }
  expect((await typed(w, 'Ask @scout', w.ben)).names).toEqual(['Scout'])
  const two = await typed(w, 'Ask @benno')
  expect(two).toMatchObject({ title: 'Ask @benno', warnings: [{ code: 'ambiguous' }] })
  expect(two.warnings[0]!.message).toMatch(/Benno \(user_id \d+\), Benno \(agent [0-9a-f-]{36}\)/)
})
