import { EVERYWHERE } from '../entities/command/shortcuts.ts'
import { Dialog } from '../kit/dialog.tsx'
import { caps, type Shortcut, type Table } from '../kit/shortcuts.ts'
import { IN_RUN, ON_AGENTS } from '../screens/agents/shortcuts.ts'
import { IN_ARCHIVE } from '../screens/archive/shortcuts.ts'
import { ON_BOARD } from '../screens/board/shortcuts.ts'
import { IN_INBOX } from '../screens/inbox/shortcuts.ts'
import { IN_LIST } from '../screens/mine/shortcuts.ts'
import { IN_PAGE } from '../screens/pages/shortcuts.ts'
import { IN_SEARCH } from '../screens/search/shortcuts.ts'
import { IN_TASK } from '../screens/task/shortcuts.ts'
import './shortcuts.css'

const TABLES: readonly [string, Table][] = [
  ['Everywhere', EVERYWHERE],
  ['On a board', ON_BOARD],
  ['In a task', IN_TASK],
  ['On a page', IN_PAGE],
  ['In My Tasks', IN_LIST],
  ['In Agents', ON_AGENTS],
  ['In a run', IN_RUN],
  ['In search', IN_SEARCH],
  ['In the inbox', IN_INBOX],
  ['In the archive', IN_ARCHIVE],
]

/** The list of all shortcuts, from the tables that define them. */
export default function Shortcuts({ onClose }: { onClose(): void }) {
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts">
      <div className="shortcuts">
        {TABLES.map(([title, table]) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <dl>
              {Object.values(table).map((shortcut) => (
                <div key={shortcut.does}>
                  <dt>{shortcut.does}</dt>
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
const Caps = ({ keys, shown }: Shortcut) =>
  (shown ? [shown] : keys).map((binding, at) => (
    <span key={binding} className="caps">
      {at > 0 && <span className="word">or</span>}
      {caps(binding).map((press, index) => (
        <span key={press.join()} className="caps">
          {index > 0 && <span className="word">then</span>}
          {press.map((cap) => (
            <kbd key={cap}>{cap}</kbd>
          ))}
        </span>
      ))}
    </span>
  ))
