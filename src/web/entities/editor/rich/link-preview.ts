import type { SyntaxNode } from '@lezer/common'
import { ImageWidget } from './image-widget.ts'
import { linkTarget } from './link-target.ts'
import type { PreviewContext } from './preview-context.ts'
import { TitleWidget } from './reference-preview.ts'
import { pageIn, pageReference } from './references.ts'

interface LinkParts {
  /** The marks around the text. */
  open: SyntaxNode
  close: SyntaxNode
  address: string
}

function partsOf(node: SyntaxNode, context: PreviewContext): LinkParts | undefined {
  const [open, close] = node.getChildren('LinkMark')
  const url = node.getChild('URL')
  if (!open || !close || !url) return undefined
  const address = context.text(url.from, url.to).replace(/^<|>$/g, '')
  return { open, close, address }
}

const FILE = /\/api\/v1\/attachments\/[^/]+\/content/

/** Shows the text of a link. Reference links and footnotes stay as they are written. */
export function previewLink(node: SyntaxNode, context: PreviewContext) {
  const { from, to } = node
  const parts = partsOf(node, context)
  if (!parts) return
  const { open, close, address } = parts
  const isEmpty = close.from <= open.to
  const page = pageIn(address)
  const kind = page ? ' cm-chip' : FILE.test(address) ? ' cm-file' : ''
  const target = linkTarget(address)
  const attributes = target ? { 'data-url': target } : undefined
  context.style(open.to, close.from, `cm-link${kind}`, attributes)
  const title = page && pageReference(page, context.view)?.title
  // The title of the page, if the text differs from it.
  if (title && title !== context.text(open.to, close.from))
    context.append(close.from, new TitleWidget(title, false))
  if (isEmpty || context.isTouched(from, to)) return
  context.hide(from, open.to)
  context.hide(close.from, to)
}

/** Shows an image instead of its source, or below it while the selection touches it. */
export function previewImage(node: SyntaxNode, context: PreviewContext) {
  const { from, to } = node
  const parts = partsOf(node, context)
  if (!parts?.address) return
  const widget = new ImageWidget(parts.address, context.text(parts.open.to, parts.close.from))
  if (!widget.isOurs) {
    context.style(from, to, 'cm-link', { 'data-url': linkTarget(parts.address) ?? '' })
    return
  }
  if (context.isTouched(from, to)) context.append(to, widget)
  else context.replace(from, to, widget)
}

/** Styles an address that is a link by itself. */
export function previewAddress(node: SyntaxNode, context: PreviewContext) {
  const { from, to, name, parent } = node
  if (name === 'URL' && parent && /^(Link|Image|LinkReference)$/.test(parent.name)) return
  const target = linkTarget(context.text(from, to).replace(/^<|>$/g, ''))
  if (target && name === 'URL') context.style(from, to, 'cm-link', { 'data-url': target })
  if (name !== 'Autolink' || context.isTouched(from, to)) return
  context.hide(from, from + 1)
  context.hide(to - 1, to)
}
