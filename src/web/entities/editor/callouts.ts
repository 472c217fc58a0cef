import { t } from '../../messages/t.ts'

/** The names of callouts: quotes that begin with a line such as `[!NOTE]`. */
export const CALLOUTS: Readonly<Record<string, string>> = {
  note: t('editor.callout_note'),
  tip: t('editor.callout_tip'),
  important: t('editor.callout_important'),
  warning: t('editor.callout_warning'),
  caution: t('editor.callout_caution'),
}

const MARK = /^\s*\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i

/** Gives a rendered quote the look of the callout that its first line names. */
export function decorateCallout(quote: Element) {
  const paragraph = quote.querySelector(':scope > p:first-child')
  const first = paragraph?.firstChild
  const match = first instanceof Text ? MARK.exec(first.data) : null
  if (!paragraph || !(first instanceof Text) || !match) return
  const kind = match[1]!.toLowerCase()
  first.data = first.data.slice(match[0].length)
  if (first.nextSibling instanceof HTMLBRElement && !first.data) first.nextSibling.remove()
  quote.classList.add('callout', `callout-${kind}`)
  const label = document.createElement('strong')
  label.textContent = CALLOUTS[kind]!
  quote.prepend(label)
  if (!paragraph.hasChildNodes() || !paragraph.textContent) paragraph.remove()
}
