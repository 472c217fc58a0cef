import { useEffect, useEffectEvent, useState } from 'react'
import { showOverlay } from '../entities/command/overlay.ts'
import { EVERYWHERE } from '../entities/command/shortcuts.ts'
import { IN_TEXT } from '../entities/editor/shortcuts.ts'
import { Dialog } from '../kit/dialog.tsx'
import { changeKeys, resetAllKeys, useShortcutChanges } from '../kit/shortcut-changes.ts'
import {
  changeableId,
  keyCaps,
  keysOf,
  type Shortcut,
  type ShortcutTable,
} from '../kit/shortcuts.ts'
import { t } from '../messages/t.ts'
import { IN_RUN, ON_AGENTS } from '../screens/agents/shortcuts.ts'
import { IN_ARCHIVE } from '../screens/archive/shortcuts.ts'
import { ON_BOARD } from '../screens/board/shortcuts.ts'
import { IN_INBOX } from '../screens/inbox/shortcuts.ts'
import { IN_LIST } from '../screens/mine/shortcuts.ts'
import { IN_PAGE } from '../screens/pages/shortcuts.ts'
import { IN_SEARCH } from '../screens/search/shortcuts.ts'
import { IN_TASK } from '../screens/task/shortcuts.ts'
import { pressOf } from './record-keys.ts'
import './shortcuts.css'

const TABLES: readonly [string, ShortcutTable][] = [
  [t('shell.everywhere'), EVERYWHERE],
  [t('shell.on_a_board'), ON_BOARD],
  [t('shell.in_a_task'), IN_TASK],
  [t('shell.in_a_text'), IN_TEXT],
  [t('shell.on_a_page'), IN_PAGE],
  [t('shell.in_my_tasks'), IN_LIST],
  [t('shell.in_agents'), ON_AGENTS],
  [t('shell.in_a_run'), IN_RUN],
  [t('shell.in_search'), IN_SEARCH],
  [t('shell.in_the_inbox'), IN_INBOX],
  [t('shell.in_the_archive'), IN_ARCHIVE],
]

/** The list of all shortcuts, from the tables that define them, in which they can be changed. */
export default function Shortcuts({ onClose }: { onClose(): void }) {
  const hasChanges = Object.keys(useShortcutChanges()).length > 0
  const [recording, setRecording] = useState<Shortcut>()
  return (
    <Dialog
      open
      onClose={() => (recording ? setRecording(undefined) : onClose())}
      title={t('shell.keyboard_shortcuts')}
    >
      <p className="shortcuts-hint soft">
        {t('shell.click_the_keys_of_a_shortcut_to_change_them')}{' '}
        <button type="button" className="button plain" onClick={() => showOverlay('tour')}>
          {t('tour.take_the_tour')}
        </button>
        {hasChanges && (
          <button type="button" className="button plain" onClick={resetAllKeys}>
            {t('shell.reset_all_shortcuts')}
          </button>
        )}
      </p>
      <div className="shortcuts">
        {TABLES.map(([title, table]) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <dl>
              {Object.values(table).map((shortcut) => (
                <div key={shortcut.description}>
                  <dt>{shortcut.description}</dt>
                  <dd>
                    {shortcut === recording ? (
                      <Recorder {...{ shortcut, table }} onEnd={() => setRecording(undefined)} />
                    ) : (
                      <Keys shortcut={shortcut} onChange={() => setRecording(shortcut)} />
                    )}
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

/** The keys of a shortcut, as a button if they can be changed. */
function Keys({ shortcut, onChange }: { shortcut: Shortcut; onChange(): void }) {
  const { description } = shortcut
  const caps = <Caps {...shortcut} keys={keysOf(shortcut)} />
  if (!changeableId(shortcut)) return caps
  return (
    <button
      type="button"
      className="button quiet"
      title={t('shell.change_the_keys')}
      onClick={onChange}
    >
      <span className="unseen">{t('shell.change_the_keys_of', { description })}</span>
      {caps}
    </button>
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

/** How long a second key may come after the first. */
const SEQUENCE_MS = 900

interface RecorderProps {
  shortcut: Shortcut
  table: ShortcutTable
  onEnd(): void
}

/** Takes the next one or two presses as the keys of a shortcut. Backspace restores the default. */
function Recorder({ shortcut, table, onEnd }: RecorderProps) {
  const [presses, setPresses] = useState<readonly string[]>([])
  const [other, setOther] = useState<Shortcut>()
  const id = changeableId(shortcut)!
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    if (event.key === 'Escape') return onEnd()
    if (event.key === 'Backspace') {
      changeKeys(id, undefined)
      return onEnd()
    }
    const press = pressOf(event)
    if (!press || event.repeat) return
    setOther(undefined)
    setPresses((previous) => [...previous.slice(-1), press])
  })
  const finish = useEffectEvent(() => {
    const keys = presses.join(' ')
    const conflict = conflicting(shortcut, table, keys)
    setPresses([])
    if (conflict) return setOther(conflict)
    changeKeys(id, keys)
    onEnd()
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => handleKey(event)
    addEventListener('keydown', onKeyDown, true)
    return () => removeEventListener('keydown', onKeyDown, true)
  }, [])
  useEffect(() => {
    if (!presses.length) return
    const timer = setTimeout(() => finish(), presses.length > 1 ? 0 : SEQUENCE_MS)
    return () => clearTimeout(timer)
  }, [presses])
  return (
    <span className="recording" role="status">
      {presses.length ? (
        <Caps {...shortcut} keys={[presses.join(' ')]} />
      ) : other ? (
        t('shell.already_used_for', { description: other.description })
      ) : (
        t('shell.press_the_new_keys')
      )}
    </span>
  )
}

/** A shortcut that could be meant by the same keys, also as the first key of a sequence. */
function conflicting(shortcut: Shortcut, table: ShortcutTable, keys: string): Shortcut | undefined {
  const tables = table === EVERYWHERE ? TABLES.map(([, one]) => one) : [table, EVERYWHERE]
  const overlaps = (other: string) =>
    other === keys || other.startsWith(`${keys} `) || keys.startsWith(`${other} `)
  return tables
    .flatMap((one) => Object.values(one))
    .find((one) => one !== shortcut && keysOf(one).some(overlaps))
}
