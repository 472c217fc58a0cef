import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { members } from '../../../../src/features/identity/teams/model/index.ts'
import {
  codeHost,
  github,
  gitlab,
  MERGE_REQUEST,
  pullUrl,
  SHA,
} from '../../../support/code-host-events.ts'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

/** Lists the pull requests of a task as "number state checks". */
async function pullRequestsOf({ ada }: World, task: { task_id: number }) {
  const { items } = await ada['pull_requests.list'](task)
  return items.map(({ url, state, checks }) => `${url.split('/').at(-1)} ${state} ${checks}`)
}

test('a receiver is created, listed without its secret, and deleted', async () => {
  const w = await world()
  const { project_id } = w.board
  const receiver = await codeHost(w, 'github')
  expect(receiver.url).toBe(`http://localhost/hooks/github/${receiver.receiver_id}`)
  expect(receiver.secret).toMatch(/^whsec_[\w+/]{43}=$/)
  expect(receiver.events).toContain('pull_request')
  const { items } = await w.ada['pull_request_receivers.list']({ project_id })
  expect(items).toMatchObject([{ url: receiver.url, host: 'github', created_by: { name: 'Ada' } }])
  expect(JSON.stringify([items, await w.changes()])).not.toContain(receiver.secret.slice(6, 20))
  const one = { project_id, receiver_id: receiver.receiver_id.toUpperCase() }
  await w.ada['pull_request_receivers.delete'](one)
  expect((await faultOf(w.ada['pull_request_receivers.delete'](one))).code).toBe('not_found')
  expect((await receiver.send('ping', {})).status).toBe(401)
  expect(await w.changeTypes()).toEqual([
    ...['pull_request_receiver.created', 'pull_request_receiver.deleted'],
  ])
})

test('only people who manage a board create receivers for it, at most 20', async () => {
  const w = await world()
  const { project_id } = w.board
  const make = (actor: typeof w.ada) =>
    faultOf(actor['pull_request_receivers.create']({ project_id, host: 'github' }))
  expect((await make(w.cleo)).code).toBe('forbidden')
  expect((await make(w.otto)).code).toBe('not_found')
  for (let i = 0; i < 20; i++)
    await w.ada['pull_request_receivers.create']({ project_id, host: 'gitlab' })
  expect((await make(w.ada)).details.limit).toBe(20)
})

test('a pull request is linked to the tasks whose keys are in its title, branch or body', async () => {
  const w = await world()
  const { send } = await codeHost(w, 'github')
  expect((await send('ping', { zen: 'Keep it logically awesome.' })).body.data).toEqual({
    ...{ event: 'ping', heard: false },
  })
  const answer = await send(
    'pull_request',
    github.pullRequest({
      ...{ title: 'Mend hp-3, not HP-30 or UTF-8', body: 'See also (HP-2).\u0000' },
      head: { ref: 'fix/HP-1-logo', sha: SHA },
    }),
  )
  expect(answer.status).toBe(200)
  expect(answer.body.data.tasks.toSorted()).toEqual(['HP-1', 'HP-2', 'HP-3'])
  for (const task of [w.tasks.logo, w.tasks.copy, w.tasks.link])
    expect(await pullRequestsOf(w, task)).toEqual(['12 open none'])
  expect(await pullRequestsOf(w, w.tasks.domain)).toEqual([])
  const changes = (await w.changes()).filter(({ type }) => type === 'pull_request.created')
  expect(changes.map(({ actor_id }) => actor_id)).toEqual(Array(3).fill(w.ada.caller.actor_id))
})

test('keys of other boards and other teams are not linked', async () => {
  const w = await world()
  const open = (actor: typeof w.ada, team_id: number, title: string) =>
    actor['projects.create']({
      ...{ team_id, title, sections: [{ title: 'Now' }] },
      tasks: [{ title: 'Theirs', section_index: 0 }],
    })
  // Another team has a task with the same key, and this team has another board.
  expect((await open(w.otto, w.otherTeamId, 'Home page')).tasks).toEqual(['HP-1'])
  const [ownTask] = (await open(w.ada, w.team_id, 'Workshop')).tasks
  const { send } = await codeHost(w, 'github')
  const title = `HP-1 ${ownTask} HP-999`
  const { body } = await send('pull_request', github.pullRequest({ title }))
  expect(body.data.tasks).toEqual(['HP-1'])
  expect(await pullRequestsOf(w, w.tasks.logo)).toHaveLength(1)
  for (const [actor, ticket_number] of [
    [w.otto, 'HP-1'],
    [w.ada, ownTask!],
  ] as const)
    expect((await actor['pull_requests.list']({ ticket_number })).items).toEqual([])
})

