import { EVERYWHERE } from '../entities/command/shortcuts.ts'
import { Dialog } from '../kit/dialog.tsx'
import { keyCaps, type Shortcut, type ShortcutTable } from '../kit/shortcuts.ts'
import { t } from '../messages/t.ts'
import { IN_RUN, ON_AGENTS } from '../screens/agents/shortcuts.ts'
import { IN_ARCHIVE } from '../screens/archive/shortcuts.ts'
import { ON_BOARD } from '../screens/board/shortcuts.ts'
import { IN_INBOX } from '../screens/inbox/shortcuts.ts'
import { IN_LIST } from '../screens/mine/shortcuts.ts'
import { IN_PAGE } from '../screens/pages/shortcuts.ts'
import { IN_SEARCH } from '../screens/search/shortcuts.ts'
import { IN_TASK } from '../screens/task/shortcuts.ts'
import './shortcuts.css'

const TABLES: readonly [string, ShortcutTable][] = [
  [t('shell.everywhere'), EVERYWHERE],
  [t('shell.on_a_board'), ON_BOARD],
  [t('shell.in_a_task'), IN_TASK],
  [t('shell.on_a_page'), IN_PAGE],
  [t('shell.in_my_tasks'), IN_LIST],
  [t('shell.in_agents'), ON_AGENTS],
  [t('shell.in_a_run'), IN_RUN],
  [t('shell.in_search'), IN_SEARCH],
  [t('shell.in_the_inbox'), IN_INBOX],
  [t('shell.in_the_archive'), IN_ARCHIVE],
]

/** The list of all shortcuts, from the tables that define them. */
export default function Shortcuts({ onClose }: { onClose(): void }) {
  return (
    <Dialog open onClose={onClose} title={t('shell.keyboard_shortcuts')}>
      <div className="shortcuts">
        {TABLES.map(([title, table]) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <dl>
              {Object.values(table).map((shortcut) => (
                <div key={shortcut.description}>
                  <dt>{shortcut.description}</dt>
                  <dd>
                    <Caps {...shortcut} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

/** `g` then `b`, `j` or `↓`. */
const Caps = ({ keys, keysText }: Shortcut) =>
  (keysText ? [keysText] : keys).map((binding, at) => (
    <span key={binding} className="caps">
      {at > 0 && <span className="word">{t('shell.or')}</span>}
      {keyCaps(binding).map((press, index) => (
        <span key={press.join()} className="caps">
          {index > 0 && <span className="word">{t('shell.then')}</span>}
          {press.map((cap) => (
            <kbd key={cap}>{cap}</kbd>
          ))}
        </span>
      ))}
    </span>
  ))
