import { expect, test } from 'bun:test'
import {
  decisionRequests,
  pendingDecisions,
} from '../../../../src/features/conversation/decision_requests/model/index.ts'
import { taskById } from '../../../../src/features/tasks/tasks/model/index.ts'
import { Fault } from '../../../../src/kernel/fault.ts'
import { faultOf } from '../../../support/faults.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const actorId = ({ caller }: Actor) => caller.actor_id

/** Creates a decision request by the agent on the logo task, which is assigned to Cleo. */
const createRequest = (w: World, overrides: object = {}) =>
  w.bot['decision_requests.create']({
    ...{ task_id: w.tasks.logo.task_id, question: 'Which colour?', options: ['Red', 'Blue'] },
    ...overrides,
  })

test('a decision request goes to the assignee and shows its answer to every reader', async () => {
  const w = await world()
  const receipt = await createRequest(w, { note: 'Red is loud.' })
  const { decision_request_id } = receipt
  expect(receipt).toEqual({
    ...{ decision_request_id, ticket_number: 'HP-1', status: 'pending', selected_option: null },
    asked: [{ kind: 'person', user_id: actorId(w.cleo), name: 'Cleo' }],
  })
  w.clock.advance(60_000)
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
    asked: [{ kind: 'person', user_id: actorId(w.cleo), name: 'Cleo' }],
    ...{ status: 'answered', selected_option: 'Blue', answer_note: 'Calmer.' },
    created_by: { kind: 'agent', agent_id: w.bot.caller.agent_id!, name: 'Bot' },
    created_at: '2026-11-20T12:00:00.000Z',
    closed_by: { kind: 'person', user_id: actorId(w.cleo), name: 'Cleo' },
    closed_at: '2026-11-20T12:01:00.000Z',
  })
  expect(read).toEqual(await w.ada['decision_requests.get']({ decision_request_id }))
})

test('creating and answering a decision request log a change each, with a shortened question', async () => {
  const w = await world()
  const { decision_request_id } = await createRequest(w, { question: 'why '.repeat(400) })
  await w.ben['decision_requests.answer']({ decision_request_id, selected_option: 'Red' })
  const logged = await w.changes()
  expect(logged.map(({ type, task_id, actor_id }) => [type, task_id, actor_id])).toEqual([
    ['decision.requested', w.tasks.logo.task_id, actorId(w.bot)],
    ['decision.answered', w.tasks.logo.task_id, actorId(w.ben)],
  ])
  expect(logged[0]!.data).toMatchObject({ decision_request_id, asked: [actorId(w.cleo)] })
  expect(logged[1]!.data).toMatchObject({ selected_option: 'Red', asker_id: actorId(w.bot) })
  for (const { data } of logged) expect(String(data.question).length).toBeLessThanOrEqual(200)
})

test('a decision request asks the named people, else assignees, the creator or the agent’s owner', async () => {
  const w = await world()
  const names = async (actor: Actor, overrides: object) =>
    (
      await actor['decision_requests.create']({
        ...{ question: 'Ship it?', options: ['Yes', 'No'] },
        ...overrides,
      })
    ).asked.map(({ name }) => name)
  const { task_id } = w.tasks.logo
  expect(
    await names(w.bot, { task_id, user_ids: [actorId(w.ben), actorId(w.ada), actorId(w.ben)] }),
  ).toEqual([...['Ben', 'Ada']])
  expect(await names(w.bot, { task_id })).toEqual(['Cleo'])
  // The creator of a request receives it only if nobody else can.
  expect(await names(w.cleo, { task_id })).toEqual(['Ada'])
  expect(await names(w.bot, { task_id: w.tasks.copy.task_id })).toEqual(['Ada'])
  const { project_id } = w.board
  const agentTask = await w.bot['tasks.create']({ project_id, title: 'Found by the agent' })
  expect(await names(w.bot, { task_id: agentTask.task_id })).toEqual(['Cleo'])
})

