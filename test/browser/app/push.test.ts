import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Worker } from 'playwright-core'
import { expectEventually, waitUntil } from '../../support/wait.ts'
import { accessibilityIssues } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

interface Published {
  title: string
  message: string
  actions: { label: string; url: string }[]
}

/** Receives what the server publishes to ntfy, with the signed addresses of the answers. */
function startNtfy() {
  const published: Published[] = []
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    async fetch(request) {
      published.push((await request.json()) as Published)
      return Response.json({ id: 'x' })
    },
  })
  return { published, url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}

interface Shown {
  title: string
  body: string
  actions: { action: string; title: string }[]
  data: unknown
}

/** What the worker uses of its scope, and what the tests record there. */
interface Scope {
  shown: Shown[]
  registration: { showNotification(title: string, options: object): Promise<void> }
  ExtendableEvent: new (type: string) => Event
}

/** The browser of the tests shows no notifications, so they are recorded instead. */
const recordNotifications = (worker: Worker) =>
  worker.evaluate(() => {
    const scope = globalThis as unknown as Scope
    scope.shown = []
    scope.registration.showNotification = async (title, options) => {
      scope.shown.push({ title, ...options } as Shown)
    }
  })

const shownBy = (worker: Worker) => worker.evaluate(() => (globalThis as unknown as Scope).shown)

/** Presses a button of the newest notification, or the notification itself. */
const click = (worker: Worker, action: string) =>
  worker.evaluate((pressed) => {
    const { shown, ExtendableEvent } = globalThis as unknown as Scope
    const notification = { close: () => void shown.pop(), data: shown.at(-1)!.data }
    const event = new ExtendableEvent('notificationclick')
    dispatchEvent(Object.assign(event, { notification, action: pressed }))
  }, action)

