import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Desk, noBrowser, openDesk, type Person } from '../desk.ts'
import { faults, faultsInBothThemes } from '../faults.ts'
import { becomes, ideas, makeBoard } from './boards.ts'

describe.skipIf(noBrowser)('the settings of a board, by role', () => {
  let desk: Desk
  let project_id: number
  let idOf: (title: string) => number
  beforeAll(async () => {
    desk = await openDesk()
    ;({ project_id, idOf } = await makeBoard(desk, 'Garden', ideas('Ant', 'Bee')))
  }, 60_000)
  afterAll(() => desk?.leave())

  const api = () => `/api/v1/projects/${project_id}`

  /** Somebody who accepted an invitation to the team, or as a guest to this board alone. */
  async function joined(name: string, role: 'member' | 'guest'): Promise<Person> {
    const email = `${name.toLowerCase()}@example.com`
    const { body } =
      role === 'guest'
        ? await desk.http('POST', `${api()}/members`, { body: { member_identifier: email } })
        : await desk.http('POST', `/api/v1/teams/${desk.team_id}/invitations`, {
            body: { email, role },
          })
    const one = await desk.sit({ stranger: true })
    await one.page.goto(body.data.link)
    await one.page.getByLabel('Your name').fill(name)
    await one.page
      .getByLabel(/password/i)
      .first()
      .fill('correct horse battery')
    await one.page.keyboard.press('Enter')
    await one.page.waitForURL(/\/projects\//)
    return one
  }

  const PARTS = ['general', 'columns', 'labels', 'fields', 'members', 'playbook', 'instructions']

  test('are read-only for a guest, who sees the reason', async () => {
    const gil = await joined('Gil', 'guest')
    const { page } = gil
    for (const part of PARTS) {
      await gil.go(`/settings/board/${project_id}?of=${part}`)
      await page.locator('.reason').first().waitFor()
      const main = page.locator('.board-settings .parts')
      expect([part, await main.getByRole('textbox', { disabled: false }).count()]).toEqual([
        part,
        0,
      ])
      expect([part, await main.getByRole('button').count()]).toEqual([part, 0])
      const free = main.locator('select:enabled, input:enabled, textarea')
      expect([part, await free.count()]).toEqual([part, 0])
    }
    await gil.go(`/settings/board/${project_id}?of=columns`)
    await page.getByText('You are a guest here').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    expect(gil.complaints).toEqual([])
    await page.context().close()
  })

  test('can be changed by a member, except access, archiving, invitations and code hosts', async () => {
    const mo = await joined('Mo', 'member')
    const { page } = mo
    await mo.go(`/settings/board/${project_id}?of=general`)
    await page.getByRole('textbox', { name: 'Name of the board' }).fill('Allotment')
    await page.keyboard.press('Enter')
    await becomes(async () => (await desk.http('GET', api())).body.data.title, 'Allotment')
    expect(await page.getByRole('radio', { name: /^Invited people/ }).isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: /^Archive/ }).count()).toBe(0)
    expect(await page.getByText('Only owners and admins of the team and the person').count()).toBe(
      2,
    )
    await mo.go(`/settings/board/${project_id}?of=pulls`)
    await page.getByText('Only owners and admins of the team and the person').waitFor()
    expect(await page.getByRole('button', { name: /^Connect/ }).count()).toBe(0)
    await mo.go(`/settings/board/${project_id}?of=members`)
    const list = page.getByRole('list', { name: 'Board members' })
    await list.getByText('Gil', { exact: true }).waitFor()
    expect(await page.getByRole('heading', { name: 'Invite people' }).count()).toBe(0)
    expect(mo.complaints).toEqual([])
    await page.context().close()
  })

  test('show changes by agents live, and keep the text being typed', async () => {
    const beacon = await desk.hire('Beacon')
    const ada = await desk.sit()
    const { page } = ada
    await ada.go(`/projects/${project_id}`)
    await page.getByRole('heading', { name: 'Doing' }).waitFor()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Board settings' }).click()
    await page.getByRole('link', { name: 'Columns' }).click()
    const name = page.getByRole('textbox', { name: 'Name of the column Ideas' })
    await name.fill('Half a na')
    await beacon.tool('svc_sections', 'update', {
      ...{ project_id, section_id: idOf('Doing'), title: 'Making', wip_limit: 2 },
    })
    await page.getByRole('textbox', { name: 'Name of the column Making' }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Limit of Making' }).inputValue()).toBe('2')
    expect(await name.inputValue()).toBe('Half a na')
    await name.press('Escape')
    await page.getByRole('link', { name: 'Labels' }).click()
    await beacon.tool('svc_labels', 'create', { project_id, name: 'weeds' })
    await page.getByRole('textbox', { name: 'Name of the label weeds' }).waitFor()
    const shown = await beacon.tool('svc_projects', 'manifest', { project_id })
    const making = shown.sections.find((one: { title: string }) => one.title === 'Making')
    expect(making.wip_limit).toBe(2)
    await page.getByRole('link', { name: 'Go to the board' }).click()
    await page.getByRole('heading', { name: 'Making' }).waitFor()
    expect(ada.complaints).toEqual([])
  })

  test('say so when the board is not found, and open a board chosen from the list', async () => {
    const ada = await desk.sit({ may: /status of 404/ })
    const { page } = ada
    await ada.go('/settings/board/987')
    await page.getByRole('heading', { name: 'Board not found' }).waitFor()
    await ada.go('/settings/board/abc')
    await page.getByRole('heading', { name: 'Board not found' }).waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await ada.go('/settings/board?of=labels')
    await page.getByRole('combobox', { name: 'Board' }).selectOption('Allotment')
    await page.waitForURL(`**/settings/board/${project_id}?of=labels`)
    await page.getByRole('heading', { name: 'Settings of Allotment' }).waitFor()
    expect(ada.complaints).toEqual([])
  })

  test('fit a narrow touch screen and are accessible', async () => {
    const ada = await desk.sit({ width: 390, height: 844, touch: true })
    for (const part of [...PARTS, 'templates', 'pulls']) {
      await ada.go(`/settings/board/${project_id}?of=${part}`)
      await ada.page.locator('.board-settings .board-part').first().waitFor()
      expect([part, await faults(ada.page)]).toEqual([part, []])
    }
    expect(ada.complaints).toEqual([])
  })
})