test('events update the state of a pull request, and older or repeated ones change nothing', async () => {
  const w = await world()
  const { send } = await codeHost(w, 'github')
  const sendEvent = async (state: string, merged: boolean, at: string) => {
    const event = github.pullRequest({ title: 'HP-1', state, merged, updated_at: at })
    expect((await send('pull_request', event)).status).toBe(200)
    return (await pullRequestsOf(w, w.tasks.logo))[0]
  }
  expect(await sendEvent('open', false, '2026-11-20T12:00:00Z')).toBe('12 open none')
  expect(await sendEvent('closed', false, '2026-11-20T12:05:00Z')).toBe('12 closed none')
  const { seq } = (await w.changes()).at(-1)!
  expect(await sendEvent('open', false, '2026-11-20T12:00:00Z')).toBe('12 closed none')
  expect(await sendEvent('closed', false, '2026-11-20T12:05:00Z')).toBe('12 closed none')
  expect(await sendEvent('open', false, '2026-11-20T12:05:00Z')).toBe('12 closed none')
  expect(await w.changeTypes(seq)).toEqual([])
  expect(await sendEvent('open', false, '2026-11-20T12:06:00Z')).toBe('12 open none')
  expect(await sendEvent('closed', true, '2026-11-20T12:07:00Z')).toBe('12 merged none')
})

test('checks of the last commit are combined, in whatever order their events arrive', async () => {
  const w = await world()
  const { send } = await codeHost(w, 'github')
  await send('pull_request', github.pullRequest({ title: 'HP-1' }))
  const checks = async () => (await pullRequestsOf(w, w.tasks.logo))[0]!.split(' ')[2]
  await send('check_run', github.checkRun('build', null))
  expect(await checks()).toBe('pending')
  await send('check_run', github.checkRun('build', 'success'))
  await send('check_run', github.checkRun('build', null))
  expect(await checks()).toBe('passing')
  await send('status', github.status('failure'))
  await send('check_run', github.checkRun('docs', 'skipped'))
  expect(await checks()).toBe('failing')
  await send('status', github.status('pending', { updated_at: '2026-11-20T12:02:00Z' }))
  expect(await checks()).toBe('failing')
  await send('status', github.status('success', { updated_at: '2026-11-20T12:04:00Z' }))
  expect(await checks()).toBe('passing')
  expect(await w.ada['tasks.get'](w.tasks.logo)).toMatchObject({ pr_badge: 'green' })
  const head = { ref: 'x', sha: 'f'.repeat(40) }
  const pushEvent = { title: 'HP-1', head, updated_at: '2026-11-20T12:10:00Z' }
  await send('pull_request', github.pullRequest(pushEvent))
  expect(await checks()).toBe('none')
  await send('check_run', github.checkRun('build', 'failure'))
  expect(await checks()).toBe('none')
})

test('check events update a pull request that a person linked', async () => {
  const w = await world()
  const { send } = await codeHost(w, 'github')
  await w.cleo['pull_requests.create']({ ...w.tasks.copy, url: pullUrl(7) })
  const { body } = await send('check_run', github.checkRun('build', 'timed_out', {}, 7))
  expect(body.data.tasks).toEqual(['HP-2'])
  expect(await pullRequestsOf(w, w.tasks.copy)).toEqual(['7 open failing'])
  const { pull_requests } = github.checkRun('build', 'success', {}, 7).check_run
  const workflow_run = {
    ...{ name: 'CI', head_sha: SHA, status: 'completed', conclusion: 'success', pull_requests },
    updated_at: '2026-11-20T12:09:00Z',
  }
  const suite = { ...workflow_run, name: undefined, conclusion: 'failure' }
  const repository = { html_url: 'https://github.com/acme/site' }
  for (const [event, payload] of [
    ['workflow_run', { workflow_run, repository }],
    ['check_suite', { check_suite: suite, repository }],
  ] as const)
    expect((await send(event, payload)).body.data.tasks).toEqual(['HP-2'])
})

