import { boardAt } from '../entities/board/address.ts'
import type { Command } from '../entities/command/commands.ts'
import type { Shortcut, ShortcutTable } from '../kit/shortcuts.ts'
import { showToast } from '../kit/toasts.tsx'
import { t } from '../messages/t.ts'
import { ON_BOARD } from '../screens/board/shortcuts.ts'
import { IN_INBOX } from '../screens/inbox/shortcuts.ts'
import { IN_LIST } from '../screens/mine/shortcuts.ts'
import { IN_PAGE } from '../screens/pages/shortcuts.ts'
import { IN_TASK } from '../screens/task/shortcuts.ts'

/** The single-letter shortcuts of the current screen as commands. */
export function contextCommands(
  path: string,
  task: string | null,
): { title: string; shortcutCommands: Command[]; isOfTasks: boolean } {
  const [title, table] = contextOf(path, task)
  const commands = Object.values(table).flatMap(
    ({ description, icon, keys: [key] }: Shortcut): Command[] =>
      icon
        ? [{ name: description, icon, hint: key.toUpperCase(), run: () => dispatchKey(key) }]
        : [],
  )
  return { title, shortcutCommands: commands, isOfTasks: table === IN_TASK || table === ON_BOARD }
}

function contextOf(path: string, task: string | null): [string, ShortcutTable] {
  // The shortcuts of the inbox take precedence over those of the open task.
  if (path === '/inbox') return [t('shell.selected_notification'), IN_INBOX]
  if (path.startsWith('/t/') || task) return [t('shell.this_task'), IN_TASK]
  if (path.startsWith('/p/')) return [t('shell.this_page'), IN_PAGE]
  if (path === '/my') return [t('shell.selected_task'), IN_LIST]
  return boardAt(path) === undefined ? ['', {}] : [t('shell.selected_cards'), ON_BOARD]
}

/** Dispatches the key after the palette has closed and returned the focus. */
function dispatchKey(key: string) {
  requestAnimationFrame(() => {
    if (document.querySelector('.palette')) return dispatchKey(key)
    requestAnimationFrame(() => {
      const code = `Key${key.toUpperCase()}`
      const event = new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true })
      document.body.dispatchEvent(event)
      if (!event.defaultPrevented) showToast(t('shell.select_an_item_first_press_j_or'))
    })
  })
}
