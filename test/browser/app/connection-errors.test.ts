import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { onPostgres } from '../../support/postgres.ts'
import { waitUntil } from '../../support/wait.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

/** Messages that a browser logs when a server is unreachable or refuses a request. */
const EXPECTED_ERRORS =
  /ERR_CONNECTION|ERR_INTERNET|ERR_EMPTY|ERR_INCOMPLETE|ERR_NETWORK|Failed to load/
/** Ignores SIGXFSZ, so that a file that cannot grow fails a write and does not end the server. */
const IGNORE_FILE_SIZE_SIGNAL = ['sh', '-c', 'trap "" XFSZ; exec "$@"', 'sh']

describe.skipIf(isBrowserSkipped)('the web app without a working server or session', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp({}, IGNORE_FILE_SIZE_SIGNAL)
  })
  afterAll(() => app?.close())
  afterEach(async () => {
    // A file limit of a failed test must not affect the next test.
    app.limitFileSize('unlimited')
    for (const context of app.browser.contexts()) await context.close()
  })

  const openBoard = async () => {
    const session = await app.openSession({ ignoredMessages: EXPECTED_ERRORS })
    await session.go(`/projects/${app.project_id}`)
    await session.page.getByRole('button', { name: 'Add a task to To do' }).waitFor()
    return { ...session, ...addTaskControls(session.page) }
  }
  const fetchTitles = async () => {
    const { body } = await app.http('GET', `/api/v1/tasks?project_id=${app.project_id}&limit=50`)
    return body.data.map(({ title }: { title: string }) => title) as string[]
  }
  const countOf = async (title: string) =>
    (await fetchTitles()).filter((session) => session === title).length

  test('keeps changes made after a crash of the server, and sends each once when it is back', async () => {
    const { page, problems, add, banner } = await openBoard()
    await add('Before the crash')
    await page
      .getByRole('link', { name: /^HOM-\d+/ })
      .or(page.getByText('HOM-'))
      .first()
      .waitFor()
    await app.kill()
    await add('While it was away')
    await add('And one more')
    await banner.getByText('2 unsaved changes').waitFor()
    await page.getByText('And one more').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await app.restart()
    await banner.getByRole('button', { name: 'Retry now' }).click()
    await banner.waitFor({ state: 'hidden' })
    const titles = await fetchTitles()
    expect(titles.indexOf('While it was away')).toBeGreaterThan(-1)
    expect([await countOf('While it was away'), await countOf('And one more')]).toEqual([1, 1])
    expect(problems).toEqual([])
  })

  test('shows an unsaved change while the server hangs, and sends it only once', async () => {
    const { problems, add, openField, banner } = await openBoard()
    // The code of the field is loaded while the server still answers.
    await openField()
    app.sendSignal('SIGSTOP')
    await add('To a server that hangs')
    await banner.getByText('1 unsaved change').waitFor()
    app.sendSignal('SIGCONT')
    await banner.waitFor({ state: 'hidden' })
    expect(await countOf('To a server that hangs')).toBe(1)
    expect(problems).toEqual([])
  })

  test('reports a lost network, and keeps unsaved changes and typed text over a reload', async () => {
    const { page, context, problems, add, openField, field, banner } = await openBoard()
    await openField()
    await context.setOffline(true)
    await banner.getByText('Not connected').waitFor()
    await add('Typed without a network')
    await banner.getByText('1 unsaved change').waitFor()
    await field.fill('Not even sent')
    let hasAskedToLeave = false
    page.once('dialog', (dialog) => {
      hasAskedToLeave = dialog.type() === 'beforeunload'
      void dialog.accept()
    })
    // Creating tasks still fails, so the pending change is not sent before the reload.
    await context.route('**/api/v1/tasks', (route) => route.abort())
    await context.setOffline(false)
    await page.reload()
    expect(hasAskedToLeave).toBe(true)
    await page.getByRole('button', { name: 'Add a task to To do' }).waitFor()
    expect(await countOf('Typed without a network')).toBe(0)
    await context.unroute('**/api/v1/tasks')
    await page.getByText('Saved the changes from before the reload').waitFor()
    await page.getByText('Typed without a network').waitFor()
    expect(await countOf('Typed without a network')).toBe(1)
    await page.getByRole('button', { name: 'Add a task to To do' }).click()
    expect(await field.inputValue()).toBe('Not even sent')
    expect(problems).toEqual([])
  })

  test('sends a comment that was pending before a reload only once, and keeps no draft of it', async () => {
    const { task_id, ticket_number } = await app.createTask({ title: 'Talk about it' })
    const { page, context, problems, banner, go } = await openBoard()
    await go(`/t/${ticket_number}`)
    await page.locator('.composer textarea, .composer .code').first().click()
    await page.keyboard.type('Said on the way out')
    await context.setOffline(true)
    await page.keyboard.press('Control+Enter')
    await banner.getByText('1 unsaved change').waitFor()
    await context.route('**/comments', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    page.once('dialog', (dialog) => void dialog.accept())
    await context.setOffline(false)
    await page.reload()
    await page.locator('.composer textarea, .composer .code').first().waitFor()
    const comment = page.getByText('Said on the way out')
    expect(await comment.count()).toBe(0)
    await context.unroute('**/comments')
    await page.getByText('Saved the changes from before the reload').waitFor()
    await comment.waitFor()
    await page.reload()
    await comment.waitFor()
    expect(await comment.count()).toBe(1)
    const { body } = await app.http('GET', `/api/v1/tasks/${task_id}/comments`)
    expect(body.data.length).toBe(1)
    const drafts = () => Object.keys(localStorage).filter((session) => session.startsWith('draft:'))
    expect(await page.evaluate(drafts)).toEqual([])
    expect(problems).toEqual([])
  })

  test('discards a pending change on request, and restores its text to the field', async () => {
    const { page, context, problems, add, openField, field, banner } = await openBoard()
    await openField()
    await context.setOffline(true)
    await add('Never mind')
    await banner.getByRole('button', { name: 'Discard' }).click()
    await page.getByText(/^“Never mind” was not added/).waitFor()
    expect(await field.inputValue()).toBe('Never mind')
    await context.setOffline(false)
    await banner.waitFor({ state: 'hidden' })
    expect(await countOf('Never mind')).toBe(0)
    expect(problems).toEqual([])
  })

  test.skipIf(onPostgres)(
    'reports a full disk, restores the text to its field, and saves it once there is space',
    async () => {
      const { page, problems, add, field } = await openBoard()
      expect(app.limitFileSize(1000)).toBe(true)
      await add('On a full disk')
      const alert = page.getByRole('alert').filter({ hasText: 'cannot be written now' })
      await alert.waitFor()
      expect(await alert.textContent()).toContain('Nothing was changed')
      expect(await field.inputValue()).toBe('On a full disk')
      expect(await page.locator('.card').filter({ hasText: 'On a full disk' }).count()).toBe(0)
      expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
      await alert.getByRole('button', { name: 'Copy details' }).click()
      await alert.getByText('Copied').waitFor()
      const clipboard = await page.evaluate(() => navigator.clipboard.readText())
      expect(clipboard).toMatch(/^[\da-f-]{36}$/)
      expect(app.limitFileSize('unlimited')).toBe(true)
      await field.press('Enter')
      await page.locator('.card').filter({ hasText: 'On a full disk' }).waitFor()
      await waitUntil(async () => (await countOf('On a full disk')) === 1)
      expect(problems).toEqual([])
    },
  )

  test('asks for a new sign-in in place, and sends no change as another person', async () => {
    const { page, context, problems, openField, add, banner } = await openBoard()
    await openField()
    const bea = await joinAsBea(app)
    // Simulates that Bea signed in with this browser in another tab.
    await context.addCookies(bea)
    await add('Typed by Ada')
    const dialog = page.getByRole('alertdialog', { name: 'You are signed out' })
    await dialog.getByText('Bea is signed in now').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    expect(await countOf('Typed by Ada')).toBe(0)
    await dialog.getByLabel('Email').fill('ada@example.com')
    await dialog.getByLabel('Password').fill('not hers at all')
    await page.keyboard.press('Enter')
    await dialog.getByText('is incorrect').waitFor()
    await dialog.getByLabel('Password').fill('correct horse battery')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await banner.waitFor({ state: 'hidden' })
    await waitUntil(async () => await countOf('Typed by Ada'))
    const { body } = await app.http('GET', '/api/v1/search/tasks?query=by:Ada+"Typed by"')
    expect(body.data.map(({ title }: { title: string }) => title)).toEqual(['Typed by Ada'])
    expect(problems).toEqual([])
  })

  test('asks for a new sign-in when the session was ended elsewhere, and then updates live', async () => {
    const { page, context, problems } = await openBoard()
    const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
    const headers = { cookie, origin: app.url, 'sec-fetch-site': 'same-origin' }
    await app.http('POST', '/sign-out', { secret: null, headers })
    const dialog = page.getByRole('alertdialog', { name: 'You are signed out' })
    await dialog.waitFor()
    await dialog.getByLabel('Email').fill('ada@example.com')
    await dialog.getByLabel('Password').fill('correct horse battery')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await app.createTask({ title: 'Heard after signing in again' })
    await page.getByText('Heard after signing in again').waitFor()
    expect(problems).toEqual([])
  })
})