test('a check event of an unlinked pull request logs a warning and is answered with 200', async () => {
  const w = await world()
  const { send } = await codeHost(w, 'github')
  const { seq } = (await w.changes()).at(-1)!
  const answer = await send('check_run', github.checkRun('build', 'failure'))
  expect([answer.status, answer.body.data.tasks]).toEqual([200, []])
  const logRecord = { level: 40, host: 'github', event: 'check_run', urls: [pullUrl()] }
  expect(w.logRecords).toMatchObject([logRecord])
  expect((await send('pull_request', github.pullRequest())).status).toBe(200)
  expect(w.logRecords).toHaveLength(1)
  expect(await w.changeTypes(seq)).toEqual([])
})

describe('GitLab', () => {
  test('merge request and pipeline events update the linked merge request', async () => {
    const w = await world()
    const { send } = await codeHost(w, 'gitlab')
    const response = await send('Merge Request Hook', gitlab.mergeRequest())
    expect(response.body.data.tasks).toEqual(['HP-1'])
    const pipeline = async (status: string, finished_at: string | null = null) => {
      await send('Pipeline Hook', gitlab.pipeline(status, { finished_at }))
      return (await pullRequestsOf(w, w.tasks.logo))[0]
    }
    expect(await pipeline('running')).toBe('3 open pending')
    expect(await pipeline('failed', '2026-11-20 12:04:00 UTC')).toBe('3 open failing')
    expect(await pipeline('running')).toBe('3 open failing')
    expect(await pipeline('success', '2026-11-20 12:06:00 UTC')).toBe('3 open passing')
    const merged = { state: 'merged', updated_at: '2026-11-20T12:07:00Z' }
    await send('Merge Request Hook', gitlab.mergeRequest(merged))
    expect(await pullRequestsOf(w, w.tasks.logo)).toEqual(['3 merged passing'])
    const { items } = await w.ada['pull_requests.list'](w.tasks.logo)
    expect(items[0]).toMatchObject({ url: MERGE_REQUEST, title: 'HP-1: draw it' })
  })

  test('a signature is valid for five minutes; without one the token must match', async () => {
    const w = await world()
    const { path, post, signStandard, secret } = await codeHost(w, 'gitlab')
    const body = JSON.stringify(gitlab.mergeRequest())
    const event = { 'x-gitlab-event': 'Merge Request Hook' }
    const later = (ms: number) => new Date(w.clock.now.getTime() + ms)
    const status = async (headers: object, text = body) =>
      (await post({ ...event, ...headers }, text, path)).status
    expect(await status(signStandard(body))).toBe(200)
    expect(await status(signStandard(body, later(-299_000)))).toBe(200)
    expect(await status(signStandard(body, later(-301_000)))).toBe(401)
    expect(await status(signStandard(body, later(301_000)))).toBe(401)
    expect(await status(signStandard(body), `${body} `)).toBe(401)
    expect(await status({ ...signStandard(body), 'webhook-timestamp': '9e9' })).toBe(401)
    // If a request has a signature, the signature decides and the token is ignored.
    const bad = { 'webhook-signature': 'v1,AAAA', 'x-gitlab-token': secret }
    expect(await status({ ...signStandard(body), ...bad })).toBe(401)
    expect(await status({ 'x-gitlab-token': secret })).toBe(200)
    expect(await status({ 'x-gitlab-token': `${secret} x` })).toBe(401)
    expect(await status({})).toBe(401)
  })
})

