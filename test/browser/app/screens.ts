import type { Page } from 'playwright-core'
import type { Instance } from '../../../scripts/screens/instances.ts'

/** A screen of the demo, and how a person opens a popup or a dialog on it. */
export interface Screen {
  name: string
  path: string
  open?(page: Page): Promise<unknown>
}

const TASK = 'Exports time out on boards with many tasks'

const click = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).first().click()
const pressOnTask = (key: string) => async (page: Page) => {
  await page.getByRole('region', { name: 'Comments' }).waitFor()
  await page.keyboard.press(key)
}
const pressOnBoard = (keys: string) => async (page: Page) => {
  await page.getByRole('article').first().waitFor()
  await page.keyboard.press(keys)
}

/** Every screen of the app, and the popups and dialogs that load something of their own. */
export async function screensOf(instance: Instance): Promise<Screen[]> {
  const task = `/t/${instance.key(TASK)}`
  const key = instance.key('Make a backup before every upgrade')
  for (const description of ['Before an upgrade', 'Before every upgrade'])
    await instance.call('PATCH', `/api/v1/tasks/${key}`, { description })
  const pages = await instance.call('GET', '/api/v1/pages?limit=1')
  const page = `/p/${pages[0].page_id}`
  const [agent] = await instance.call('GET', '/api/v1/agents?team_id=1&limit=1')
  const settings = [
    'profile',
    'security',
    'notifications',
    'skills',
    'calendars',
    'mcp',
    'api-keys',
  ]
  const boardSettings = [
    'columns',
    'general',
    'labels',
    'fields',
    'members',
    'playbook',
    'instructions',
  ]
  const boardSetting = (part: string) => ({
    name: `board settings, ${part}`,
    path: `/settings/board/1?of=${part}`,
  })
  return [
    { name: 'the board', path: '/projects/1' },
    { name: 'the filter', path: '/projects/1', open: pressOnBoard('f') },
    { name: 'the board as a list', path: '/projects/1?layout=list' },
    { name: 'swimlanes', path: '/projects/1?lanes=assignee' },
    { name: 'the calendar', path: '/projects/1?layout=calendar' },
    { name: 'the timeline', path: '/projects/1?layout=timeline' },
    { name: 'a task beside its board', path: `/projects/1?task=${instance.key(TASK)}` },
    { name: 'a task', path: task },
    { name: 'the labels of a task', path: task, open: pressOnTask('l') },
    { name: 'the time of a task', path: task, open: click(/^Time:/) },
    { name: 'the versions of a text', path: `/t/${key}`, open: click('Earlier versions') },
    { name: 'My Tasks', path: '/my' },
    { name: 'the inbox', path: '/inbox' },
    { name: 'the search', path: '/search?q=export+time' },
    { name: 'a page', path: page },
    { name: 'the versions of a page', path: `${page}?version=0` },
    { name: 'the agents', path: '/agents' },
    { name: 'an agent', path: `/agents/${agent.agent_id}` },
    { name: 'a run', path: '/runs/1' },
    { name: 'the time report', path: '/reports?of=time&range=30' },
    { name: 'the flow report', path: '/reports?of=flow&board=1' },
    { name: 'saved reports', path: '/reports?of=saved&board=1' },
    { name: 'a report', path: '/reports/2' },
    { name: 'the archive', path: '/archive' },
    { name: 'archived boards', path: '/archive?show=boards' },
    { name: 'importing', path: '/import' },
    { name: 'the team', path: '/settings/team' },
    { name: 'the audit log', path: '/settings/audit' },
    ...settings.map((part) => ({ name: `settings, ${part}`, path: `/settings/${part}` })),
    ...[...boardSettings, 'skills', 'templates', 'pulls'].map(boardSetting),
  ]
}
