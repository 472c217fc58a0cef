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
 * The visible characters of HTML: those of its text and of what stands for its images, without white
 * space, soft hyphens and marks of direction, which nobody sees.
 */
export const visible = (html: string): string => bare(wordsIn(fromHtml(html, { fragment: true })))

const wordsIn = ({ value = '', properties, children = [] }: Node): string =>
  `${value}${properties?.alt ?? ''}${children.map(wordsIn).join('')}`

export const bare = (text: string) => text.replace(/[\s\u00ad\u200b\ufeff]/g, '')

/** What must be visible of a text that was sent as HTML. */
export const shownOfHtml = ({ text, html }: Sample): string => bare(html ?? text)

/** Characters that are visible unless markdown gives them a meaning. */
const MARKS = /[*_`~#|\\+=-]/g
export const unmarked = (visible: string): string => visible.replace(MARKS, '')

/** What must be visible of a text that was sent as markdown, but for its marks. */
export const shownOfMarkdown = ({ text, shown }: Sample): string =>
  unmarked(bare(shown ?? sourceOf(text)))

/** What a reader sees of markdown: no link targets, no quote signs, numbers or boxes of lists. */
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
