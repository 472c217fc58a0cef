import { expect, test } from 'bun:test'
import { deactivate } from '../../../../src/features/identity/accounts/model/index.ts'
import { createServer } from '../../../../src/server/app.ts'
import { askToDecide, newestActions } from '../../../support/answers.ts'
import { mentionOf } from '../../../support/emails.ts'
import { type World, world } from '../../../support/world.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://mail.test' }
const JSON_ANSWER = { accept: 'application/json' }
const DAY_MS = 24 * 60 * 60 * 1000

const decisionOf = (w: World, decision_request_id: number) =>
  w.ada['decision_requests.get']({ decision_request_id })

test('a decision request has one action for each option, and its page shows them', async () => {
  const w = await world()
  const { paths, decision_request_id } = await askToDecide(w, w.ben)
  expect(await newestActions(w, w.ben)).toMatchObject([
    { label: 'Yes', post: true },
    { label: 'No', post: true },
  ])
  const page = await w.http(undefined, 'GET', paths[0]!)
  expect(page.status).toBe(200)
  expect(page.text).toContain('Ship it &lt;today&gt;?')
  expect(page.text).toContain('Bot asks you to decide')
  for (const path of paths) expect(page.text).toContain(`<form method="post" action="${path}">`)
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect((await decisionOf(w, decision_request_id)).status).toBe('pending')
})

test('opening the address by GET or HEAD changes nothing, however often', async () => {
  const w = await world()
  const { paths, decision_request_id } = await askToDecide(w, w.ben)
  const before = await w.changeTypes()
  for (const method of ['GET', 'HEAD', 'GET'])
    expect((await w.http(undefined, method, paths[0]!)).status).toBe(200)
  expect((await w.http(undefined, 'GET', paths[0]!, undefined, JSON_ANSWER)).status).toBe(200)
  expect(await w.changeTypes()).toEqual(before)
  expect((await decisionOf(w, decision_request_id)).status).toBe('pending')
})

test('the form answers in the name of its person, and a used link says who answered', async () => {
  const w = await world()
  const { paths, decision_request_id } = await askToDecide(w, w.ben)
  const answered = await w.http(undefined, 'POST', paths[1]!, '', FORM)
  expect([answered.status, answered.text.includes('Your answer was saved.')]).toEqual([200, true])
  expect(await decisionOf(w, decision_request_id)).toMatchObject({
    ...{ status: 'answered', selected_option: 'No' },
    closed_by: { user_id: w.ben.caller.actor_id },
  })
  const again = await w.http(undefined, 'POST', paths[0]!, '', FORM)
  expect(again.status).toBe(409)
  for (const page of [again, await w.http(undefined, 'GET', paths[0]!)]) {
    expect(page.text).toContain('<strong>No</strong>')
    expect(page.text).toMatch(/By Ben, Nov 20, 2026, 1:00\sPM/)
    expect(page.text).not.toContain('<form')
  }
  expect(await newestActions(w, w.ben)).toEqual([])
})

test('of several answers at the same time exactly one wins', async () => {
  const w = await world()
  const { paths } = await askToDecide(w, w.ben)
  const both = [...paths, ...paths]
  const responses = await Promise.all(
    both.map((path) => w.http(undefined, 'POST', path, undefined, JSON_ANSWER)),
  )
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  const winner = responses.find(({ status }) => status === 200)!
  expect(winner.body.data).toMatchObject({ by: 'Ben', ticket_number: w.tasks.copy.ticket_number })
  expect((await w.changeTypes()).filter((type) => type === 'decision.answered')).toHaveLength(1)
  const loser = responses.find(({ status }) => status === 409)!
  expect(loser.body.message).toBe(`Ben answered before: ${winner.body.data.answer}`)
})

test('a link stops working after seven days', async () => {
  const w = await world()
  const { paths, decision_request_id } = await askToDecide(w, w.ben)
  w.clock.advance(7 * DAY_MS - 1000)
  expect((await w.http(undefined, 'GET', paths[0]!)).text).toContain('<form')
  w.clock.advance(1000)
  const page = await w.http(undefined, 'GET', paths[0]!)
  expect(page.text).toContain('This link has expired')
  expect(page.text).not.toContain('<form')
  const refused = await w.http(undefined, 'POST', paths[0]!, undefined, JSON_ANSWER)
  expect([refused.status, refused.body.message]).toEqual([409, 'This link has expired'])
  expect((await decisionOf(w, decision_request_id)).status).toBe('pending')
})

test('a link that is changed in any part is not found', async () => {
  const w = await world()
  const { paths, decision_request_id } = await askToDecide(w, w.ben)
  const [path] = paths as [string]
  const [actor, subject, option, ...rest] = path.slice('/answers/'.length).split('-')
  const forged = [
    [w.ada.caller.actor_id, subject, option, ...rest],
    [actor, 'd2', option, ...rest],
    [actor, subject!.replace('d', 'e'), option, ...rest],
    [actor, subject, '1', ...rest],
    [actor, subject, option, rest[0], '9999999999', ...rest.slice(2)],
    [actor, subject, option, ...rest].slice(0, -1),
    ['x'],
  ].map((parts) => `/answers/${parts.join('-')}`)
  for (const one of [...forged, `${path}0`, `${path}%00`]) {
    expect((await w.http(undefined, 'GET', one)).status).not.toBe(200)
    expect((await w.http(undefined, 'POST', one, '', FORM)).status).not.toBe(200)
  }
  expect((await decisionOf(w, decision_request_id)).status).toBe('pending')
  expect(JSON.stringify(w.logRecords)).not.toContain(path.slice(-20))
})

