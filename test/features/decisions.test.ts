import { expect, test } from 'bun:test'
import { decisionRequests, pendingDecisions } from '../../src/features/decision_requests/index.ts'
import { taskById } from '../../src/features/tasks/index.ts'
import { Fault } from '../../src/kernel/fault.ts'
import { refused } from '../refused.ts'
import { type Actor, type World, world } from '../world.ts'

const id = ({ caller }: Actor) => caller.actor_id

/** Creates a decision request by the agent on the logo task, which is assigned to Cleo. */
const asked = (w: World, more: object = {}) =>
  w.bot['decision_requests.create']({
    ...{ task_id: w.tasks.logo.task_id, question: 'Which colour?', options: ['Red', 'Blue'] },
    ...more,
  })

test('a decision request goes to the assignee and shows its answer to every reader', async () => {
  const w = await world()
  const receipt = await asked(w, { note: 'Red is loud.' })
  const { decision_request_id } = receipt
  expect(receipt).toEqual({
    ...{ decision_request_id, ticket_number: 'HP-1', status: 'pending', selected_option: null },
    asked: [{ kind: 'person', user_id: id(w.cleo), name: 'Cleo' }],
  })
  w.clock.pass(60_000)
  const answered = await w.cleo['decision_requests.answer']({
    ...{ decision_request_id, selected_option: 'Blue', note: 'Calmer.' },
  })
  expect(answered).toEqual({
    ...{ decision_request_id, ticket_number: 'HP-1', status: 'answered', selected_option: 'Blue' },
  })
  const read = await w.bot['decision_requests.get']({ decision_request_id })
  expect(read).toEqual({
    ...{ decision_request_id, task_id: w.tasks.logo.task_id, ticket_number: 'HP-1' },
    project_id: w.board.project_id,
    ...{ question: 'Which colour?', options: ['Red', 'Blue'], note: 'Red is loud.' },
    asked: [{ kind: 'person', user_id: id(w.cleo), name: 'Cleo' }],
    ...{ status: 'answered', selected_option: 'Blue', answer_note: 'Calmer.' },
    created_by: { kind: 'agent', agent_id: w.bot.caller.agent_id!, name: 'Bot' },
    created_at: '2026-11-20T12:00:00.000Z',
    closed_by: { kind: 'person', user_id: id(w.cleo), name: 'Cleo' },
    closed_at: '2026-11-20T12:01:00.000Z',
  })
  expect(read).toEqual(await w.ada['decision_requests.get']({ decision_request_id }))
})

test('creating and answering a decision request log a change each, with a shortened question', async () => {
  const w = await world()
  const { decision_request_id } = await asked(w, { question: 'why '.repeat(400) })
  await w.ben['decision_requests.answer']({ decision_request_id, selected_option: 'Red' })
  const told = await w.changes()
  expect(told.map(({ type, task_id, actor_id }) => [type, task_id, actor_id])).toEqual([
    ['decision.requested', w.tasks.logo.task_id, id(w.bot)],
    ['decision.answered', w.tasks.logo.task_id, id(w.ben)],
  ])
  expect(told[0]!.data).toMatchObject({ decision_request_id, asked: [id(w.cleo)] })
  expect(told[1]!.data).toMatchObject({ selected_option: 'Red', asker_id: id(w.bot) })
  for (const { data } of told) expect(String(data.question).length).toBeLessThanOrEqual(200)
})

test('a decision request asks the named people, else assignees, the creator or the agent’s owner', async () => {
  const w = await world()
  const names = async (who: Actor, more: object) =>
    (
      await who['decision_requests.create']({
        ...{ question: 'Ship it?', options: ['Yes', 'No'] },
        ...more,
      })
    ).asked.map(({ name }) => name)
  const { task_id } = w.tasks.logo
  expect(await names(w.bot, { task_id, user_ids: [id(w.ben), id(w.ada), id(w.ben)] })).toEqual([
    ...['Ben', 'Ada'],
  ])
  expect(await names(w.bot, { task_id })).toEqual(['Cleo'])
  // The creator of a request is not asked while there is somebody else to ask.
  expect(await names(w.cleo, { task_id })).toEqual(['Ada'])
  expect(await names(w.bot, { task_id: w.tasks.copy.task_id })).toEqual(['Ada'])
  const { project_id } = w.board
  const own = await w.bot['tasks.create']({ project_id, title: 'Found by the agent' })
  expect(await names(w.bot, { task_id: own.task_id })).toEqual(['Cleo'])
})

