import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { t } from '../../../messages/t.ts'
import { type Block, blockAt, moveBlockTo } from './blocks.ts'
import { button, element, icon } from './element.ts'

const GRIP = 'M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01'
/** Movement below this many pixels is a click. */
const DRAG_START = 4

/** A handle beside the block under the pointer. Dragging it moves the block. */
class BlockHandle {
  readonly #view: EditorView
  readonly #handle: HTMLButtonElement
  readonly #line = element('div', { class: 'cm-drop-line', 'aria-hidden': 'true' })
  #block: Block | undefined
  #target: number | undefined
  #isDragging = false

  constructor(view: EditorView) {
    this.#view = view
    this.#handle = button(
      { label: t('editor.move_block'), class: 'cm-handle', tabindex: '-1' },
      icon(GRIP),
      () => this.#select(),
    )
    this.#handle.onpointerdown = (event) => this.#startDrag(event)
    this.#hide()
    this.#line.hidden = true
    view.dom.append(this.#handle, this.#line)
    view.dom.addEventListener('pointermove', this.#follow)
    view.dom.addEventListener('pointerleave', this.#leave)
  }

  update({ docChanged }: ViewUpdate) {
    if (docChanged) this.#hide()
  }

  destroy() {
    this.#view.dom.removeEventListener('pointermove', this.#follow)
    this.#view.dom.removeEventListener('pointerleave', this.#leave)
    this.#handle.remove()
    this.#line.remove()
  }

  #hide() {
    this.#handle.hidden = true
    this.#block = undefined
  }

  #leave = () => {
    if (!this.#isDragging) this.#hide()
  }

  #blockUnder(clientY: number): Block | undefined {
    const { contentDOM, state } = this.#view
    const { left } = contentDOM.getBoundingClientRect()
    const position = this.#view.posAtCoords({ x: left + 4, y: clientY }, false)
    return blockAt(state, position)
  }

  #follow = ({ pointerType, clientY, target }: PointerEvent) => {
    if (pointerType !== 'mouse' || this.#handle.contains(target as Node)) return
    if (this.#view.state.readOnly || this.#isDragging) return
    const block = this.#blockUnder(clientY)
    if (!block) return this.#hide()
    this.#block = block
    this.#handle.hidden = false
    this.#handle.style.top = `${this.#topOf(block.from)}px`
  }

  #topOf(position: number): number {
    const { top } = this.#view.dom.getBoundingClientRect()
    const rect = this.#view.coordsAtPos(position, 1)
    return rect ? rect.top + (rect.bottom - rect.top) / 2 - top : 0
  }

  #select() {
    const block = this.#block
    if (!block) return
    this.#view.focus()
    this.#view.dispatch({ selection: { anchor: block.from, head: block.to } })
  }

  #startDrag(event: PointerEvent) {
    const block = this.#block
    if (!block || event.button !== 0) return
    const handle = this.#handle
    handle.setPointerCapture(event.pointerId)
    this.#isDragging = true
    const onMove = ({ clientY }: PointerEvent) => {
      if (Math.abs(clientY - event.clientY) > DRAG_START || this.#target !== undefined)
        this.#showTarget(clientY)
    }
    const onCancel = (key: KeyboardEvent) => key.key === 'Escape' && finish(false)
    const finish = (isDropped: boolean) => {
      handle.removeEventListener('pointermove', onMove)
      removeEventListener('keydown', onCancel, true)
      const target = this.#target
      this.#isDragging = false
      this.#target = undefined
      this.#line.hidden = true
      if (isDropped && target !== undefined) moveBlockTo(this.#view, block, target)
    }
    handle.addEventListener('pointermove', onMove)
    addEventListener('keydown', onCancel, true)
    handle.onpointerup = () => finish(true)
    handle.onpointercancel = () => finish(false)
  }

  /** Shows the line that the block would be dropped at. */
  #showTarget(clientY: number) {
    const over = this.#blockUnder(clientY)
    if (!over) return
    const { top } = this.#view.dom.getBoundingClientRect()
    const start = this.#view.coordsAtPos(over.from, 1)
    const end = this.#view.coordsAtPos(over.to, -1)
    if (!start || !end) return
    const isBelow = clientY > (start.top + end.bottom) / 2
    this.#target = isBelow ? over.to : over.from
    this.#line.hidden = false
    this.#line.style.top = `${(isBelow ? end.bottom : start.top) - top}px`
  }
}

export const blockHandle = ViewPlugin.fromClass(BlockHandle)
