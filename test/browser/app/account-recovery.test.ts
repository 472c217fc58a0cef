import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { startMailServer } from '../../support/smtp.ts'
import { waitUntil } from '../../support/wait.ts'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { waitForToast } from './toasts.ts'

const NEW_PASSWORD = 'a lantern made of paper'

describe.skipIf(isBrowserSkipped)('getting back into an account', () => {
  let app: WebApp
  let emails: Awaited<ReturnType<typeof startMailServer>>['emails']
  beforeAll(async () => {
    const mailServer = await startMailServer()
    emails = mailServer.emails
    app = await openWebApp({ CORK_SMTP_URL: mailServer.url })
  })
  afterAll(() => app?.close())

  /** Requests an email on the sign-in page, and returns its link. */
  async function requestLink(session: Awaited<ReturnType<WebApp['openSession']>>, button: string) {
    const { page } = session
    await page.goto(`${app.url}/sign-in?next=/inbox`)
    await page.getByRole('link', { name: /Forgot your password/ }).click()
    await page.getByRole('heading', { name: 'Sign in by email' }).waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    const isLink = ({ text }: (typeof emails)[number]) => text.includes('/sign-in/')
    const before = emails.filter(isLink).length
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await waitUntil(() => emails.filter(isLink).length > before)
    return /: (http\S+\/sign-in\/\S+)$/m.exec(emails.filter(isLink).at(-1)!.text)![1]!
  }

  for (const [theme, width] of [
    ['light', 1360],
    ['dark', 360],
  ] as const)
    test(`a link in an email signs in, in the ${theme} theme at ${width} pixels`, async () => {
      const session = await app.openSession({ signedOut: true, theme, width })
      const { page, problems } = session
      await page.goto(await requestLink(session, 'Email me a link to sign in'))
      await page.getByRole('heading', { name: 'Sign in to Corkboard' }).waitFor()
      expect(await accessibilityIssues(page)).toEqual([])
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(`${app.url}/inbox`)
      await page.getByRole('main').waitFor()
      expect(problems).toEqual([])
      await page.context().close()
    })

  test('a link in an email sets a new password, and works once', async () => {
    const session = await app.openSession({ signedOut: true, ignoredMessages: /status of 40[04]/ })
    const { page, problems } = session
    const link = await requestLink(session, 'Reset my password')
    await page.goto(link)
    await page.getByRole('heading', { name: 'Set a new password' }).waitFor()
    await page.getByLabel('New password').fill('short')
    await page.keyboard.press('Enter')
    await page.getByText('The password must have at least 10 characters').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${app.url}/inbox`)
    await page.goto(link)
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    expect(problems).toEqual([])
    await page.goto(`${app.url}/settings/security`)
    await page
      .getByText(/signed in with a link on/)
      .first()
      .waitFor()
    await page.context().close()
  })

  test('a person downloads their data and erases their account', async () => {
    const { body } = await app.http('POST', `/api/v1/teams/${app.team_id}/invitations`, {
      body: { email: 'ben@example.com', role: 'owner' },
    })
    const session = await app.openSession({ signedOut: true, ignoredMessages: /status of 40[019]/ })
    const { page, problems } = session
    await page.goto(body.data.link)
    await page.getByLabel('Your name').fill('Ben')
    await page.getByLabel('Password').fill(NEW_PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('main').waitFor()
    await page.goto(`${app.url}/settings/security`)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download my data' }).click(),
    ])
    const { records } = JSON.parse(readFileSync(await download.path(), 'utf8'))
    expect(records[0]).toMatchObject({ kind: 'profile', data: { email: 'ben@example.com' } })
    await waitForToast(page, 'Downloaded your data')

    await page.getByRole('button', { name: 'Erase account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Erase your account?' })
    const confirm = dialog.getByRole('button', { name: 'Erase my account' })
    expect(await confirm.isDisabled()).toBe(true)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await dialog.getByLabel('Type ben@example.com to confirm').fill('ben@example.com')
    await confirm.click()
    await page.getByRole('heading', { name: 'You were signed out' }).waitFor()
    const members = await app.http('GET', `/api/v1/teams/${app.team_id}/members`)
    expect(JSON.stringify(members.body)).not.toContain('Ben')
    expect(problems).toEqual([])
    await page.context().close()
  })
})