/** Locators and actions for adding tasks to a board. */
function addTaskControls(page: Page) {
  const field = page.getByRole('textbox', { name: 'New task in To do' })
  const banner = page.getByRole('status').filter({ hasText: /connected|unsaved|Too many/ })
  const openField = async () => {
    if (!(await field.isVisible()))
      await page.getByRole('button', { name: 'Add a task to To do' }).click()
    await field.waitFor()
  }
  const add = async (title: string) => {
    await openField()
    await field.fill(title)
    await field.press('Enter')
  }
  return { field, banner, openField, add }
}

/** Lets Bea join the team; returns her session cookies. */
async function joinAsBea(app: WebApp) {
  const invitation = await app.http('POST', `/api/v1/teams/${app.team_id}/invitations`, {
    body: { email: 'bea@example.com', role: 'member' },
  })
  const { pathname } = new URL(invitation.body.data.link)
  const headers = {
    ...{ origin: app.url, 'sec-fetch-site': 'same-origin' },
    'content-type': 'application/x-www-form-urlencoded',
  }
  const body = 'name=Bea&password=battery+horse+correct'
  const response = await app.http('POST', pathname, { secret: null, headers, body })
  return cookiesIn(response.headers.getSetCookie(), app.url)
}

const cookiesIn = (comment: string[], url: string) =>
  comment.map((line) => {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
    return { name: name!, value: value!, url }
  })
