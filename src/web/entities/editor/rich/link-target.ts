import { EditorView } from '@codemirror/view'
import { basePath, isBelowBase } from '../../../kit/base-path.ts'

const SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:'])

/** Where a link leads, if it is safe to open. Texts name what is on this server by its path. */
export function linkTarget(address: string): string | undefined {
  const isPath = /^\/(?!\/)/.test(address)
  const text = /^www\./i.test(address) ? `https://${address}` : address
  const full = isPath && basePath && !hasBase(address) ? basePath + address : text
  if (!isPath && !/^[a-z][a-z0-9+.-]*:/i.test(text)) return undefined
  if (!URL.canParse(full, location.origin)) return undefined
  const url = new URL(full, location.origin)
  return SCHEMES.has(url.protocol) ? url.href : undefined
}

const hasBase = (address: string) => isBelowBase(new URL(address, location.origin))

/** Whether a file is on this server. Loading others would tell their host who reads this. */
export const isOwnAddress = (target: string | undefined): target is string =>
  target !== undefined && isBelowBase(new URL(target))

export function openLink(target: string) {
  window.open(target, '_blank', 'noopener,noreferrer')
}

/** Ctrl or Cmd with a click opens a link; a click alone places the cursor. */
export const linkClicks = EditorView.domEventHandlers({
  mousedown: (event) => {
    const link = (event.target as Element).closest<HTMLElement>('[data-url]')
    const isModified = event.ctrlKey || event.metaKey || event.button === 1
    if (!link?.dataset.url || !isModified) return false
    event.preventDefault()
    openLink(link.dataset.url)
    return true
  },
})
