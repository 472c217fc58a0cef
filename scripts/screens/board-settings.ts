import type { Page } from 'playwright-core'
import type { Screen } from './screen.ts'

const section = (part: string) => `/settings/board/1?of=${part}`

async function openDialog(page: Page, button: string) {
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('dialog').waitFor()
}

export const BOARD_SETTINGS: readonly Screen[] = [
  { name: 'board-settings', path: section('columns') },
  { name: 'board-general', path: section('general') },
  { name: 'board-labels', path: section('labels') },
  {
    name: 'board-label-delete',
    path: section('labels'),
    act: (page) => openDialog(page, 'Delete the label risk'),
    isWideOnly: true,
  },
  { name: 'board-fields', path: section('fields') },
  { name: 'board-members', path: section('members') },
  { name: 'board-playbook', path: section('playbook') },
  { name: 'board-instructions', path: section('instructions'), isWideOnly: true },
  { name: 'board-skills', path: section('skills'), isWideOnly: true },
  { name: 'board-templates', path: section('templates'), isWideOnly: true },
  {
    name: 'board-pulls',
    instance: 'empty',
    path: ({ project_id }) => `/settings/board/${project_id}?of=pulls`,
    async act(page) {
      await page.getByRole('button', { name: 'Connect GitHub' }).click()
      await page.getByRole('region', { name: 'Secret' }).waitFor()
    },
    isWideOnly: true,
  },
  {
    name: 'board-limit',
    path: '/projects/1',
    async act(page) {
      await page.getByRole('button', { name: 'More about In progress' }).click()
      await page.getByRole('menuitem', { name: 'Set limit…' }).click()
      await page.getByRole('dialog').waitFor()
    },
    isWideOnly: true,
  },
  {
    name: 'board-settings-missing',
    path: '/settings/board/999',
    ignoredMessages: /404/,
    isWideOnly: true,
  },
]
