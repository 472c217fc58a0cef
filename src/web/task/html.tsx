import DOMPurify from 'dompurify'
import { memo, useLayoutEffect, useMemo, useRef } from 'react'
import { useLocation } from 'wouter'
import { reserveSpace } from '../parts/image-size.ts'
import { useMe } from './data.ts'
import './editor.css'

interface Props {
  html: string
  /** `markdown` of a text that the server could not convert: it is shown as it is stored. */
  format?: 'html' | 'markdown' | undefined
  /** Those whose names behind an @ are shown as mentions. */
  names?: readonly string[]
  /** Called with the place of a box among all boxes of the text, and how it is taken back. */
  onTick?: ((at: number, checked: boolean, back: () => void) => void) | undefined
}

const NO_NAMES: readonly string[] = []

/** A text as it is read. The server has cleaned it; here it is cleaned once more. */
export const Html = memo(function Html({ format, names = NO_NAMES, onTick, ...given }: Props) {
  const html = format === 'markdown' ? asSource(given.html) : given.html
  const element = useRef<HTMLDivElement>(null)
  const [, go] = useLocation()
  const boards = useMe()?.boards
  const keys = useMemo(() => new Set(boards?.map(({ key }) => key)), [boards])
  useLayoutEffect(() => {
    const fragment = DOMPurify.sanitize(html, {
      RETURN_DOM_FRAGMENT: true,
      FORBID_ATTR: ['style', 'id', 'name'],
    })
    mark(fragment, keys, names)
    for (const block of fragment.querySelectorAll<HTMLElement>(BLOCKS)) block.dir = 'auto'
    for (const box of boxesIn(fragment)) {
      box.disabled = !onTick
      box.setAttribute('aria-label', box.parentElement?.textContent?.trim() ?? '')
    }
    replaceChanged(element.current!, fragment)
    const [...boxes] = boxesIn(element.current!)
    for (const [at, box] of boxes.entries()) {
      const back = () => {
        box.checked = !box.checked
      }
      box.onchange = () => onTick?.(at, box.checked, back)
    }
  }, [html, names, keys, onTick])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is clicked are the links inside
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys reach the links themselves
    <div
      ref={element}
      className="prose"
      onClick={(event) => {
        const link = (event.target as Element).closest('a[data-here]')
        if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        go(link.getAttribute('href')!)
      }}
    />
  )
})

const asSource = (text: string) =>
  `<pre>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`

const boxesIn = (root: ParentNode) =>
  root.querySelectorAll<HTMLInputElement>('input[type=checkbox]')

/**
 * Replaces only the blocks that changed: who reads another one keeps their place and their
 * selection. Blocks of which there are several alike are not told apart, and are new ones.
 */
function replaceChanged(element: Element, next: DocumentFragment) {
  const before = uniqueIn(element)
  const after = uniqueIn(next)
  const kept = new Set<Node>()
  let last = -1
  const nodes = [...next.childNodes].map((node) => {
    const text = node instanceof Element ? node.outerHTML : ''
    const found = after.get(text) ? before.get(text) : undefined
    if (!found || found.at <= last) return node
    last = found.at
    kept.add(found.node)
    return found.node
  })
  for (const node of [...element.childNodes]) if (!kept.has(node)) node.remove()
  let place = element.firstChild
  for (const node of nodes)
    if (node === place) place = place.nextSibling
    else element.insertBefore(node, place)
}

/** The blocks of a text that stand in it once, by their markup. */
function uniqueIn(root: ParentNode): Map<string, { node: Element; at: number }> {
  const alike = Map.groupBy([...root.children].entries(), ([, { outerHTML }]) => outerHTML)
  return new Map(
    [...alike].flatMap(([text, [first, ...others]]) => {
      const [at, node] = first!
      return others.length || isTicked(node) ? [] : [[text, { node, at }] as const]
    }),
  )
}

/** A box that was ticked here has another state than its text says until the server answered. */
const isTicked = (node: Element) =>
  [...boxesIn(node)].some((box) => box.checked !== box.defaultChecked)

/** Each is read in the direction of its own first word. */
const BLOCKS = 'p, li, h1, h2, h3, h4, h5, h6, blockquote, td, th'

const KEY = /\b([A-Z][A-Z0-9]{0,9})-\d{1,9}\b/g
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Keys of tasks become links, mentions stand out, and links to elsewhere open there. */
function mark(root: DocumentFragment, keys: ReadonlySet<string>, names: readonly string[]) {
  for (const link of root.querySelectorAll('a')) {
    const isHere = link.origin === location.origin
    if (isHere && /^\/(t|projects|p)\//.test(link.pathname)) link.dataset.here = ''
    else {
      link.target = '_blank'
      link.rel = 'noopener noreferrer'
    }
  }
  for (const image of root.querySelectorAll('img'))
    if (isOurs(image.src)) {
      image.loading = 'lazy'
      reserveSpace(image)
    } else image.replaceWith(elsewhere(image))
  const longest = [...names].sort((a, b) => b.length - a.length).map(escaped)
  const mention = longest.length ? new RegExp(`@(?:${longest.join('|')})(?!\\w)`, 'g') : undefined
  for (const text of textsIn(root)) {
    const found = [
      ...[...text.data.matchAll(KEY)].filter(([, board]) => keys.has(board!)),
      ...(mention ? text.data.matchAll(mention) : []),
    ].sort((a, b) => b.index - a.index)
    for (const { 0: words, index } of found) {
      text.splitText(index + words.length)
      text.splitText(index).replaceWith(words.startsWith('@') ? named(words) : linked(words))
    }
  }
}

const isOurs = (address: string) =>
  URL.canParse(address) && new URL(address).origin === location.origin

/** Whoever else has a picture would learn who reads this, and when: it is shown when asked for. */
function elsewhere({ src, alt }: HTMLImageElement): Element {
  const link = document.createElement('a')
  link.href = src
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
  const host = URL.canParse(src) ? new URL(src).host : ''
  link.textContent = `${alt || 'Picture'}${host && ` (at ${host})`}`
  return link
}

function textsIn(root: DocumentFragment): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  return texts.filter(({ parentElement }) => !parentElement?.closest('a, code, pre'))
}

function linked(key: string): Element {
  const link = document.createElement('a')
  link.href = `/t/${key}`
  link.dataset.here = ''
  link.textContent = key
  return link
}

function named(words: string): Element {
  const mark = document.createElement('span')
  mark.className = 'mention'
  mark.textContent = words
  return mark
}
