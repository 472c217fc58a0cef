import { useEffect, useEffectEvent } from 'react'
import { currentBoard } from '../../../entities/board/data.ts'

/** Attaches files that are dropped on a card, or pasted while a card has the focus. */
export function useFileDrops(project_id: number) {
  const attach = useEffectEvent((target: Element | null, files: readonly File[]) => {
    const id = Number(target?.closest<HTMLElement>('[data-task]')?.dataset.task)
    const card = currentBoard(project_id)?.cards.find(({ task_id }) => task_id === id)
    if (!card || id < 0 || !files.length) return false
    void import('../../../entities/editor/attach-files.ts').then(({ attachFiles }) =>
      attachFiles(card, files),
    )
    return true
  })
  useEffect(() => {
    const leave = listenToDrags((target, files) => attach(target, files))
    const onPaste = (event: ClipboardEvent) => {
      const { activeElement: element } = document
      if (element?.matches('input, textarea, [contenteditable]')) return
      if (attach(element, [...(event.clipboardData?.files ?? [])])) event.preventDefault()
    }
    document.addEventListener('paste', onPaste)
    return () => {
      leave()
      document.removeEventListener('paste', onPaste)
    }
  }, [])
}

const cardUnder = ({ target }: Event) =>
  target instanceof Element ? target.closest('[data-task]') : null

/** Marks the card under dragged files. The browser would open files that are dropped elsewhere. */
function listenToDrags(onDrop: (target: Element | null, files: readonly File[]) => void) {
  const mark = (card: Element | null) => {
    for (const other of document.querySelectorAll('[data-file-over]'))
      if (other !== card) other.removeAttribute('data-file-over')
    card?.setAttribute('data-file-over', '')
  }
  const onDrag = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files') || event.defaultPrevented) return
    event.preventDefault()
    const card = event.type === 'dragover' ? cardUnder(event) : null
    mark(card)
    if (event.type !== 'drop') event.dataTransfer.dropEffect = card ? 'copy' : 'none'
    else onDrop(cardUnder(event), [...event.dataTransfer.files])
  }
  const types = ['dragover', 'dragleave', 'drop'] as const
  for (const type of types) document.addEventListener(type, onDrag)
  return () => {
    for (const type of types) document.removeEventListener(type, onDrag)
  }
}