test('an answered decision request is final, and a cancelled one cannot be answered', async () => {
  const w = await world()
  const [one, two] = [await asked(w), await asked(w)]
  const first = { decision_request_id: one.decision_request_id }
  await w.cleo['decision_requests.answer']({ ...first, selected_option: 'Red' })
  expect(
    await refused(w.cleo['decision_requests.answer']({ ...first, selected_option: 'Blue' })),
  ).toMatchObject({
    code: 'conflict',
    details: { status: 'answered', selected_option: 'Red' },
  })
  expect(await refused(w.bot['decision_requests.cancel'](first))).toMatchObject({
    code: 'conflict',
  })
  const second = { decision_request_id: two.decision_request_id }
  expect(await w.bot['decision_requests.cancel'](second)).toMatchObject({ status: 'cancelled' })
  expect(
    await refused(w.cleo['decision_requests.answer']({ ...second, selected_option: 'Red' })),
  ).toMatchObject({ code: 'conflict', details: { status: 'cancelled' } })
  expect(await w.ada['decision_requests.get'](first)).toMatchObject({ selected_option: 'Red' })
  expect((await w.emitted()).slice(2)).toEqual(['decision.answered', 'decision.cancelled'])
})

test('of concurrent answers and cancels one succeeds; the others conflict with its status', async () => {
  const w = await world()
  for (let round = 0; round < 5; round++) {
    const { decision_request_id } = await asked(w)
    const ends = await Promise.allSettled([
      w.cleo['decision_requests.answer']({ decision_request_id, selected_option: 'Red' }),
      w.ben['decision_requests.answer']({ decision_request_id, selected_option: 'Blue' }),
      w.bot['decision_requests.cancel']({ decision_request_id }),
    ])
    const lost = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    expect(lost.map((one) => one instanceof Fault && one.code)).toEqual(['conflict', 'conflict'])
    const { status } = await w.ada['decision_requests.get']({ decision_request_id })
    expect(lost.map(({ details }) => details.status)).toEqual([status, status])
  }
  const told = (await w.emitted()).filter((type) => type !== 'decision.requested')
  expect(told).toHaveLength(5)
})

test('only people answer decision requests; only the asker, its owner or a manager cancels them', async () => {
  const w = await world()
  const { decision_request_id } = await asked(w)
  const dora = await w.member(w.team_id, 'Dora', 'member')
  const other = await w.agent(w.team_id, dora, 'Other')
  for (const agent of [w.bot, other])
    expect(
      await refused(
        agent['decision_requests.answer']({ decision_request_id, selected_option: 'Red' }),
      ),
    ).toMatchObject({ code: 'forbidden' })
  for (const who of [dora, other])
    expect(await refused(who['decision_requests.cancel']({ decision_request_id }))).toMatchObject({
      code: 'forbidden',
    })
  // Cleo owns the agent that created the request.
  await w.cleo['decision_requests.cancel']({ decision_request_id })
  const again = await asked(w)
  const given = { decision_request_id: again.decision_request_id }
  expect(await w.ben['decision_requests.cancel'](given)).toMatchObject({ status: 'cancelled' })
})

test('decision requests are filtered by task, board, status and text, and paged newest first', async () => {
  const w = await world()
  const ids: number[] = []
  for (const task of [w.tasks.logo, w.tasks.copy, w.tasks.logo]) {
    w.clock.pass(1000)
    ids.push((await asked(w, { task_id: task.task_id })).decision_request_id)
  }
  await w.cleo['decision_requests.cancel']({ decision_request_id: ids[2]! })
  const listed = async (input: object) =>
    (await w.ada['decision_requests.list'](input)).items.map((one) => one.decision_request_id)
  const [a, b, c] = ids
  expect(await listed({})).toEqual([c!, b!, a!])
  expect(await listed({ project_id: w.board.project_id })).toEqual([c!, b!, a!])
  expect(await listed({ ticket_number: 'HP-1' })).toEqual([c!, a!])
  expect(await listed({ status: 'pending' })).toEqual([b!, a!])
  expect(await listed({ query: 'COLOUR', status: 'cancelled' })).toEqual([c!])
  const first = await w.ada['decision_requests.list']({ limit: 2 })
  expect(first.page).toMatchObject({ total: 3, has_more: true })
  expect(await listed({ limit: 2, cursor: first.page.next_cursor! })).toEqual([a!])
})

