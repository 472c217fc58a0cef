import { useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { isFolder, type PinEntry, visiblePins } from '../../entities/sidebar/entries.ts'
import { usePins } from '../../entities/sidebar/pins.ts'
import type { Me } from '../../entities/user/me.ts'
import { Icon, type IconName } from '../../kit/icon.tsx'
import { createStoredSet } from '../../kit/stored-set.ts'
import { t } from '../../messages/t.ts'
import { focusRow, handleRowKey, useKeptFocus } from '../rows/keys.ts'
import { SideRow } from '../rows/row.tsx'
import { addFolder, menuOf, moveByDrop, moveByStep, remove, rename } from './actions.ts'
import { addressOf } from './address.ts'
import { usePinDrag } from './drag.ts'
import { useStoredPins } from './stored.ts'

const closedFolders = createStoredSet('closed-folders')

/** What the person has pinned: boards, views, pages and filters, in folders. */
export default function Pins({ me }: { me: Me }) {
  const { entries, isLoaded } = usePins()
  const closed = closedFolders.use()
  const [renaming, setRenaming] = useState<string>()
  useKeptFocus()
  useStoredPins(isLoaded ? entries.length > 0 : undefined)
  if (!entries.length) return null
  const nodes = visiblePins(entries, closed)
  const fold = (index: number, isOpen: boolean) => {
    const node = nodes[index]
    if (!node || !isFolder(node.entry) || node.isOpen === isOpen) return false
    closedFolders.toggle(node.entry.id, !isOpen)
    return true
  }
  const moveBy = (index: number, by: 1 | -1) => moveByStep(nodes, index, by)
  const finish = (pin: PinEntry, title: string | undefined) => {
    setRenaming(undefined)
    if (title) rename(pin, title)
    focusRow(pin.id)
  }
  return (
    <>
      <Heading onAdd={() => void addFolder().then(setRenaming)} />
      <ul
        className="side-rows pins"
        aria-label={t('sidebar.pinned')}
        onKeyDown={(event) =>
          handleRowKey(event, {
            ...{ fold, move: moveBy, levelOf: (index) => nodes[index]!.level },
            rename: (index) => setRenaming(nodes[index]!.entry.id),
            remove: (index) => remove(nodes[index]!.entry),
          })
        }
      >
        {nodes.map(({ entry, level, isOpen }, index) => (
          <Pin
            key={entry.id}
            {...{ me, level, isOpen }}
            pin={entry}
            isRenaming={renaming === entry.id}
            menu={menuOf(entry, entries, {
              startRenaming: () => setRenaming(entry.id),
              moveBy: (by) => moveBy(index, by),
            })}
            onToggle={() => closedFolders.toggle(entry.id, isOpen)}
            onRename={(title) => finish(entry, title)}
            onDrop={(id, target, where) => moveByDrop(entries, id, target, where)}
          />
        ))}
      </ul>
    </>
  )
}

const Heading = ({ onAdd }: { onAdd(): void }) => (
  <h2>
    <span>{t('sidebar.pinned')}</span>
    <button type="button" className="button quiet only" onClick={onAdd}>
      <Icon name="plus" label={t('sidebar.new_folder')} />
    </button>
  </h2>
)

interface PinProps {
  me: Me
  pin: PinEntry
  level: number
  isOpen: boolean
  isRenaming: boolean
  menu: ReturnType<typeof menuOf>
  onToggle(): void
  onRename(title: string | undefined): void
  onDrop: Parameters<typeof usePinDrag>[2]
}

function Pin({ me, pin, level, isOpen, onDrop, ...row }: PinProps) {
  const ref = useRef<HTMLLIElement>(null)
  usePinDrag(ref, pin, onDrop)
  const [path] = useLocation()
  const [query] = useSearchParams()
  const board = me.boards.find(({ project_id }) => pin.path === `/projects/${project_id}`)
  return (
    <SideRow
      {...row}
      id={pin.id}
      ref={ref}
      // A board is shown with the name that it has now.
      name={board?.title ?? pin.title}
      path={pin.path}
      level={level - 1}
      isOpen={isFolder(pin) ? isOpen : undefined}
      isCurrent={pin.path === addressOf(path, query)}
      icon={board ? <Mark boardKey={board.key} /> : <Icon name={iconOf(pin.path)} />}
    />
  )
}

const Mark = ({ boardKey }: { boardKey: string }) => (
  <span className="mark" aria-hidden="true">
    {boardKey.slice(0, 3)}
  </span>
)

const ICONS: readonly [RegExp, IconName][] = [
  [/^\/projects\/\d+\?(?!view=[\w-]+$)/, 'filter'],
  [/^\/projects\//, 'board'],
  [/^\/p\//, 'page'],
  [/^\/my/, 'mine'],
  [/^\/inbox/, 'inbox'],
  [/^\/search/, 'search'],
  [/^\/agents|^\/runs/, 'agent'],
  [/^\/reports/, 'chart'],
  [/^\/archive/, 'archive'],
  [/^\/settings/, 'settings'],
]

const iconOf = (path: string | undefined): IconName =>
  path === undefined ? 'folder' : (ICONS.find(([pattern]) => pattern.test(path))?.[1] ?? 'link')