test('a link of a person who was deactivated or left the team is not found', async () => {
  const w = await world()
  const { paths } = await askToDecide(w, w.ben)
  const cleos = await askToDecide(w, w.cleo)
  await deactivate({ ...w, clock: w.clock.read, server: createServer(w) }, 'ben@example.com')
  const { team_id } = w
  await w.ada['teams.remove_member']({ team_id, user_id: w.cleo.caller.actor_id })
  for (const path of [paths[0]!, cleos.paths[0]!]) {
    expect((await w.http(undefined, 'GET', path)).status).toBe(404)
    expect((await w.http(undefined, 'POST', path, '', FORM)).status).toBe(404)
  }
  expect(await w.changeTypes()).not.toContain('decision.answered')
})

test('an escalation is resolved by its link, and not answered twice', async () => {
  const w = await world()
  const { escalation_id } = await w.bot['escalations.create']({
    task_id: w.tasks.copy.task_id,
    reason: 'The key has expired',
    to_user_id: w.cleo.caller.actor_id,
  })
  const [action] = await newestActions(w, w.cleo)
  expect(action).toMatchObject({ label: 'Resolve', post: true })
  const { pathname } = new URL(action!.url)
  expect((await w.http(undefined, 'GET', pathname)).text).toContain('The key has expired')
  const statuses = await Promise.all(
    [1, 2].map(() => w.http(undefined, 'POST', pathname, undefined, JSON_ANSWER)),
  )
  expect(statuses.map(({ status }) => status).sort()).toEqual([200, 409])
  const list = await w.ada['escalations.list']({ task_id: w.tasks.copy.task_id })
  expect(list.items).toMatchObject([{ escalation_id, state: 'resolved' }])
  const page = await w.http(undefined, 'GET', pathname)
  expect(page.text).toContain('By Cleo,')
})

async function waitingRun(w: World) {
  const { task_id } = w.tasks.copy
  const { run_id } = await w.bot['runs.create']({ task_id })
  await w.bot['comments.add']({ task_id, text: '@Ben Which port?', mentions: [mentionOf(w.ben)] })
  await w.bot['runs.update']({ run_id, state: 'waiting', summary: 'Which port?' })
  const [action] = await newestActions(w, w.ben)
  return { run_id, action: action!, path: new URL(action!.url).pathname }
}

test('a waiting run is answered with a text, which its agent gets as a prompt', async () => {
  const w = await world()
  const { run_id, action, path } = await waitingRun(w)
  expect(action).toEqual({ label: 'Reply', url: expect.any(String) })
  const page = await w.http(undefined, 'GET', path)
  expect(page.text).toContain('Bot is waiting for your answer')
  expect(page.text).toContain('<textarea')
  const empty = await w.http(undefined, 'POST', path, 'text=%20', FORM)
  expect([empty.status, empty.text.includes('Write an answer')]).toEqual([400, true])
  const sent = await w.http(undefined, 'POST', path, 'text=Port+8080', FORM)
  expect(sent.status).toBe(200)
  expect(await w.ada['runs.get']({ run_id })).toMatchObject({
    state: 'queued',
    prompt: 'Port 8080',
  })
  const used = await w.http(undefined, 'GET', path)
  expect(used.text).toContain('<strong>Port 8080</strong>')
  expect(used.text).toContain('By Ben,')
})

test('of two texts for one run at the same time only the first arrives', async () => {
  const w = await world()
  const { run_id, path } = await waitingRun(w)
  const responses = await Promise.all(
    ['8080', '9090', '8080'].map((text) => w.http(undefined, 'POST', path, { text }, JSON_ANSWER)),
  )
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  const { items } = await w.ada['runs.transcript']({ run_id })
  expect(items.filter(({ kind }: { kind: string }) => kind === 'prompt')).toHaveLength(1)
  const late = await w.http(undefined, 'POST', path, { text: 'again' }, JSON_ANSWER)
  expect(late.status).toBe(409)
})

test('a link of a run that is over says so', async () => {
  const w = await world()
  const { run_id, path } = await waitingRun(w)
  await w.bot['runs.update']({ run_id, state: 'done' })
  const page = await w.http(undefined, 'GET', path)
  expect(page.text).toContain('This run is over')
  expect(page.text).not.toContain('<form')
})

test('notifications that ask nothing have no actions', async () => {
  const w = await world()
  await w.ada['comments.add']({
    task_id: w.tasks.copy.task_id,
    text: '@Ben look',
    mentions: [mentionOf(w.ben)],
  })
  expect(await newestActions(w, w.ben)).toEqual([])
})
