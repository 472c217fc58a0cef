import DOMPurify from 'dompurify'
import { memo, useLayoutEffect, useMemo, useRef } from 'react'
import { useLocation } from 'wouter'
import { basePath, isBelowBase, withoutBase } from '../../kit/base-path.ts'
import { reserveSpace } from '../../kit/image-size.ts'
import { t } from '../../messages/t.ts'
import { useMe } from '../user/me.ts'
import { decorateCallout } from './callouts.ts'
import './editor.css'

interface Props {
  html: string
  /** `markdown` if the server could not convert the text: it is shown as stored. */
  format?: 'html' | 'markdown' | undefined
  /** Names that are highlighted as mentions after an `@`. */
  names?: readonly string[]
  /** Called with the index of a checkbox among all of the text, and a function that reverts it. */
  onTick?: ((at: number, checked: boolean, revert: () => void) => void) | undefined
}

const NO_NAMES: readonly string[] = []

/**
 * Rendered text. The server sanitizes it; it is sanitized again here as a second line of defence.
 */
export const Html = memo(function Html({ format, names = NO_NAMES, onTick, ...props }: Props) {
  const html = format === 'markdown' ? asPreformatted(props.html) : props.html
  const element = useRef<HTMLDivElement>(null)
  const [, go] = useLocation()
  const boards = useMe()?.boards
  const keys = useMemo(() => new Set(boards?.map(({ key }) => key)), [boards])
  useLayoutEffect(() => {
    const fragment = DOMPurify.sanitize(html, {
      RETURN_DOM_FRAGMENT: true,
      FORBID_ATTR: ['style', 'id', 'name'],
    })
    decorate(fragment, keys, names)
    for (const block of fragment.querySelectorAll<HTMLElement>(BLOCKS)) block.dir = 'auto'
    for (const box of boxesIn(fragment)) {
      box.disabled = !onTick
      box.setAttribute('aria-label', box.parentElement?.textContent?.trim() ?? '')
    }
    replaceChanged(element.current!, fragment)
    const [...boxes] = boxesIn(element.current!)
    for (const [index, box] of boxes.entries()) {
      const revert = () => {
        box.checked = !box.checked
      }
      box.onchange = () => onTick?.(index, box.checked, revert)
    }
  }, [html, names, keys, onTick])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is clicked are the links inside
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys reach the links themselves
    <div
      ref={element}
      className="prose"
      onClick={(event) => {
        const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-here]')
        if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        go(withoutBase(link.pathname) + link.search + link.hash)
      }}
    />
  )
})

const asPreformatted = (text: string) =>
  `<pre>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`

const boxesIn = (root: ParentNode) =>
  root.querySelectorAll<HTMLInputElement>('input[type=checkbox]')

/**
 * Replaces only the changed blocks, so that readers keep their scroll position and selection
 * elsewhere. Blocks with the same markup cannot be told apart and are always replaced.
 */
function replaceChanged(element: Element, next: DocumentFragment) {
  const before = uniqueBlocks(element)
  const after = uniqueBlocks(next)
  const keptNodes = new Set<Node>()
  let last = -1
  const nodes = [...next.childNodes].map((node) => {
    const text = node instanceof Element ? node.outerHTML : ''
    const found = after.get(text) ? before.get(text) : undefined
    if (!found || found.at <= last) return node
    last = found.at
    keptNodes.add(found.node)
    return found.node
  })
  for (const node of [...element.childNodes]) if (!keptNodes.has(node)) node.remove()
  let nextNode = element.firstChild
  for (const node of nodes)
    if (node === nextNode) nextNode = nextNode.nextSibling
    else element.insertBefore(node, nextNode)
}

/** The blocks whose markup occurs once, by markup. */
function uniqueBlocks(root: ParentNode): Map<string, { node: Element; at: number }> {
  const groups = Map.groupBy([...root.children].entries(), ([, { outerHTML }]) => outerHTML)
  return new Map(
    [...groups].flatMap(([text, [first, ...others]]) => {
      const [at, node] = first!
      return others.length || hasChangedBox(node) ? [] : [[text, { node, at }] as const]
    }),
  )
}

/** Until the server responds, a checkbox ticked here differs from its markup. */
const hasChangedBox = (node: Element) =>
  [...boxesIn(node)].some((box) => box.checked !== box.defaultChecked)

/** Elements that get `dir="auto"`, so each follows the direction of its own text. */
const BLOCKS = 'p, li, h1, h2, h3, h4, h5, h6, blockquote, td, th'

const KEY = /\b([A-Z][A-Z0-9]{0,9})-\d{1,9}\b/g
const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Links task keys, highlights mentions, opens external links in a new tab, and replaces external
 * images by links.
 */
function decorate(root: DocumentFragment, keys: ReadonlySet<string>, names: readonly string[]) {
  for (const link of root.querySelectorAll('a')) {
    prefix(link, 'href')
    if (isBelowBase(link) && /^\/(t|projects|p)\//.test(withoutBase(link.pathname)))
      link.dataset.here = ''
    else {
      link.target = '_blank'
      link.rel = 'noopener noreferrer'
    }
  }
  for (const quote of root.querySelectorAll('blockquote')) decorateCallout(quote)
  for (const image of root.querySelectorAll('img')) {
    prefix(image, 'src')
    if (isOurs(image.src)) {
      image.loading = 'lazy'
      reserveSpace(image)
    } else image.replaceWith(externalImageLink(image))
  }
  const longest = [...names].sort((a, b) => b.length - a.length).map(escapeRegExp)
  const mention = longest.length ? new RegExp(`@(?:${longest.join('|')})(?!\\w)`, 'g') : undefined
  for (const text of textNodesIn(root)) {
    const found = [
      ...[...text.data.matchAll(KEY)].filter(([, board]) => keys.has(board!)),
      ...(mention ? text.data.matchAll(mention) : []),
    ].sort((a, b) => b.index - a.index)
    for (const { 0: matchedText, index } of found) {
      text.splitText(index + matchedText.length)
      text
        .splitText(index)
        .replaceWith(matchedText.startsWith('@') ? mentionMark(matchedText) : taskLink(matchedText))
    }
  }
}

const isOurs = (address: string) => URL.canParse(address) && isBelowBase(new URL(address))

/** Texts name files and tasks of this server by their path within the app. */
function prefix(element: Element, attribute: 'href' | 'src') {
  const address = element.getAttribute(attribute)
  if (
    basePath &&
    address &&
    /^\/(?!\/)/.test(address) &&
    !isBelowBase(new URL(address, location.origin))
  )
    element.setAttribute(attribute, basePath + address)
}

/** Loading an external image would tell its host who reads this and when, so it becomes a link. */
function externalImageLink({ src, alt }: HTMLImageElement): Element {
  const link = document.createElement('a')
  link.href = src
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
  const host = URL.canParse(src) ? new URL(src).host : ''
  link.textContent = `${alt || t('editor.image')}${host && ` (${host})`}`
  return link
}

function textNodesIn(root: DocumentFragment): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  return texts.filter(({ parentElement }) => !parentElement?.closest('a, code, pre'))
}

function taskLink(key: string): Element {
  const link = document.createElement('a')
  link.href = `${basePath}/t/${key}`
  link.dataset.here = ''
  link.textContent = key
  return link
}

function mentionMark(matchedText: string): Element {
  const mark = document.createElement('span')
  mark.className = 'mention'
  mark.textContent = matchedText
  return mark
}