test('another team and uninvited guests cannot see, answer or cancel a decision request', async () => {
  const w = await world()
  const { decision_request_id } = await asked(w)
  for (const who of [w.otto, w.gus]) {
    expect((await who['decision_requests.list']({})).page.total).toBe(0)
    for (const call of [
      () => who['decision_requests.get']({ decision_request_id }),
      () => who['decision_requests.answer']({ decision_request_id, selected_option: 'Red' }),
      () => who['decision_requests.cancel']({ decision_request_id }),
    ]) {
      const { code, message } = await refused(call())
      expect(code).toBe('not_found')
      expect(message).not.toContain('HP-')
    }
  }
})

test('the pending decisions of a task include a new request until it is answered', async () => {
  const w = await world()
  const { decision_request_id } = await asked(w)
  const waiting = () =>
    w.store.read(async (tx) => pendingDecisions(tx, (await taskById(tx, w.tasks.logo.task_id))!))
  expect(await waiting()).toMatchObject([{ decision_request_id, question: 'Which colour?' }])
  await w.ada['decision_requests.answer']({ decision_request_id, selected_option: 'Red' })
  expect(await waiting()).toEqual([])
})

test('invalid input for a decision request is refused with its field, and nothing is stored', async () => {
  const w = await world()
  const { decision_request_id } = await asked(w)
  const on = `/api/v1/tasks/HP-1/decision-requests`
  const answer = `/api/v1/decision-requests/${decision_request_id}/answer`
  const options = ['Yes', 'No']
  for (const [path, body, field, code] of [
    [on, { options }, 'question', 'required'],
    [on, { question: ' \n', options }, 'question', 'required'],
    [on, { question: 'x'.repeat(2001), options }, 'question', 'too_long'],
    [on, { question: 'x' }, 'options', 'required'],
    [on, { question: 'x', options: [] }, 'options', 'required'],
    [on, { question: 'x', options: ['Yes'] }, 'options', 'required'],
    [on, { question: 'x', options: ['Yes', ' yes '] }, 'options', 'conflict'],
    [on, { question: 'x', options: ['Yes', ' '] }, 'options', 'required'],
    [on, { question: 'x', options: Array(21).fill('a') }, 'options', 'too_long'],
    [on, { question: 'x', options: ['Yes', 'a\0b'] }, 'options.1', 'invalid_format'],
    [on, { question: 'x', options, user_ids: [id(w.otto)] }, 'user_ids', 'not_found'],
    [on, { question: 'x', options, user_ids: [id(w.bot)] }, 'user_ids', 'not_found'],
    [on, { question: 'x', options, asked: [1] }, 'asked', 'unknown_field'],
    [answer, {}, 'selected_option', 'required'],
    [answer, { selected_option: 'red' }, 'selected_option', 'out_of_range'],
    [answer, { selected_option: 7 }, 'selected_option', 'invalid_type'],
  ] as const) {
    const { status, body: told } = await w.http(w.cleo, 'POST', path, body)
    expect([body, status, told.details?.field, told.details?.code]).toEqual([
      ...[body, 400, field, code],
    ])
  }
  expect(await w.store.read((tx) => tx.select().from(decisionRequests))).toHaveLength(1)
  expect(await w.emitted()).toEqual(['decision.requested'])
})

test('over REST creating a decision request returns 201, and cancelling an answered one 409', async () => {
  const w = await world()
  const body = { question: 'Ship it?', options: ['Yes', 'No'] }
  const made = await w.http(w.bot, 'POST', '/api/v1/tasks/HP-1/decision-requests', body)
  expect([made.status, made.body.data.status]).toEqual([201, 'pending'])
  const path = `/api/v1/decision-requests/${made.body.data.decision_request_id}`
  expect((await w.http(w.cleo, 'GET', path)).body.data).toMatchObject(body)
  const said = await w.http(w.cleo, 'POST', `${path}/answer`, { selected_option: 'No' })
  expect([said.status, said.body.data.selected_option]).toEqual([200, 'No'])
  expect((await w.http(w.cleo, 'POST', `${path}/cancel`)).status).toBe(409)
})
