import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { apiOf } from '../../src/features/code/hosts/model/clients/index.ts'
import { codeHosts } from '../../src/features/code/hosts/model/index.ts'
import { people } from '../../src/features/identity/people/model/index.ts'
import { browserClient } from '../support/browser-client.ts'
import { FakeRepository, serveCodeHost } from '../support/code-host.ts'
import { faultOf } from '../support/faults.ts'
import { scriptedApp } from '../support/scripted-app.ts'
import { type World, world } from '../support/world.ts'
import { issueOpened, sendEvent } from './host-events.ts'
import { type LinkedBoard, tasksOf, workerOf } from './linked-board.ts'

/** Begins the setup of a GitHub App, on a stand-in for a GitHub Enterprise Server. */
async function begunApp() {
  const w = await world()
  w.clock.advance(1000)
  w.config.allowHosts.push('127.0.0.1')
  w.config.url = 'https://cork.example.com'
  const repository = new FakeRepository(w.clock.read)
  const { url } = serveCodeHost('github', repository)
  const app = scriptedApp(repository)
  const { team_id } = w
  const begin = await w.ada['code_hosts.begin_app']({ team_id, url, organization: 'acme' })
  const finish = (code = 'a code', actor: World['ada'] = w.ada) =>
    actor['code_hosts.create_app']({ team_id, setup: begin.setup, code })
  return { w, repository, app, url, begin, finish }
}

/** A board with a repository that is linked through an app, and the worker. */
async function boardWithApp() {
  const parts = await begunApp()
  const { w, repository, app } = parts
  const host = await parts.finish()
  const { project_id } = w.board
  const { host_id } = host
  const link = () => w.ada['repositories.link']({ project_id, host_id, name: 'acme/site' })
  const linked = await link()
  repository.hooks.push({ id: 1, url: parts.begin.webhook!, secret: app.webhookSecret })
  const board: LinkedBoard = { w, repository, host, linked, project_id, ...workerOf(w) }
  return { ...parts, board, host, linked }
}

const PASSWORD = 'correct horse battery'

/** A browser in which Ada is signed in. */
async function signedInBrowser(w: World) {
  const options = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const
  const password_hash = await Bun.password.hash(PASSWORD, options)
  const isAda = eq(people.actor_id, w.ada.caller.actor_id)
  await w.store.write((tx) => tx.update(people).set({ password_hash }).where(isAda))
  const browser = browserClient(w.app)
  await browser.post('/sign-in', { email: 'ada@example.com', password: PASSWORD })
  return browser
}

const titlesOf = async (board: LinkedBoard) => (await tasksOf(board)).map(({ title }) => title)

test('the page of a setup explains each permission and posts the manifest to GitHub', async () => {
  const { w, url, begin } = await begunApp()
  const browser = await signedInBrowser(w)
  const { pathname, search } = new URL(begin.page)
  const { status, text, headers } = await browser.get(pathname + search)
  expect(status).toBe(200)
  expect(text).toContain(`action="${url}/organizations/acme/settings/apps/new?state=`)
  expect(headers.get('content-security-policy')).toContain(`form-action 'self' ${url};`)
  const json = /name="manifest" value="([^"]*)"/.exec(text)![1]!.replaceAll('&quot;', '"')
  const manifest = JSON.parse(json)
  expect(manifest).toMatchObject({
    name: 'Corkboard cork.example.com',
    hook_attributes: { url: begin.webhook, active: true },
    redirect_url: `https://cork.example.com/settings/team/${w.team_id}`,
    public: false,
    default_permissions: { issues: 'write', pull_requests: 'read', metadata: 'read' },
  })
  expect(manifest.default_events).toContain('issue_comment')
  for (const permission of Object.keys(manifest.default_permissions))
    expect(text).toMatch(new RegExp(`<code>${permission}: \\w+</code></dt><dd>\\w`))
})

test('exchanging the code that GitHub returned adds a code host and stores its private key encrypted', async () => {
  const { w, app, url, finish } = await begunApp()
  const host = await finish()
  expect(host).toMatchObject({
    ...{ kind: 'github', url, login: 'corkboard[bot]' },
    app_url: `${url}/github-apps/corkboard`,
  })
  const rows = await w.store.read((tx) => tx.select().from(codeHosts))
  const dump = JSON.stringify([await w.changes(), rows])
  expect(dump).not.toContain('PRIVATE KEY')
  expect(dump).not.toContain(app.webhookSecret)
})

