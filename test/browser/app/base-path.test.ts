import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type BoardServer, startBoardServer } from '../../binary/board-server.ts'
import { type PathProxyKind, startPathProxy } from '../../binary/path-proxy.ts'
import { expectEventually } from '../../support/wait.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { cardOf, columnOf } from './boards.ts'

const PASSWORD = 'correct horse battery'
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function signIn(page: Page, url: string) {
  await page.goto(`${url}/`)
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${url}/projects/*`)
}

for (const kind of ['keeps', 'strips'] satisfies PathProxyKind[])
  describe.skipIf(isBrowserSkipped)(`behind a proxy that ${kind} the path of the server`, () => {
    let proxy: ReturnType<typeof startPathProxy>
    let app: WebApp
    let other: BoardServer
    beforeAll(async () => {
      proxy = startPathProxy(kind, ['/board', '/teams/other'])
      const { env, args } = proxy.serverFor('/board')
      app = await openWebApp(env, [], args)
      const another = proxy.serverFor('/teams/other')
      other = await startBoardServer(another.env, [], another.args)
    })
    afterAll(async () => {
      await app?.close()
      await other?.close()
      proxy?.stop()
    })

    test('a person signs in, creates a task, sees live changes and reloads a task', async () => {
      const { page, problems } = await app.openSession({ signedOut: true })
      await signIn(page, app.url)
      await columnOf(page, 'To do').waitFor()
      expect(page.url()).toBe(`${app.url}/projects/${app.project_id}`)
      await page.keyboard.press('c')
      await page.getByRole('textbox', { name: 'New task in To do' }).waitFor()
      await page.keyboard.type('Paint the fence')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      await cardOf(page, 'Paint the fence').waitFor()
      const { ticket_number } = await app.createTask({ title: 'Mow the lawn' })
      await cardOf(page, 'Mow the lawn').waitFor()
      await page.goto(`${app.url}/t/${ticket_number}`)
      await page.reload()
      await page.getByRole('textbox', { name: 'Title' }).waitFor()
      await page.getByRole('link', { name: 'Home', exact: true }).first().click()
      await cardOf(page, 'Mow the lawn').waitFor()
      expect(page.url()).toBe(`${app.url}/projects/${app.project_id}`)
      expect(problems).toEqual([])
    })

    test('a file is uploaded, shown in a text and opened', async () => {
      const { ticket_number } = await app.createTask({ title: 'Pictures' })
      const { page, problems, go } = await app.openSession()
      await go(`/t/${ticket_number}`)
      await page
        .getByLabel('Attach a file')
        .first()
        .setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: PICTURE })
      const link = page.getByRole('link', { name: /dot\.png/ }).first()
      await link.waitFor()
      const address = await link.evaluate((element) => (element as HTMLAnchorElement).href)
      expect(address).toMatch(new RegExp(`^${app.url}/api/v1/attachments/\\d+/content$`))
      expect((await page.request.get(address)).headers()['content-type']).toBe('image/png')
      const path = address.slice(app.url.length)
      const description = `<p><img src="${path}" alt="A dot"> <a href="/t/${ticket_number}">It</a></p>`
      await app.http('PATCH', `/api/v1/tasks/${ticket_number}`, { body: { description } })
      const picture = page.getByRole('img', { name: 'A dot' })
      await expectEventually(() => picture.getAttribute('src'), `/board${path}`)
      const reference = page.getByRole('link', { name: 'It', exact: true })
      expect(await reference.getAttribute('href')).toBe(`/board/t/${ticket_number}`)
      expect(problems).toEqual([])
    })

    test('every kind of page loads without a request outside the path', async () => {
      const { page, problems } = await app.openSession()
      const paths = [
        '/my',
        '/inbox',
        '/settings/profile',
        '/reports',
        '/docs',
        '/docs/manual/start',
      ]
      for (const path of [...paths, '/agents', '/archive', '/search?q=fence']) {
        await page.goto(app.url + path)
        await page.getByRole('main').first().waitFor()
        expect(new URL(page.url()).pathname).toBe(new URL(app.url + path).pathname)
      }
      await page.goto(`${app.url}/settings/appearance`)
      await page.getByRole('radio', { name: 'Dark' }).click()
      const theme = (await page.context().cookies()).find(({ name }) => name === 'theme')
      expect(theme).toMatchObject({ value: 'dark', path: '/board' })
      expect(problems).toEqual([])
    })

    test('files are read by the worker of the import', async () => {
      const { page, problems, go } = await app.openSession()
      await go('/import')
      await page.getByRole('button', { name: 'CSV' }).click()
      const csv = { name: 'tasks.csv', mimeType: 'text/csv', buffer: Buffer.from('Title\nPaint\n') }
      await page.locator('input[type=file]').first().setInputFiles(csv)
      await page
        .getByText(/1 task/)
        .first()
        .waitFor()
      expect(problems).toEqual([])
    })

    test('sessions of two servers on one host do not collide', async () => {
      const { page, context } = await app.openSession({ signedOut: true })
      await signIn(page, app.url)
      await signIn(page, other.url)
      const paths = (await context.cookies())
        .filter(({ name }) => name === 'cork_session')
        .map(({ path }) => path)
      expect(paths.sort()).toEqual(['/board', '/teams/other'])
      await page.goto(`${app.url}/projects/${app.project_id}`)
      await columnOf(page, 'To do').waitFor()
      await page.evaluate((base) => {
        const form = document.createElement('form')
        Object.assign(form, { method: 'post', action: `${base}/sign-out` })
        document.body.append(form)
        form.submit()
      }, app.url)
      await page.getByLabel('Password').waitFor()
      expect(page.url()).toBe(`${app.url}/sign-in`)
      await page.goto(`${other.url}/projects/${other.project_id}`)
      await columnOf(page, 'To do').waitFor()
    })
  })
