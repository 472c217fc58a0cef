import { WidgetType } from '@codemirror/view'
import { t } from '../../../messages/t.ts'
import { CALLOUTS } from '../callouts.ts'
import { button, element } from './element.ts'

export class RuleWidget extends WidgetType {
  override eq() {
    return true
  }
  toDOM() {
    return element('span', { class: 'cm-rule', role: 'separator' })
  }
  override ignoreEvent() {
    return false
  }
}

export class CalloutWidget extends WidgetType {
  readonly kind: string
  constructor(kind: string) {
    super()
    this.kind = kind
  }
  override eq({ kind }: CalloutWidget) {
    return kind === this.kind
  }
  toDOM() {
    return element('span', { class: 'cm-callout-label' }, CALLOUTS[this.kind] ?? this.kind)
  }
  override ignoreEvent() {
    return false
  }
}

const COPIED_MS = 1500

/** The language of a code block, and a button that copies its code. */
export class CodeToolsWidget extends WidgetType {
  readonly language: string
  readonly code: string
  constructor(language: string, code: string) {
    super()
    this.language = language
    this.code = code
  }
  override eq({ language, code }: CodeToolsWidget) {
    return language === this.language && code === this.code
  }
  toDOM() {
    const copy = button({ label: t('editor.copy_code') }, t('editor.copy'), () => {
      void navigator.clipboard?.writeText(this.code).then(() => {
        copy.textContent = t('editor.copied')
        setTimeout(() => {
          copy.textContent = t('editor.copy')
        }, COPIED_MS)
      })
    })
    const name = element('span', { class: 'cm-code-language' }, this.language)
    return element('span', { class: 'cm-code-tools', contenteditable: 'false' }, name, copy)
  }
  override ignoreEvent() {
    return true
  }
}
