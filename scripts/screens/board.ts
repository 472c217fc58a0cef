import type { Page } from 'playwright-core'
import type { Screen } from './screen.ts'

const path = '/projects/1'
/** Waits for the cards, and presses keys one after another. */
const pressKeys = async (page: Page, ...presses: readonly string[]) => {
  await page
    .getByText(/^SR-\d+$/)
    .first()
    .waitFor()
  for (const press of presses) await page.keyboard.press(press)
}
const pressing =
  (...presses: readonly string[]) =>
  (page: Page) =>
    pressKeys(page, ...presses)
/** Presses keys and waits for the dialog that opens. Its code may have to be fetched first. */
const opening =
  (...presses: readonly string[]) =>
  async (page: Page) => {
    await pressKeys(page, ...presses)
    await page.locator('[role=dialog], [role=listbox]').first().waitFor()
  }

/** Waits for a lazily loaded layout. */
const waitingFor = (selector: string) => (page: Page) => page.locator(selector).first().waitFor()

export const BOARD: readonly Screen[] = [
  { name: 'board', path },
  {
    name: 'board-done',
    path,
    act: (page) =>
      page.getByRole('heading', { name: 'Done', exact: true }).scrollIntoViewIfNeeded(),
    isWideOnly: true,
  },
  {
    name: 'board-filter',
    path: `${path}?due=overdue,week`,
    async act(page, _, isNarrow) {
      if (isNarrow) await page.getByRole('button', { name: 'Filter' }).click()
      else await pressKeys(page, 'f')
      await page.getByRole('combobox', { name: 'Filter by' }).waitFor()
    },
  },
  { name: 'board-filtered', path: `${path}?is=blocked`, isWideOnly: true },
  { name: 'board-list', path: `${path}?layout=list` },
  { name: 'board-lanes', path: `${path}?lanes=assignee`, act: waitingFor('.lanes .card') },
  {
    name: 'board-lanes-shut',
    path: `${path}?lanes=label`,
    act: (page) => page.getByRole('button', { name: /^api/ }).click(),
    isWideOnly: true,
  },
  { name: 'board-calendar', path: `${path}?layout=calendar`, act: waitingFor('.days article') },
  {
    name: 'board-calendar-week',
    path: `${path}?layout=calendar&span=week`,
    act: waitingFor('.days article'),
    isWideOnly: true,
  },
  { name: 'board-timeline', path: `${path}?layout=timeline`, act: waitingFor('.time-bar') },
  {
    name: 'board-timeline-days',
    path: `${path}?layout=timeline&zoom=days&lanes=assignee`,
    act: waitingFor('.time-bar'),
    isWideOnly: true,
  },
  { name: 'board-chosen', path, act: pressing('j', 'x', 'j', 'x'), isWideOnly: true },
  { name: 'board-assign', path, act: opening('j', 'a'), isWideOnly: true },
  { name: 'board-due', path, act: opening('j', 'd'), isWideOnly: true },
  {
    name: 'board-view',
    path,
    act: (page) => page.getByRole('button', { name: 'All tasks' }).click(),
    isWideOnly: true,
  },
  {
    name: 'board-show',
    path,
    act: (page) => page.getByRole('button', { name: 'Show', exact: true }).click(),
    isWideOnly: true,
  },
  {
    name: 'board-column',
    path,
    act: (page) => page.getByRole('button', { name: 'More about Next up' }).click(),
    isWideOnly: true,
  },
  {
    name: 'board-add',
    path,
    async act(page) {
      await page.getByRole('button', { name: 'Add a task to Ideas' }).click()
      await page.getByRole('textbox', { name: 'New task in Ideas' }).fill('Print the poster')
    },
  },
  {
    name: 'board-undo',
    path,
    async act(page, instance) {
      await page.getByRole('button', { name: 'A summary of the week by email' }).focus()
      await pressKeys(page, 'Shift+ArrowRight')
      await page.getByRole('button', { name: 'Undo' }).waitFor()
      // Moves the card back for the next screenshot.
      const ideas = (await instance.call('GET', '/api/v1/projects/1/board')).sections[0]
      const task = instance.key('A summary of the week by email')
      await instance.call('PATCH', `/api/v1/tasks/${task}`, { section_id: ideas.section_id })
    },
    isWideOnly: true,
  },
  {
    name: 'board-empty',
    instance: 'empty',
    path: ({ project_id }) => `/projects/${project_id}`,
  },
  { name: 'board-missing', path: '/projects/999', ignoredMessages: /404/, isWideOnly: true },
]
