import { useCallback, useEffect, useEffectEvent, useMemo } from 'react'
import type { Card, Column } from '../../../entities/board/data.ts'
import { closeMenu, isForBrowser, openMenu, pointAnchor } from '../../../kit/context-menu.tsx'
import { lazyComponent } from '../../../kit/lazy-component.ts'
import type { PopupProps } from '../../../kit/opener.tsx'
import { t } from '../../../messages/t.ts'
import { assign, currentCards } from '../change.ts'
import type { Point } from '../drag/touch.ts'
import type { EditableField, useKeys } from '../keys.ts'
import type { Picking } from '../picker.tsx'
import type { CardActions } from './card-actions.ts'
import { onChipKey } from './chip-focus.ts'
import { markDone } from './mark-done.ts'

export const CardMenu = lazyComponent(() => import('./card-menu.tsx'))

interface Options {
  project_id: number
  me: number | undefined
  shown: readonly Column[]
  keys: ReturnType<typeof useKeys>
  open(card: Card): void
  setPicking(picking: Picking): void
  setAddingTo(parent: Card): void
}

type Anchor = PopupProps['anchor']

/** What somebody does with cards in place: chips, buttons and the menu. */
export function useCardActions(options: Options) {
  const { project_id, me, shown, keys, open, setPicking, setAddingTo } = options
  const { selectedIds, setActive, toggle, clear } = keys
  const idsFor = (task_id: number) => (selectedIds.has(task_id) ? [...selectedIds] : [task_id])
  const edit = useEffectEvent((card: Card, what: EditableField, anchor: Element) => {
    setActive(card.task_id)
    setPicking({ what, ids: idsFor(card.task_id), anchor, isFromChip: true })
  })
  const toggleDone = useEffectEvent((card: Card) => {
    const isDone = shown.find(({ section_id }) => section_id === card.section_id)?.done
    markDone(project_id, idsFor(card.task_id), !isDone)
  })
  const assignMe = useEffectEvent((card: Card) => {
    if (me === undefined) return
    const cards = currentCards(project_id, idsFor(card.task_id))
    void assign(project_id, cards, { key: me, name: t('board.me_inline') }, true)
  })
  const openMenuAt = useEffectEvent((task_id: number, anchor: Anchor) => {
    setActive(task_id)
    const ids = idsFor(task_id)
    const pick = (what: EditableField) =>
      setPicking({ what, ids, anchor: document.querySelector(`[data-task="${task_id}"]`) })
    const content = { project_id, ids, open, pick, toggle, clear, addSubtask: setAddingTo }
    openMenu(
      (popup) => <CardMenu {...content} isSelected={selectedIds.has(task_id)} {...popup} />,
      anchor,
    )
  })
  return useMemo(
    (): CardActions & { openMenuAt(task_id: number, anchor: Anchor): void } => ({
      me,
      edit: (...args) => edit(...args),
      openMenu: ({ task_id }, button) => openMenuAt(task_id, button),
      openMenuAt: (...args) => openMenuAt(...args),
      toggleDone: (card) => toggleDone(card),
      assignMe: (card) => assignMe(card),
    }),
    [me],
  )
}

/**
 * Opens the menu of a card by right click, the menu key or Shift+F10, and moves the focus among its
 * chips. Returns what opens the menu for a finger that holds a card.
 */
export function useCardMenus(openMenuAt: ((task_id: number, anchor: Anchor) => void) | undefined) {
  const open = useEffectEvent((task_id: number, point: Point) =>
    openMenuAt?.(task_id, pointAnchor(point)),
  )
  const onContextMenu = useEffectEvent((event: MouseEvent) => {
    const card = event.target instanceof Element && event.target.closest<HTMLElement>('[data-task]')
    // A card that the server has not created yet has no menu.
    if (!card || !openMenuAt || Number(card.dataset.task) < 0 || isForBrowser(event, card)) return
    event.preventDefault()
    open(Number(card.dataset.task), event)
  })
  useEffect(() => {
    const root = document.getElementById('main')
    const onMenu = (event: MouseEvent) => onContextMenu(event)
    root?.addEventListener('contextmenu', onMenu)
    root?.addEventListener('keydown', onChipKey)
    return () => {
      root?.removeEventListener('contextmenu', onMenu)
      root?.removeEventListener('keydown', onChipKey)
    }
  }, [])
  return useCallback((task_id: number, point: Point) => {
    open(task_id, point)
    return closeMenu
  }, [])
}
