import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { accessibilityIssues } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

const PASSWORD = 'paper lantern seven'

describe.skipIf(isBrowserSkipped)('signing in and joining', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
    await app.createTask({ title: 'Paint the fence' })
  })
  afterAll(() => app?.close())

  const invite = async (email: string, role: string): Promise<string> => {
    const path = `/api/v1/teams/${app.team_id}/invitations`
    return (await app.http('POST', path, { body: { email, role } })).body.data.link
  }

  async function join(page: Page, link: string, name: string) {
    await page.goto(link)
    await page.getByText('Ada invites you to the team').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.getByLabel('Your name').fill(name)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
  }

  for (const theme of ['light', 'dark'] as const)
    test(`an accepted invitation opens the board of the team, in the ${theme} theme`, async () => {
      const { page, problems } = await app.openSession({ signedOut: true, theme })
      await join(page, await invite(`ben-${theme}@example.com`, 'member'), 'Ben')
      await page.getByText('Paint the fence').waitFor()
      expect(new URL(page.url()).pathname).toBe(`/projects/${app.project_id}`)
      expect(await page.getByRole('dialog').count()).toBe(0)
      expect(await accessibilityIssues(page)).toEqual([])
      expect(problems).toEqual([])
      await page.context().close()
    })

  test('a guest without a board sees why, and cannot create a board or an agent', async () => {
    const { page, problems } = await app.openSession({
      signedOut: true,
      ignoredMessages: /status of 403/,
    })
    await join(page, await invite('gil@example.com', 'guest'), 'Gil')
    await page.getByText('You are a guest here').waitFor()
    expect(await page.getByRole('button', { name: 'Software project' }).count()).toBe(0)
    expect(await accessibilityIssues(page)).toEqual([])
    await page.goto(`${app.url}/new?connect=`)
    await page.getByText('Ask a member to connect an agent').waitFor()
    expect(await page.getByLabel('Agent name').count()).toBe(0)
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('a wrong password keeps the email, and the right one opens the requested page', async () => {
    const { page, problems } = await app.openSession({
      signedOut: true,
      ignoredMessages: /status of 401/,
    })
    const { ticket_number } = await app.createTask({ title: 'Oil the gate' })
    const path = `/projects/${app.project_id}?task=${ticket_number}`
    await page.goto(app.url + path)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.keyboard.type('ada@example.com')
    await page.getByLabel('Password').fill('not this one')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Wrong email or password').waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.com')
    expect(await page.getByLabel('Password').inputValue()).toBe('')
    expect(await accessibilityIssues(page)).toEqual([])
    await page.getByLabel('Password').fill('correct horse battery')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: `Task ${ticket_number}` }).waitFor()
    expect(page.url()).toBe(app.url + path)
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('pages without scripts use the theme selected in the app', async () => {
    const { page, problems, go } = await app.openSession({ theme: 'light' })
    const background = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    await page.goto(`${app.url}/docs/manual`)
    const light = await background()
    await go('/')
    await page.getByRole('button', { name: 'Dark theme' }).click()
    const dark = await background()
    expect(dark).not.toBe(light)
    for (const path of ['/docs/manual', '/docs/manual/start', '/mail/unsubscribe/none'])
      expect([path, await page.goto(app.url + path).then(background)]).toEqual([path, dark])
    await go('/')
    await page.getByRole('button', { name: 'Light theme' }).click()
    await page.goto(`${app.url}/docs/manual`)
    expect(await background()).toBe(light)
    expect(problems.filter((one) => !one.includes('404'))).toEqual([])
    await page.context().close()
  })
})