test('an answered decision request is final, and a cancelled one cannot be answered', async () => {
  const w = await world()
  const [one, two] = [await createRequest(w), await createRequest(w)]
  const first = { decision_request_id: one.decision_request_id }
  await w.cleo['decision_requests.answer']({ ...first, selected_option: 'Red' })
  expect(
    await faultOf(w.cleo['decision_requests.answer']({ ...first, selected_option: 'Blue' })),
  ).toMatchObject({
    code: 'conflict',
    details: { status: 'answered', selected_option: 'Red' },
  })
  expect(await faultOf(w.bot['decision_requests.cancel'](first))).toMatchObject({
    code: 'conflict',
  })
  const second = { decision_request_id: two.decision_request_id }
  expect(await w.bot['decision_requests.cancel'](second)).toMatchObject({ status: 'cancelled' })
  expect(
    await faultOf(w.cleo['decision_requests.answer']({ ...second, selected_option: 'Red' })),
  ).toMatchObject({ code: 'conflict', details: { status: 'cancelled' } })
  expect(await w.ada['decision_requests.get'](first)).toMatchObject({ selected_option: 'Red' })
  expect((await w.changeTypes()).slice(2)).toEqual(['decision.answered', 'decision.cancelled'])
})

test('of concurrent answers and cancels one succeeds; the others conflict with its status', async () => {
  const w = await world()
  for (let round = 0; round < 5; round++) {
    const { decision_request_id } = await createRequest(w)
    const outcomes = await Promise.allSettled([
      w.cleo['decision_requests.answer']({ decision_request_id, selected_option: 'Red' }),
      w.ben['decision_requests.answer']({ decision_request_id, selected_option: 'Blue' }),
      w.bot['decision_requests.cancel']({ decision_request_id }),
    ])
    const rejections = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason] : [],
    )
    expect(rejections.map((one) => one instanceof Fault && one.code)).toEqual([
      'conflict',
      'conflict',
    ])
    const { status } = await w.ada['decision_requests.get']({ decision_request_id })
    expect(rejections.map(({ details }) => details.status)).toEqual([status, status])
  }
  const logged = (await w.changeTypes()).filter((type) => type !== 'decision.requested')
  expect(logged).toHaveLength(5)
})

test('only people answer decision requests; only the asker, its owner or a manager cancels them', async () => {
  const w = await world()
  const { decision_request_id } = await createRequest(w)
  const dora = await w.addMember(w.team_id, 'Dora', 'member')
  const other = await w.addAgent(w.team_id, dora, 'Other')
  for (const agent of [w.bot, other])
    expect(
      await faultOf(
        agent['decision_requests.answer']({ decision_request_id, selected_option: 'Red' }),
      ),
    ).toMatchObject({ code: 'forbidden' })
  for (const actor of [dora, other])
    expect(await faultOf(actor['decision_requests.cancel']({ decision_request_id }))).toMatchObject(
      {
        code: 'forbidden',
      },
    )
  // Cleo owns the agent that created the request.
  await w.cleo['decision_requests.cancel']({ decision_request_id })
  const again = await createRequest(w)
  const request = { decision_request_id: again.decision_request_id }
  expect(await w.ben['decision_requests.cancel'](request)).toMatchObject({ status: 'cancelled' })
})

test('decision requests are filtered by task, board, status and text, and paged newest first', async () => {
  const w = await world()
  const ids: number[] = []
  for (const task of [w.tasks.logo, w.tasks.copy, w.tasks.logo]) {
    w.clock.advance(1000)
    ids.push((await createRequest(w, { task_id: task.task_id })).decision_request_id)
  }
  await w.cleo['decision_requests.cancel']({ decision_request_id: ids[2]! })
  const idsOf = async (input: object) =>
    (await w.ada['decision_requests.list'](input)).items.map((one) => one.decision_request_id)
  const [a, b, c] = ids
  expect(await idsOf({})).toEqual([c!, b!, a!])
  expect(await idsOf({ project_id: w.board.project_id })).toEqual([c!, b!, a!])
  expect(await idsOf({ ticket_number: 'HP-1' })).toEqual([c!, a!])
  expect(await idsOf({ status: 'pending' })).toEqual([b!, a!])
  expect(await idsOf({ query: 'COLOUR', status: 'cancelled' })).toEqual([c!])
  const first = await w.ada['decision_requests.list']({ limit: 2 })
  expect(first.page).toMatchObject({ total: 3, has_more: true })
  expect(await idsOf({ limit: 2, cursor: first.page.next_cursor! })).toEqual([a!])
})

