import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { createBoard, tasksInIdeas } from './boards.ts'

describe.skipIf(isBrowserSkipped)('the settings of a board, by role', () => {
  let app: WebApp
  let project_id: number
  let idOf: (title: string) => number
  beforeAll(async () => {
    app = await openWebApp()
    ;({ project_id, idOf } = await createBoard(app, 'Garden', tasksInIdeas('Ant', 'Bee')))
  })
  afterAll(() => app?.close())

  const api = () => `/api/v1/projects/${project_id}`

  /** Accepts an invitation to the team, or for a guest to this board only. */
  async function join(name: string, role: 'member' | 'guest'): Promise<BrowserSession> {
    const email = `${name.toLowerCase()}@example.com`
    const { body } =
      role === 'guest'
        ? await app.http('POST', `${api()}/members`, { body: { member_identifier: email } })
        : await app.http('POST', `/api/v1/teams/${app.team_id}/invitations`, {
            body: { email, role },
          })
    const session = await app.openSession({ signedOut: true })
    await session.page.goto(body.data.link)
    await session.page.getByLabel('Your name').fill(name)
    await session.page
      .getByLabel(/password/i)
      .first()
      .fill('correct horse battery')
    await session.page.keyboard.press('Enter')
    await session.page.waitForURL(/\/projects\//)
    return session
  }

  const SECTIONS = ['general', 'columns', 'labels', 'fields', 'members', 'playbook', 'instructions']

  test('are read-only for a guest, who sees the reason', async () => {
    const gil = await join('Gil', 'guest')
    const { page } = gil
    for (const section of SECTIONS) {
      await gil.go(`/settings/board/${project_id}?of=${section}`)
      await page.locator('.reason').first().waitFor()
      const main = page.locator('.board-settings .content')
      expect([section, await main.getByRole('textbox', { disabled: false }).count()]).toEqual([
        section,
        0,
      ])
      expect([section, await main.getByRole('button').count()]).toEqual([section, 0])
      const enabledFields = main.locator('select:enabled, input:enabled, textarea')
      expect([section, await enabledFields.count()]).toEqual([section, 0])
    }
    await gil.go(`/settings/board/${project_id}?of=columns`)
    await page.getByText('You are a guest here').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    expect(gil.problems).toEqual([])
    await page.context().close()
  })

  test('can be changed by a member, except access, archiving, invitations and code hosts', async () => {
    const mo = await join('Mo', 'member')
    const { page } = mo
    await mo.go(`/settings/board/${project_id}?of=general`)
    await page.getByRole('textbox', { name: 'Name of the board' }).fill('Allotment')
    await page.keyboard.press('Enter')
    await expectEventually(async () => (await app.http('GET', api())).body.data.title, 'Allotment')
    expect(await page.getByRole('radio', { name: /^Invited people/ }).isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: /^Archive/ }).count()).toBe(0)
    await page.getByRole('switch', { name: /^Pause/ }).waitFor()
    expect(await page.getByRole('switch', { name: /^Pause/ }).isDisabled()).toBe(true)
    expect(await page.getByRole('textbox', { name: /^Monthly budget/ }).isDisabled()).toBe(true)
    expect(await page.getByText('Only owners and admins of the team and the person').count()).toBe(
      3,
    )
    await mo.go(`/settings/board/${project_id}?of=pulls`)
    await page.getByText('Only owners and admins of the team and the person').waitFor()
    expect(await page.getByRole('button', { name: /^Connect/ }).count()).toBe(0)
    await mo.go(`/settings/board/${project_id}?of=members`)
    const list = page.getByRole('list', { name: 'Board members' })
    await list.getByText('Gil', { exact: true }).waitFor()
    expect(await page.getByRole('heading', { name: 'Invite people' }).count()).toBe(0)
    expect(mo.problems).toEqual([])
    await page.context().close()
  })

  test('show changes by agents live, and keep the text being typed', async () => {
    const agent = await app.connectAgent('Beacon')
    const ada = await app.openSession()
    const { page } = ada
    await ada.go(`/projects/${project_id}`)
    await page.getByRole('heading', { name: 'Doing' }).waitFor()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Board settings' }).click()
    await page.getByRole('link', { name: 'Columns' }).click()
    const name = page.getByRole('textbox', { name: 'Name of the column Ideas' })
    await name.fill('Half a na')
    await agent.callTool('svc_sections', 'update', {
      ...{ project_id, section_id: idOf('Doing'), title: 'Making', wip_limit: 2 },
    })
    await page.getByRole('textbox', { name: 'Name of the column Making' }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Limit of Making' }).inputValue()).toBe('2')
    expect(await name.inputValue()).toBe('Half a na')
    await name.press('Escape')
    await page.getByRole('link', { name: 'Labels' }).click()
    await agent.callTool('svc_labels', 'create', { project_id, name: 'weeds' })
    await page.getByRole('textbox', { name: 'Name of the label weeds' }).waitFor()
    const manifest = await agent.callTool('svc_projects', 'manifest', { project_id })
    const making = manifest.sections.find(
      (session: { title: string }) => session.title === 'Making',
    )
    expect(making.wip_limit).toBe(2)
    await page.getByRole('link', { name: 'Go to the board' }).click()
    await page.getByRole('heading', { name: 'Making' }).waitFor()
    expect(ada.problems).toEqual([])
  })

  test('say so when the board is not found, and open a board chosen from the list', async () => {
    const ada = await app.openSession({ ignoredMessages: /status of 404/ })
    const { page } = ada
    await ada.go('/settings/board/987')
    await page.getByRole('heading', { name: 'Board not found' }).waitFor()
    await ada.go('/settings/board/abc')
    await page.getByRole('heading', { name: 'Board not found' }).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await ada.go('/settings/board?of=labels')
    await page.getByRole('combobox', { name: 'Board' }).selectOption('Allotment')
    await page.waitForURL(`**/settings/board/${project_id}?of=labels`)
    await page.getByRole('heading', { name: 'Settings of Allotment' }).waitFor()
    expect(ada.problems).toEqual([])
  })

  test('fit a narrow touch screen and are accessible', async () => {
    const ada = await app.openSession({ width: 390, height: 844, touch: true })
    for (const section of [...SECTIONS, 'templates', 'pulls']) {
      await ada.go(`/settings/board/${project_id}?of=${section}`)
      await ada.page.locator('.board-settings .settings-section').first().waitFor()
      expect([section, await accessibilityIssues(ada.page)]).toEqual([section, []])
    }
    expect(ada.problems).toEqual([])
  })
})