test('a code works once, for the person who began, within an hour', async () => {
  const { w, finish } = await begunApp()
  expect(await faultOf(finish('another code'))).toMatchObject({
    ...{ code: 'invalid', message: 'GitHub does not know this code' },
    hint: 'A code works once and for one hour. Create the app again',
  })
  expect(await faultOf(finish('a code', w.ben))).toMatchObject({
    message: 'Somebody else began this setup',
  })
  w.clock.advance(61 * 60_000)
  expect(await faultOf(finish())).toMatchObject({ message: 'The setup of the app has expired' })
  const { team_id } = w
  expect((await w.ada['code_hosts.list']({ team_id })).items).toEqual([])
})

test('a repository is synchronized with short-lived tokens of the app, which are used until shortly before they expire', async () => {
  const { board, app, linked, repository } = await boardWithApp()
  expect(linked).toMatchObject({ webhook: null, has_webhook: true })
  repository.open(repository.addUser('olga', false), 'The gate squeaks')
  await board.sweep()
  await board.sweep()
  expect(await titlesOf(board)).toContain('The gate squeaks')
  expect(app.issued).toBe(1)
  expect(repository.hooks).toHaveLength(1)
  expect(board.errors).toEqual([])
})

test('a token that is about to expire is renewed', async () => {
  const { w, app, finish } = await begunApp()
  app.lifetime = 9 * 60_000
  const { host_id } = await finish()
  const link = { project_id: w.board.project_id, host_id, name: 'acme/site' }
  const { repository_id } = await w.ada['repositories.link'](link)
  const before = app.issued
  const { project_id } = link
  await faultOf(w.ada['repositories.release_notes']({ project_id, repository_id }))
  expect(app.issued).toBe(before + 1)
})

test('a token that GitHub no longer accepts is replaced at the next request', async () => {
  const { w, board, app, repository, linked } = await boardWithApp()
  const { project_id } = board
  const { repository_id } = linked
  const notes = () => w.ada['repositories.release_notes']({ project_id, repository_id })
  repository.token = 'of an app that was installed again'
  expect(await faultOf(notes())).toMatchObject({ message: expect.stringContaining('token') })
  expect(app.issued).toBe(1)
  await faultOf(notes())
  expect(app.issued).toBe(2)
  expect(repository.token).toBe('ghs_2')
})

test('the webhook of the app delivers events to the boards that link their repository', async () => {
  const { w, board, repository, app } = await boardWithApp()
  await board.sync()
  const issue = repository.open(repository.addUser('gerda', true), 'It creaks')
  const event = issueOpened('github', issue)
  const forged = await sendEvent(board, 'github', event, 'guess')
  expect(forged.status).toBe(401)
  const other = { ...event.payload, repository: { full_name: 'acme/other' } }
  const unlinked = await sendEvent(board, 'github', { ...event, payload: other })
  expect(unlinked.body.data).toMatchObject({ heard: false })
  const taken = await sendEvent(board, 'github', event)
  expect(taken.body.data).toMatchObject({ heard: true })
  await board.sync()
  expect(await titlesOf(board)).toContain('It creaks')
  const { items } = await w.ada['repositories.list']({ project_id: board.project_id })
  expect(items[0]!.event_at).not.toBeNull()
  expect(app.issued).toBe(1)
})

test('without an installation or a permission, the error names the next step', async () => {
  const { w, app, url, finish } = await begunApp()
  const { host_id } = await finish()
  const { project_id } = w.board
  const link = () => faultOf(w.ada['repositories.link']({ project_id, host_id, name: 'acme/site' }))
  app.isInstalled = false
  expect(await link()).toMatchObject({
    message:
      'The app is not installed on acme/site. ' +
      `Install it: ${url}/github-apps/corkboard/installations/new`,
  })
  app.isInstalled = true
  app.permissions = { contents: 'read', issues: 'read' }
  expect(await link()).toMatchObject({
    ...{ message: 'The token of corkboard[bot] may not write to acme/site' },
    hint: 'It needs: Issues: write',
  })
  const replaced = w.ada['code_hosts.update']({ host_id, token: 'a token' })
  expect(await faultOf(replaced)).toMatchObject({ code: 'conflict' })
})

test('the API of GitHub is elsewhere than that of a GitHub Enterprise Server', () => {
  expect(apiOf('github', 'https://github.com')).toBe('https://api.github.com')
  expect(apiOf('github', 'https://git.acme.example')).toBe('https://git.acme.example/api/v3')
})