test('another team and uninvited guests cannot see, answer or cancel a decision request', async () => {
  const w = await world()
  const { decision_request_id } = await createRequest(w)
  for (const actor of [w.otto, w.gus]) {
    expect((await actor['decision_requests.list']({})).page.total).toBe(0)
    for (const call of [
      () => actor['decision_requests.get']({ decision_request_id }),
      () => actor['decision_requests.answer']({ decision_request_id, selected_option: 'Red' }),
      () => actor['decision_requests.cancel']({ decision_request_id }),
    ]) {
      const { code, message } = await faultOf(call())
      expect(code).toBe('not_found')
      expect(message).not.toContain('HP-')
    }
  }
})

test('the pending decisions of a task include a new request until it is answered', async () => {
  const w = await world()
  const { decision_request_id } = await createRequest(w)
  const pending = () =>
    w.store.read(async (tx) => pendingDecisions(tx, (await taskById(tx, w.tasks.logo.task_id))!))
  expect(await pending()).toMatchObject([{ decision_request_id, question: 'Which colour?' }])
  await w.ada['decision_requests.answer']({ decision_request_id, selected_option: 'Red' })
  expect(await pending()).toEqual([])
})

test('invalid input for a decision request is refused with its field, and nothing is stored', async () => {
  const w = await world()
  const { decision_request_id } = await createRequest(w)
  const createPath = `/api/v1/tasks/HP-1/decision-requests`
  const answerPath = `/api/v1/decision-requests/${decision_request_id}/answer`
  const options = ['Yes', 'No']
  for (const [path, body, field, code] of [
    [createPath, { options }, 'question', 'required'],
    [createPath, { question: ' \n', options }, 'question', 'required'],
    [createPath, { question: 'x'.repeat(2001), options }, 'question', 'too_long'],
    [createPath, { question: 'x' }, 'options', 'required'],
    [createPath, { question: 'x', options: [] }, 'options', 'required'],
    [createPath, { question: 'x', options: ['Yes'] }, 'options', 'required'],
    [createPath, { question: 'x', options: ['Yes', ' yes '] }, 'options', 'conflict'],
    [createPath, { question: 'x', options: ['Yes', ' '] }, 'options', 'required'],
    [createPath, { question: 'x', options: Array(21).fill('a') }, 'options', 'too_long'],
    [createPath, { question: 'x', options: ['Yes', 'a\0b'] }, 'options.1', 'invalid_format'],
    [createPath, { question: 'x', options, user_ids: [actorId(w.otto)] }, 'user_ids', 'not_found'],
    [createPath, { question: 'x', options, user_ids: [actorId(w.bot)] }, 'user_ids', 'not_found'],
    [createPath, { question: 'x', options, asked: [1] }, 'asked', 'unknown_field'],
    [answerPath, {}, 'selected_option', 'required'],
    [answerPath, { selected_option: 'red' }, 'selected_option', 'out_of_range'],
    [answerPath, { selected_option: 7 }, 'selected_option', 'invalid_type'],
  ] as const) {
    const { status, body: response } = await w.http(w.cleo, 'POST', path, body)
    expect([body, status, response.details?.field, response.details?.code]).toEqual([
      ...[body, 400, field, code],
    ])
  }
  expect(await w.store.read((tx) => tx.select().from(decisionRequests))).toHaveLength(1)
  expect(await w.changeTypes()).toEqual(['decision.requested'])
})

test('over REST creating a decision request returns 201, and cancelling an answered one 409', async () => {
  const w = await world()
  const body = { question: 'Ship it?', options: ['Yes', 'No'] }
  const created = await w.http(w.bot, 'POST', '/api/v1/tasks/HP-1/decision-requests', body)
  expect([created.status, created.body.data.status]).toEqual([201, 'pending'])
  const path = `/api/v1/decision-requests/${created.body.data.decision_request_id}`
  expect((await w.http(w.cleo, 'GET', path)).body.data).toMatchObject(body)
  const answered = await w.http(w.cleo, 'POST', `${path}/answer`, { selected_option: 'No' })
  expect([answered.status, answered.body.data.selected_option]).toEqual([200, 'No'])
  expect((await w.http(w.cleo, 'POST', `${path}/cancel`)).status).toBe(409)
})
