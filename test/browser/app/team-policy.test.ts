import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { addColleague } from './colleague.ts'
import { waitForToast } from './toasts.ts'

const SAVED = 'Changed the rules of the team'
const sectionOf = (page: Page) => page.getByRole('region', { name: 'Sign-in and access' })

describe.skipIf(isBrowserSkipped)('the rules of a team for sign-in and access', () => {
  let app: WebApp
  let kim: Awaited<ReturnType<typeof addColleague>>
  beforeAll(async () => {
    app = await openWebApp()
    kim = await addColleague(app, 'Kim')
  })
  afterAll(() => app?.close())

  const fetchPolicy = async () =>
    (await app.http('GET', `/api/v1/teams/${app.team_id}/policy`)).body.data
  const open = async (options: object = {}) => {
    const session = await app.openSession({ ignoredMessages: /status of 40[09]/, ...options })
    await session.go('/settings/team')
    const section = sectionOf(session.page)
    await section.getByText('2 people in the team have no second factor yet.').waitFor()
    return { ...session, section }
  }

  test('an owner sets each rule, and a wrong value stays in its field with the reason', async () => {
    const { page, section, problems } = await open()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await section.getByRole('switch', { name: 'Allow guests' }).click()
    await waitForToast(page, SAVED)
    const days = section.getByLabel('Days until a browser is signed out')
    await days.fill('400')
    await days.press('Enter')
    await section.getByText('Enter a number of days from 1 to 365').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await days.fill('14')
    await days.press('Enter')
    const domains = section.getByLabel('Allowed domains')
    await domains.fill('localhost')
    await domains.press('Enter')
    await section.getByRole('alert').waitFor()
    await domains.fill('@Example.com example.org')
    await domains.press('Enter')
    await page.waitForFunction(() =>
      [...document.querySelectorAll('input')].some(
        ({ value }) => value === 'example.com, example.org',
      ),
    )
    await section.getByLabel('Longest lifetime of new API keys').fill('90')
    await page.keyboard.press('Enter')
    for (let tries = 0; tries < 100 && (await fetchPolicy()).token_days !== 90; tries++)
      await Bun.sleep(20)
    expect(await fetchPolicy()).toMatchObject({
      ...{ guests_allowed: false, email_domains: ['example.com', 'example.org'] },
      ...{ session_days: 14, token_days: 90, second_factor_required: false },
    })
    expect(problems).toEqual([])
  })

  test('requiring a second factor names those without one, and is refused to an owner without one', async () => {
    const { page, section, problems } = await open()
    const rule = section.getByRole('switch', { name: 'Require a second factor' })
    await rule.click()
    const dialog = page.getByRole('dialog', { name: 'Require a second factor?' })
    await dialog.getByText('2 people in the team have no second factor yet.').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Require it' }).click()
    await dialog.getByText('You have no second factor yourself').waitFor()
    await page.keyboard.press('Escape')
    expect(await rule.isChecked()).toBe(false)
    expect(problems).toEqual([])
  })

  test('a member reads the rules and why they cannot be changed', async () => {
    const { page, problems } = kim
    await page.goto(`${app.url}/settings/team`)
    const section = sectionOf(page)
    await section.getByText('Only owners of the team can change this.').waitFor()
    await section.getByRole('switch', { name: 'Allow guests' }).waitFor()
    for (const control of await section.locator('input').all())
      expect(await control.isDisabled()).toBe(true)
    expect(await section.getByText('no second factor yet').count()).toBe(0)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('the section fits on a narrow screen', async () => {
    const { page, section } = await open({ width: 360, touch: true })
    await section.scrollIntoViewIfNeeded()
    expect(await accessibilityIssues(page)).toEqual([])
  })
})
