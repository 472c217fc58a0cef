import { type EditorView, WidgetType } from '@codemirror/view'
import { t } from '../../../messages/t.ts'
import { element } from './element.ts'

export class BulletWidget extends WidgetType {
  override eq() {
    return true
  }
  toDOM() {
    return element('span', { class: 'cm-marker cm-bullet' }, '•')
  }
}

export class NumberWidget extends WidgetType {
  readonly text: string
  constructor(text: string) {
    super()
    this.text = text
  }
  override eq({ text }: NumberWidget) {
    return text === this.text
  }
  toDOM() {
    return element('span', { class: 'cm-marker' }, this.text)
  }
}

/** A check box that ticks its item in the source. */
export class CheckboxWidget extends WidgetType {
  readonly isChecked: boolean
  readonly label: string
  constructor(isChecked: boolean, label: string) {
    super()
    this.isChecked = isChecked
    this.label = label
  }
  override eq({ isChecked, label }: CheckboxWidget) {
    return isChecked === this.isChecked && label === this.label
  }
  toDOM(view: EditorView) {
    const box = element('input', {
      type: 'checkbox',
      'aria-label': this.label || t('editor.checkbox'),
    })
    box.checked = this.isChecked
    const marker = element('span', { class: 'cm-marker' }, box)
    box.onmousedown = (event) => event.preventDefault()
    box.disabled = view.state.readOnly
    box.onchange = () => toggleBox(view, view.posAtDOM(marker))
    return marker
  }
  override updateDOM(dom: HTMLElement) {
    const box = dom.querySelector('input')
    if (!box) return false
    box.checked = this.isChecked
    box.setAttribute('aria-label', this.label || t('editor.checkbox'))
    return true
  }
  override ignoreEvent() {
    return true
  }
}

const BOX = /^(\s*(?:>\s*)*(?:[-*+]|\d+[.)])\s+\[)([ xX])\]/

/** Ticks or clears the check box of the line at a position. Returns whether it has one. */
export function toggleBox(view: EditorView, position: number): boolean {
  const line = view.state.doc.lineAt(position)
  const match = BOX.exec(line.text)
  if (!match) return false
  const from = line.from + match[1]!.length
  const insert = match[2] === ' ' ? 'x' : ' '
  view.dispatch({ changes: { from, to: from + 1, insert }, userEvent: 'input.check' })
  return true
}
