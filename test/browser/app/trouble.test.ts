import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { soon } from '../../binary/players.ts'
import { onPostgres } from '../../server.ts'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { faultsInBothThemes } from '../faults.ts'

/** What a browser logs when a server is unreachable or refuses a request. */
const AWAY = /ERR_CONNECTION|ERR_INTERNET|ERR_EMPTY|ERR_INCOMPLETE|ERR_NETWORK|Failed to load/
/** Ignores SIGXFSZ, so that a file that cannot grow fails a write and does not end the server. */
const LIMITED = ['sh', '-c', 'trap "" XFSZ; exec "$@"', 'sh']

describe.skipIf(noBrowser)('the web app without a working server or session', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({}, LIMITED)
  }, 60_000)
  afterAll(() => desk?.leave())
  afterEach(async () => {
    // A failed test must not leave its file limit to the next one.
    desk.limitFiles('unlimited')
    for (const context of desk.browser.contexts()) await context.close()
  })

  const sit = async () => {
    const one = await desk.sit({ may: AWAY })
    await one.go(`/projects/${desk.project_id}`)
    await one.page.getByRole('button', { name: 'Add a task to To do' }).waitFor()
    return { ...one, ...at(one.page) }
  }
  const titles = async () => {
    const { body } = await desk.http('GET', `/api/v1/tasks?project_id=${desk.project_id}&limit=50`)
    return body.data.map(({ title }: { title: string }) => title) as string[]
  }
  const times = async (title: string) => (await titles()).filter((one) => one === title).length

  test('keeps changes made after a crash of the server, and sends each once when it is back', async () => {
    const { page, complaints, add, banner } = await sit()
    await add('Before the crash')
    await page
      .getByRole('link', { name: /^HOM-\d+/ })
      .or(page.getByText('HOM-'))
      .first()
      .waitFor()
    await desk.crash()
    await add('While it was away')
    await add('And one more')
    await banner.getByText('2 unsaved changes').waitFor()
    await page.getByText('And one more').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await desk.comeBack()
    await banner.getByRole('button', { name: 'Retry now' }).click()
    await banner.waitFor({ state: 'hidden' })
    const all = await titles()
    expect(all.indexOf('While it was away')).toBeGreaterThan(-1)
    expect([await times('While it was away'), await times('And one more')]).toEqual([1, 1])
    expect(complaints).toEqual([])
  })

  test('shows an unsaved change while the server hangs, and sends it only once', async () => {
    const { complaints, add, banner } = await sit()
    desk.signal('SIGSTOP')
    await add('To a server that hangs')
    await banner.getByText('1 unsaved change').waitFor()
    desk.signal('SIGCONT')
    await banner.waitFor({ state: 'hidden' })
    expect(await times('To a server that hangs')).toBe(1)
    expect(complaints).toEqual([])
  })

  test('reports a lost network, and keeps unsaved changes and typed text over a reload', async () => {
    const { page, context, complaints, add, field, banner } = await sit()
    await context.setOffline(true)
    await banner.getByText('Not connected').waitFor()
    await add('Typed without a network')
    await banner.getByText('1 unsaved change').waitFor()
    await field.fill('Not even sent')
    let asked = false
    page.once('dialog', (dialog) => {
      asked = dialog.type() === 'beforeunload'
      void dialog.accept()
    })
    // Creating tasks still fails, so the pending change is not sent before the reload.
    await context.route('**/api/v1/tasks', (route) => route.abort())
    await context.setOffline(false)
    await page.reload()
    expect(asked).toBe(true)
    await page.getByRole('button', { name: 'Add a task to To do' }).waitFor()
    expect(await times('Typed without a network')).toBe(0)
    await context.unroute('**/api/v1/tasks')
    await page.getByText('Saved the changes from before the reload').waitFor()
    await page.getByText('Typed without a network').waitFor()
    expect(await times('Typed without a network')).toBe(1)
    await page.getByRole('button', { name: 'Add a task to To do' }).click()
    expect(await field.inputValue()).toBe('Not even sent')
    expect(complaints).toEqual([])
  })

  test('sends a comment that was pending before a reload only once, and keeps no draft of it', async () => {
    const { task_id, ticket_number } = await desk.create({ title: 'Talk about it' })
    const { page, context, complaints, banner, go } = await sit()
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
    const said = page.getByText('Said on the way out')
    expect(await said.count()).toBe(0)
    await context.unroute('**/comments')
    await page.getByText('Saved the changes from before the reload').waitFor()
    await said.waitFor()
    await page.reload()
    await said.waitFor()
    expect(await said.count()).toBe(1)
    const { body } = await desk.http('GET', `/api/v1/tasks/${task_id}/comments`)
    expect(body.data.length).toBe(1)
    const drafts = () => Object.keys(localStorage).filter((one) => one.startsWith('draft:'))
    expect(await page.evaluate(drafts)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('discards a pending change on request, and restores its text to the field', async () => {
    const { page, context, complaints, add, field, banner } = await sit()
    await context.setOffline(true)
    await add('Never mind')
    await banner.getByRole('button', { name: 'Discard' }).click()
    await page.getByText('The server is not responding').waitFor()
    expect(await field.inputValue()).toBe('Never mind')
    await context.setOffline(false)
    await banner.waitFor({ state: 'hidden' })
    expect(await times('Never mind')).toBe(0)
    expect(complaints).toEqual([])
  })

  test.skipIf(onPostgres)(
    'reports a full disk, restores the text to its field, and saves it once there is space',
    async () => {
      const { page, complaints, add, field } = await sit()
      expect(desk.limitFiles(1000)).toBe(true)
      await add('On a full disk')
      const told = page.getByRole('alert').filter({ hasText: 'cannot be written now' })
      await told.waitFor()
      expect(await told.textContent()).toContain('Nothing was changed')
      expect(await field.inputValue()).toBe('On a full disk')
      expect(await page.locator('.card').filter({ hasText: 'On a full disk' }).count()).toBe(0)
      expect(await faultsInBothThemes(page)).toEqual([])
      await told.getByRole('button', { name: 'Copy details' }).click()
      await told.getByText('Copied').waitFor()
      const copied = await page.evaluate(() => navigator.clipboard.readText())
      expect(copied).toMatch(/^[\da-f-]{36}$/)
      expect(desk.limitFiles('unlimited')).toBe(true)
      await field.press('Enter')
      await page.locator('.card').filter({ hasText: 'On a full disk' }).waitFor()
      await soon(async () => ((await times('On a full disk')) === 1 ? true : undefined))
      expect(complaints).toEqual([])
    },
  )

  test('asks for a new sign-in in place, and sends no change as another person', async () => {
    const { page, context, complaints, openField, add, banner } = await sit()
    await openField()
    const bea = await newcomer(desk)
    // As if Bea had signed in with this browser, in another tab.
    await context.addCookies(bea)
    await add('Typed by Ada')
    const dialog = page.getByRole('alertdialog', { name: 'You are signed out' })
    await dialog.getByText('Bea is signed in now').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    expect(await times('Typed by Ada')).toBe(0)
    await dialog.getByLabel('Email').fill('ada@example.com')
    await dialog.getByLabel('Password').fill('not hers at all')
    await page.keyboard.press('Enter')
    await dialog.getByText('is incorrect').waitFor()
    await dialog.getByLabel('Password').fill('correct horse battery')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await banner.waitFor({ state: 'hidden' })
    await soon(async () => ((await times('Typed by Ada')) ? true : undefined))
    const { body } = await desk.http('GET', '/api/v1/search/tasks?query=by:Ada+"Typed by"')
    expect(body.data.map(({ title }: { title: string }) => title)).toEqual(['Typed by Ada'])
    expect(complaints).toEqual([])
  })

  test('asks for a new sign-in when the session was ended elsewhere, and then updates live', async () => {
    const { page, context, complaints } = await sit()
    const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
    const headers = { cookie, origin: desk.url, 'sec-fetch-site': 'same-origin' }
    await desk.http('POST', '/sign-out', { secret: null, headers })
    const dialog = page.getByRole('alertdialog', { name: 'You are signed out' })
    await dialog.waitFor()
    await dialog.getByLabel('Email').fill('ada@example.com')
    await dialog.getByLabel('Password').fill('correct horse battery')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await desk.create({ title: 'Heard after signing in again' })
    await page.getByText('Heard after signing in again').waitFor()
    expect(complaints).toEqual([])
  })
})

/** Locators and actions for adding tasks to a board. */
function at(page: Page) {
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

/** The session cookies of another person, who joins the team. */
async function newcomer(desk: Desk) {
  const invited = await desk.http('POST', `/api/v1/teams/${desk.team_id}/invitations`, {
    body: { email: 'bea@example.com', role: 'member' },
  })
  const { pathname } = new URL(invited.body.data.link)
  const headers = {
    ...{ origin: desk.url, 'sec-fetch-site': 'same-origin' },
    'content-type': 'application/x-www-form-urlencoded',
  }
  const body = 'name=Bea&password=battery+horse+correct'
  const joined = await desk.http('POST', pathname, { secret: null, headers, body })
  return cookiesIn(joined.headers.getSetCookie(), desk.url)
}

const cookiesIn = (said: string[], url: string) =>
  said.map((line) => {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
    return { name: name!, value: value!, url }
  })
