import { fromHtml } from 'hast-util-from-html'
import type { Sample } from './corpus/index.ts'

interface Node {
  type: string
  tagName?: string
  value?: string
  properties?: { alt?: string }
  children?: Node[]
}

/**
 * The visible characters of HTML: its text and the alt texts of images, without white space, soft
 * hyphens, zero-width spaces and byte order marks.
 */
export const visible = (html: string): string => bare(wordsIn(fromHtml(html, { fragment: true })))

const wordsIn = ({ value = '', properties, children = [] }: Node): string =>
  `${value}${properties?.alt ?? ''}${children.map(wordsIn).join('')}`

export const bare = (text: string) => text.replace(/[\s\u00ad\u200b\ufeff]/g, '')

/** The characters that must be visible of a text sent as HTML. */
export const shownOfHtml = ({ text, html }: Sample): string => bare(html ?? text)

/** Characters that are visible unless markdown interprets them. */
const MARKS = /[*_`~#|\\+=-]/g
export const unmarked = (visible: string): string => visible.replace(MARKS, '')

/** The characters that must be visible of a text sent as markdown, without its marks. */
export const shownOfMarkdown = ({ text, shown }: Sample): string =>
  unmarked(bare(shown ?? sourceOf(text)))

/** What a reader sees of markdown: no link targets, quote signs, list markers or code fences. */
const sourceOf = (markdown: string) =>
  markdown
    .replace(/\r\n?/g, '\n')
    .replace(/^[\s>]*(?:`{3,}(?!.*`)|~{3,})[ \t]*(?:[\w+#.-]{1,40}(?=\s|$))?/gm, '')
    .replace(/^(?: {0,3}>)+/gm, '')
    .replace(/^\s*[|:-][|: -]*-[|: -]*$/gm, '')
    .replace(/^\s*(?:\d{1,9}[.)]|[-*+])\s+(?:\[[ xX]\]\s)?/gm, '')
    .replace(/^\s*(?:\d{1,9}[.)]|[-*+])\s+(?:\[[ xX]\]\s)?/gm, '')
    .replace(/!?\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
    .replace(/<((?:https?:\/\/|mailto:)[^\s<>]+|[\w.+-]+@[\w.-]+)>/g, '$1')