describe.skipIf(isBrowserSkipped)('push messages in the browser', () => {
  let app: WebApp
  let ada: BrowserSession
  let ntfy: ReturnType<typeof startNtfy>
  let bot: Awaited<ReturnType<WebApp['connectAgent']>>
  let worker: Worker
  beforeAll(async () => {
    ntfy = startNtfy()
    app = await openWebApp({ CORK_ALLOW_HOSTS: '127.0.0.1' })
    bot = await app.connectAgent('Scout')
    await app.http('POST', '/api/v1/channels', {
      body: { kind: 'ntfy', url: ntfy.url, topic: 'lantern' },
    })
    ada = await app.openSession({ serviceWorker: true })
    await ada.context.grantPermissions(['notifications'])
    await ada.go('/inbox')
    await waitUntil(() => ada.context.serviceWorkers().length > 0)
    worker = ada.context.serviceWorkers()[0]!
    await recordNotifications(worker)
    await expectEventually(
      () => ada.page.evaluate(() => navigator.serviceWorker.controller !== null),
      true,
    )
  })
  afterAll(async () => {
    await app?.close()
    ntfy?.stop()
  })

  /** Scout asks Ada to decide. Returns the request, and what reached her phone. */
  async function ask(question: string, options = ['Yes', 'No']) {
    const { task_id } = await bot.callTool('svc_tasks', 'create', {
      ...{ project_id: app.project_id, title: question },
    })
    const { decision_request_id } = await bot.callTool('svc_decision_requests', 'create', {
      ...{ task_id, question, options },
    })
    const find = () => ntfy.published.find(({ message }) => message.includes(question))
    await waitUntil(() => find() !== undefined)
    return { decision_request_id: decision_request_id as number, published: find()! }
  }

  const fetchDecision = (decision_request_id: number) =>
    bot.callTool('svc_decision_requests', 'get', { decision_request_id })

  /** Delivers a message as the push service of the browser does. */
  async function deliver(message: object) {
    const devtools = await ada.context.newCDPSession(ada.page)
    const registrations = Promise.withResolvers<string>()
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: all }) => {
      if (all[0]) registrations.resolve(all[0].registrationId)
    })
    await devtools.send('ServiceWorker.enable')
    await devtools.send('ServiceWorker.deliverPushMessage', {
      origin: app.url,
      registrationId: await registrations.promise,
      data: JSON.stringify(message),
    })
    await devtools.detach()
  }

  const shownTitles = async () => (await shownBy(worker)).map(({ title }) => title)

  /** Without a badge: the browser of the tests has no icon for it. */
  const messageOf = ({ title, message, actions }: Published) => ({
    ...{ title, body: message, url: `${app.url}/inbox`, tag: 'msg_1', important: true },
    actions: actions.map(({ label, url }) => ({ label, url, post: true })),
  })

  test('a button of a notification answers the decision request without opening a page', async () => {
    const { decision_request_id, published } = await ask('Ship it today?')
    expect(published.actions.map(({ label }) => label)).toEqual(['Yes', 'No'])
    await deliver(messageOf(published))
    await expectEventually(shownTitles, ['Scout asks you to decide'])
    const pages = ada.context.pages().length
    await click(worker, '1')
    await expectEventually(
      async () => (await fetchDecision(decision_request_id)).selected_option,
      'No',
    )
    await expectEventually(shownTitles, [])
    expect(ada.context.pages()).toHaveLength(pages)
  })

  test('a button that comes too late shows who answered what', async () => {
    const { decision_request_id, published } = await ask('Ship it tomorrow?')
    await deliver(messageOf(published))
    await expectEventually(shownTitles, ['Scout asks you to decide'])
    await app.http('POST', `/api/v1/decision-requests/${decision_request_id}/answer`, {
      body: { selected_option: 'Yes' },
    })
    await click(worker, '1')
    await expectEventually(
      async () => (await shownBy(worker)).map(({ body }) => body),
      ['Ada answered before: Yes'],
    )
    expect((await fetchDecision(decision_request_id)).selected_option).toBe('Yes')
  })

  test('a notification with more options than buttons opens the page with all of them', async () => {
    const { published, decision_request_id } = await ask('Which one?', ['A', 'B', 'C', 'D'])
    await recordNotifications(worker)
    const [first] = published.actions
    const options = ['A', 'B', 'C', 'D'].map((label) => ({ label, url: first!.url, post: true }))
    await deliver({ ...messageOf(published), actions: options })
    await expectEventually(shownTitles, ['Scout asks you to decide'])
    expect((await shownBy(worker))[0]!.actions).toEqual([])
    await ada.page.goto(first!.url)
    await ada.page.getByRole('heading', { name: 'Scout asks you to decide' }).waitFor()
    expect(await ada.page.getByRole('button').allTextContents()).toEqual(['A', 'B', 'C', 'D'])
    await ada.page.getByRole('button', { name: 'C' }).click()
    await ada.page.getByText('Your answer was saved.').waitFor()
    expect((await fetchDecision(decision_request_id)).selected_option).toBe('C')
    expect(ada.problems).toEqual([])
  })
  test('a run that waits is answered on the linked page, and goes on', async () => {
    const { task_id } = await app.createTask({ title: 'Compare the tents' })
    const { agent_id } = bot
    const started = await app.http('POST', `/api/v1/tasks/${task_id}/runs`, { body: { agent_id } })
    const { run_id } = started.body.data
    const path = `/api/v1/runs/${run_id}`
    await bot.rest('PATCH', path, { state: 'running' })
    await bot.rest('PATCH', path, { state: 'waiting', summary: 'In the wind or in the rain?' })
    const find = () => ntfy.published.find(({ message }) => message.includes('in the rain?'))
    await waitUntil(() => find() !== undefined)
    const [reply, ...others] = find()!.actions
    expect([reply!.label, others]).toEqual(['Reply', []])
    const { page } = await app.openSession({ signedOut: true, touch: true, width: 390 })
    await page.goto(reply!.url)
    await page.getByRole('heading', { name: 'Scout is waiting for your answer' }).waitFor()
    await page.getByText('In the wind or in the rain?').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.getByLabel('Your reply').fill('In the wind')
    await page.getByRole('button', { name: 'Reply' }).click()
    await page.getByText('Your answer was saved.').waitFor()
    const { data: messages } = await bot.rest('GET', '/api/v1/agents/self/messages')
    const prompted = messages.filter(({ type }: { type: string }) => type === 'run.prompted')
    expect(prompted).toMatchObject([{ data: { run_id, prompt: 'In the wind' } }])
    await bot.rest('PATCH', path, { state: 'running' })
    await ada.go(`/runs/${run_id}`)
    await ada.page.getByRole('status').getByText('Running').waitFor()
    await ada.page.getByRole('region', { name: 'Transcript' }).getByText('In the wind').waitFor()
    // A link answers once.
    await page.goto(reply!.url)
    await page.getByRole('heading', { name: 'Answered' }).waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
  })
})
