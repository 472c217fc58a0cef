import type { Page } from 'playwright-core'
import type { Screen } from './screen.ts'

const of = (part: string) => `/settings/board/1?of=${part}`

async function dialog(page: Page, button: string) {
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('dialog').waitFor()
}

export const BOARD_SETTINGS: readonly Screen[] = [
  { name: 'board-settings', path: of('columns') },
  { name: 'board-general', path: of('general') },
  { name: 'board-labels', path: of('labels') },
  {
    name: 'board-label-delete',
    path: of('labels'),
    act: (page) => dialog(page, 'Delete the label risk'),
    isWide: true,
  },
  { name: 'board-fields', path: of('fields') },
  { name: 'board-members', path: of('members') },
  { name: 'board-playbook', path: of('playbook') },
  { name: 'board-instructions', path: of('instructions'), isWide: true },
  { name: 'board-skills', path: of('skills'), isWide: true },
  { name: 'board-templates', path: of('templates'), isWide: true },
  {
    name: 'board-pulls',
    world: 'fresh',
    path: ({ project_id }) => `/settings/board/${project_id}?of=pulls`,
    async act(page) {
      await page.getByRole('button', { name: 'Connect GitHub' }).click()
      await page.getByRole('region', { name: 'Secret' }).waitFor()
    },
    isWide: true,
  },
  {
    name: 'board-limit',
    path: '/projects/1',
    async act(page) {
      await page.getByRole('button', { name: 'More about In progress' }).click()
      await page.getByRole('menuitem', { name: 'Set limit…' }).click()
      await page.getByRole('dialog').waitFor()
    },
    isWide: true,
  },
  { name: 'board-settings-missing', path: '/settings/board/999', allowed: /404/, isWide: true },
]
