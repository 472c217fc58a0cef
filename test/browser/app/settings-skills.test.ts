import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { startKitHost } from '../../support/code-host-archives.ts'
import { expectEventually } from '../../support/wait.ts'
import type { World } from '../../support/world.ts'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { createBoard, undoFromToast } from './boards.ts'
import { waitForToast } from './toasts.ts'

const emptyConfig = { config: { allowHosts: [], skillHosts: [] } as unknown as World['config'] }

describe.skipIf(isBrowserSkipped)('skills in the settings', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  let project_id: number
  const origin = startKitHost(emptyConfig)
  beforeAll(async () => {
    app = await openWebApp({ CORK_ALLOW_HOSTS: '127.0.0.1', CORK_SKILL_HOSTS: `${origin}=github` })
    ada = await app.openSession({ ignoredMessages: /status of (400|409)/ })
    page = ada.page
    ;({ project_id } = await createBoard(app, 'Garden', {}))
  })
  afterAll(() => app?.close())

  const fetchOwnSkills = async () => (await app.http('GET', '/api/v1/skills?sort=title')).body.data
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  const typeInstructions = async (text: string) => {
    await page.getByRole('textbox', { name: 'Instructions' }).click()
    await page.keyboard.type(text)
  }

  test('are created, refused if the slug is taken, and edited', async () => {
    await ada.go('/settings/skills')
    await page.getByText('No skills yet.').waitFor()
    await page.getByRole('button', { name: 'New skill' }).click()
    await field('Name').fill('Release notes')
    await field('Arguments (optional)').fill('[version]')
    await typeInstructions('List what changed.')
    // The unsaved text is kept over a reload.
    await page.reload()
    await page.getByRole('button', { name: 'New skill' }).click()
    await page.getByText('Your unsaved text was restored.').waitFor()
    expect(await field('Name').inputValue()).toBe('Release notes')
    await page.getByRole('textbox', { name: 'Instructions' }).getByText('List what').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Save skill' }).click()
    await waitForToast(page, 'Created the skill /release-notes')
    expect(await fetchOwnSkills()).toMatchObject([
      { slug: 'release-notes', argument_hint: '[version]' },
    ])
    await page.getByRole('button', { name: 'New skill' }).click()
    await field('Name').fill('Release notes')
    await typeInstructions('Again.')
    await page.getByRole('button', { name: 'Save skill' }).click()
    await page.getByText('You already have a skill /release-notes').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Edit the skill /release-notes' }).click()
    await field('Description').fill('For a new version')
    await page.getByRole('button', { name: 'Save skill' }).click()
    await waitForToast(page, 'Saved the skill /release-notes')
    const [{ skill_id }] = await fetchOwnSkills()
    expect((await app.http('GET', `/api/v1/skills/${skill_id}`)).body.data).toMatchObject({
      ...{ description: 'For a new version', body: 'List what changed.' },
    })
  })

  test('are switched off with undo, and a deletion can be undone before it is sent', async () => {
    const isOn = async () => (await fetchOwnSkills())[0]?.enabled
    await page.getByRole('switch', { name: '/release-notes is on' }).click()
    await expectEventually(isOn, false)
    await undoFromToast(page, '/release-notes is off')
    await expectEventually(isOn, true)
    await page.getByRole('button', { name: 'Delete the skill /release-notes' }).click()
    await page.getByText('No skills yet.').waitFor()
    expect(await fetchOwnSkills()).toHaveLength(1)
    await undoFromToast(page, 'Deleted the skill /release-notes')
    await page.getByRole('switch', { name: '/release-notes is on' }).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
  })

  test('of a board are imported after a preview of their text', async () => {
    const fetchBoardSkills = async () =>
      (await app.http('GET', `/api/v1/projects/${project_id}/skills`)).body.data
    await ada.go(`/settings/board/${project_id}?of=skills`)
    await page.getByRole('button', { name: 'Import skills' }).click()
    const address = page.getByRole('textbox', { name: 'URL of a directory on a code host' })
    await address.fill('https://git.example.com/ada/kit')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('alert').getByText('Skills can be imported from').waitFor()
    await address.fill(`${origin}/ada/kit/tree/main/skills`)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('dialog').locator('summary').click()
    await page.getByText('Do it like this.').waitFor()
    expect(await page.getByRole('checkbox', { name: '/triage new' }).isChecked()).toBe(true)
    expect(await fetchBoardSkills()).toEqual([])
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Import 1' }).click()
    await waitForToast(page, 'Imported one skill')
    await page.getByRole('switch', { name: '/triage is on' }).waitFor()
    expect(await fetchBoardSkills()).toMatchObject([{ slug: 'triage', project_id }])
    expect(ada.problems).toEqual([])
  })

  test('are paged fifty at a time', async () => {
    for (let at = 0; at < 52; at++)
      await app.http('POST', '/api/v1/skills', {
        body: { name: `Skill ${String(at).padStart(2, '0')}`, body: 'Do it.' },
      })
    await ada.go('/settings/skills')
    await page.getByRole('switch', { name: '/skill-00 is on' }).waitFor()
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await page.getByRole('switch', { name: '/skill-51 is on' }).waitFor()
    expect(await page.getByRole('switch').count()).toBe(3)
    await page.getByRole('button', { name: 'Previous', exact: true }).click()
    await page.getByRole('switch', { name: '/skill-00 is on' }).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
  })

  test('fit a narrow touch screen and are accessible', async () => {
    const phone = await app.openSession({ width: 390, height: 844, touch: true })
    for (const path of ['/settings/skills', `/settings/board/${project_id}?of=skills`]) {
      await phone.go(path)
      await phone.page.getByRole('list', { name: 'Skills' }).waitFor()
      expect([path, await accessibilityIssues(phone.page)]).toEqual([path, []])
    }
    await phone.page.getByRole('button', { name: 'Edit the skill /triage' }).click()
    await phone.page.getByRole('form').waitFor()
    expect(await accessibilityIssues(phone.page)).toEqual([])
    expect(phone.problems).toEqual([])
  })
})
