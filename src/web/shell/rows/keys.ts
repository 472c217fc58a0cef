import { type KeyboardEvent, useLayoutEffect } from 'react'

export interface RowKeys {
  /** Opens or closes what is below a row; false if there is nothing. */
  fold(index: number, isOpen: boolean): boolean
  rename(index: number): void
  remove(index: number): void
  /** Moves a row by a step; without it, rows have a fixed order. */
  move?(index: number, by: 1 | -1): void
  levelOf(index: number): number
}

/** The rows of a list in the sidebar, in their order. */
const rowsOf = (list: Element) => [...list.querySelectorAll<HTMLElement>('.side-row > .place')]

/** The keys of a list of rows: those of a tree, and F2, Delete and Alt with an arrow. */
export function handleRowKey(event: KeyboardEvent, keys: RowKeys) {
  const rows = rowsOf(event.currentTarget)
  const index = rows.indexOf(event.target as HTMLElement)
  if (index < 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
  const run = event.altKey ? altKey(event.key, index, keys) : plainKey(event.key, index, rows, keys)
  if (!run) return
  event.preventDefault()
  run()
}

function altKey(key: string, index: number, { move }: RowKeys) {
  const by = ({ ArrowUp: -1, ArrowDown: 1 } as const)[key as 'ArrowUp']
  return by && move && (() => move(index, by))
}

function plainKey(key: string, index: number, rows: readonly HTMLElement[], keys: RowKeys) {
  const { fold, rename, remove, levelOf } = keys
  const to = (next: number) => () => rows[next]?.focus()
  const level = levelOf(index)
  const parent = rows.findLastIndex((_, at) => at < index && levelOf(at) < level)
  if (key === 'ArrowDown') return to(index + 1)
  if (key === 'ArrowUp') return to(index - 1)
  if (key === 'Home') return to(0)
  if (key === 'End') return to(rows.length - 1)
  if (key === 'ArrowRight') return () => fold(index, true) || to(index + 1)()
  if (key === 'ArrowLeft') return () => fold(index, false) || to(parent)()
  if (key === 'F2') return () => rename(index)
  return key === 'Delete' ? () => remove(index) : undefined
}

const focusNow = (id: string) =>
  document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"] > .place`)?.focus()

/** Focuses a row when it is drawn again, after it was renamed. */
export const focusRow = (id: string) => requestAnimationFrame(() => focusNow(id))

let movedId: string | undefined

/** A moved row loses the focus; it gets it back before the next key. */
export const keepFocus = (id: string) => {
  movedId = id
}

export function useKeptFocus() {
  useLayoutEffect(() => {
    if (movedId !== undefined) focusNow(movedId)
    movedId = undefined
  })
}