test('without the secret every request gets the same 401 and changes nothing', async () => {
  const w = await world()
  const { path, post, sign, receiver_id, secret } = await codeHost(w, 'github')
  const lab = await codeHost(w, 'gitlab')
  const { seq } = (await w.changes()).at(-1)!
  const body = JSON.stringify(github.pullRequest({ title: 'HP-1' }))
  const event = { 'x-github-event': 'pull_request' }
  const signed = { ...event, 'x-hub-signature-256': sign(body) }
  const unknownPath = path.replace(receiver_id, crypto.randomUUID())
  const answers = await Promise.all([
    post(event, body),
    post({ ...event, 'x-hub-signature-256': sign(body, 'guess') }, body),
    post({ ...event, 'x-hub-signature-256': sign(body).toUpperCase() }, body),
    post({ ...event, 'x-hub-signature': `sha1=${'0'.repeat(40)}` }, body),
    post(signed, body.replace('HP-1', 'HP-2')),
    post(signed, body, unknownPath),
    post(signed, body, path.replace(receiver_id, 'x')),
    post(signed, body, path.replace(receiver_id, lab.receiver_id)),
    post({ ...signed, 'x-gitlab-token': secret }, body, path.replace('github', 'gitlab')),
    w.http(w.ada, 'POST', path, body, event),
  ])
  const responses = answers.map(({ status, body: { request_id: _, ...rest } }) => ({
    status,
    ...rest,
  }))
  expect(new Set(responses.map((one) => JSON.stringify(one))).size).toBe(1)
  expect(responses[0]).toMatchObject({ status: 401, error: 'Authentication failed', details: {} })
  expect(await w.changeTypes(seq)).toEqual([])
})

test('malformed and oversized bodies are refused and write nothing; a long title is truncated', async () => {
  const w = await world()
  const { post, sign } = await codeHost(w, 'github')
  const { seq } = (await w.changes()).at(-1)!
  const send = async (body: string, event = 'pull_request') =>
    (await post({ 'x-github-event': event, 'x-hub-signature-256': sign(body) }, body)).status
  const payloadWith = (overrides: Record<string, unknown>) =>
    JSON.stringify(github.pullRequest(overrides))
  expect(await send('x'.repeat(5_000_000))).toBe(413)
  for (const body of ['', '{', '[]', 'null', '7', '{}', '"\\ud800"', '{"pull_request": []}'])
    expect([body, await send(body)]).toEqual([body, 400])
  for (const change of [{ title: 7 }, { head: null }, { html_url: 'javascript:alert(1)' }])
    expect(await send(payloadWith({ title: 'HP-1', ...change }))).toBe(400)
  expect(await send('{', 'constructor')).toBe(200)
  expect(await send('{', '__proto__')).toBe(200)
  expect(await w.changeTypes(seq)).toEqual([])
  const long = { title: `HP-1 ${'x'.repeat(9000)}`, body: 'y'.repeat(200_000), updated_at: 'soon' }
  expect(await send(payloadWith(long))).toBe(200)
  expect((await w.ada['pull_requests.list'](w.tasks.logo)).items[0]?.title).toHaveLength(500)
})

test('an event sent as a form is accepted', async () => {
  const w = await world()
  const { post, sign } = await codeHost(w, 'github')
  const payload = JSON.stringify(github.pullRequest({ title: 'HP-1' }))
  const body = new URLSearchParams({ payload }).toString()
  const headers = { 'x-github-event': 'pull_request', 'x-hub-signature-256': sign(body) }
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await post({ ...headers, ...type }, body)).body.data.tasks).toEqual(['HP-1'])
})

test('a receiver refuses events with 401 once its creator can no longer see the board', async () => {
  const w = await world()
  const { send } = await codeHost(w, 'github', w.ben)
  const event = github.pullRequest({ title: 'HP-1' })
  expect((await send('pull_request', event)).status).toBe(200)
  const one = eq(members.actor_id, w.ben.caller.actor_id)
  await w.store.write((tx) => tx.delete(members).where(one))
  expect((await send('pull_request', event)).status).toBe(401)
})

test('concurrent events of one pull request link it once to each task', async () => {
  const w = await world()
  const { send } = await codeHost(w, 'github')
  const event = github.pullRequest({ title: 'HP-1 HP-2' })
  const answers = await Promise.all(Array.from({ length: 8 }, () => send('pull_request', event)))
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
  for (const task of [w.tasks.logo, w.tasks.copy])
    expect(await pullRequestsOf(w, task)).toHaveLength(1)
})
