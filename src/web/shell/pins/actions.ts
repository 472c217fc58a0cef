import {
  type Entries,
  isFolder,
  moveEntry,
  type PinEntry,
  type PinNode,
  type PinPlace,
  removeEntry,
  renameEntry,
  stepPlace,
} from '../../entities/sidebar/entries.ts'
import { editPins, newPinId } from '../../entities/sidebar/pins.ts'
import type { MenuItem } from '../../kit/menu-popup.tsx'
import { t } from '../../messages/t.ts'
import { keepFocus } from '../rows/keys.ts'

export async function addFolder(): Promise<string> {
  const id = newPinId()
  const title = t('sidebar.new_folder')
  await editPins({ what: t('sidebar.created_title', { title }) }, (entries) => [
    { id, title },
    ...entries,
  ])
  return id
}

export const rename = ({ id, title: before }: PinEntry, title: string) =>
  void editPins({ what: t('sidebar.renamed_title', { title: before }) }, (entries) =>
    renameEntry(entries, id, title),
  )

export const remove = ({ id, title, path }: PinEntry) =>
  void editPins(
    {
      what:
        path === undefined
          ? t('sidebar.deleted_the_folder_title', { title })
          : t('sidebar.unpinned_title', { title }),
      isShown: true,
    },
    (entries) => removeEntry(entries, id),
  )

function move({ id, title }: PinEntry, place: PinPlace) {
  const edit = { what: t('sidebar.moved_title', { title }), step: `pin ${id}` }
  keepFocus(id)
  void editPins(edit, (entries) => moveEntry(entries, id, place))
}

/** Moves a pin by a step; returns the folder that has to be open to see it. */
export function moveByStep(nodes: readonly PinNode[], index: number, by: 1 | -1) {
  const place = stepPlace(nodes, index, by)
  if (place) move(nodes[index]!.entry, place)
}

/** Moves a pin that was dropped beside another one or into a folder. */
export function moveByDrop(
  entries: Entries,
  id: string,
  target: string,
  where: 'top' | 'bottom' | 'inside',
) {
  const pin = entries.find((one) => one.id === id)
  const to = entries.find((one) => one.id === target)
  if (!pin || !to) return
  if (where === 'inside') return move(pin, { folder_id: target })
  const siblings = entries.filter((one) => one.folder_id === to.folder_id && one.id !== id)
  const next = siblings[siblings.indexOf(to) + 1]?.id
  move(pin, { folder_id: to.folder_id, before: where === 'top' ? target : next })
}

interface MenuActions {
  startRenaming(): void
  moveBy(by: 1 | -1): void
}

/** The menu of a pin or a folder. */
export function menuOf(pin: PinEntry, entries: Entries, { startRenaming, moveBy }: MenuActions) {
  const folders = isFolder(pin) ? [] : entries.filter(isFolder)
  const items: MenuItem[][] = [
    [
      { name: t('common.rename'), icon: 'pencil', hint: 'F2', run: startRenaming },
      { name: t('sidebar.move_up'), icon: 'up', hint: 'Alt+↑', run: () => moveBy(-1) },
      { name: t('sidebar.move_down'), icon: 'down', hint: 'Alt+↓', run: () => moveBy(1) },
    ],
    [
      ...folders
        .filter(({ id }) => id !== pin.folder_id)
        .map(({ id, title }) => ({
          name: t('sidebar.move_to_title', { title }),
          icon: 'under' as const,
          run: () => move(pin, { folder_id: id }),
        })),
      ...(pin.folder_id
        ? [{ name: t('sidebar.move_out_of_the_folder'), run: () => move(pin, {}) }]
        : []),
    ],
    [
      {
        name: isFolder(pin) ? t('sidebar.delete_folder') : t('sidebar.unpin'),
        icon: isFolder(pin) ? 'trash' : 'close',
        run: () => remove(pin),
      },
    ],
  ]
  return items.filter((group) => group.length)
}
