import type { Schema } from 'hast-util-sanitize'
import { ALLOWED } from './elements.ts'

const NUMBER = /^\d{1,4}$/
const ALIGN: [string, ...string[]] = ['align', 'left', 'center', 'right']

/**
 * The sanitizer's schema. It allows no styles, no ids or names that could clash with those of the
 * page, and no classes except the language of code and the marks of task lists.
 */
export const schema: Schema = {
  tagNames: ALLOWED,
  // Elements removed with their content. Other disallowed elements leave their text behind.
  strip: ['script', 'style', 'iframe', 'frame', 'portal', 'svg', 'math'],
  attributes: {
    '*': ['title', 'lang', ['dir', 'ltr', 'rtl', 'auto']],
    a: ['href'],
    blockquote: ['cite'],
    code: [['className', /^language-[\w+#.-]{1,40}$/]],
    col: [['span', NUMBER]],
    colgroup: [['span', NUMBER]],
    del: ['cite', 'dateTime'],
    details: ['open'],
    img: ['src', 'alt', ['width', NUMBER], ['height', NUMBER]],
    input: ['checked', ['disabled', true], ['type', 'checkbox']],
    ins: ['cite', 'dateTime'],
    li: [
      ['className', 'task-list-item'],
      ['value', NUMBER],
    ],
    ol: [['start', /^\d{1,9}$/], 'reversed', ['className', 'contains-task-list']],
    q: ['cite'],
    td: [ALIGN, ['colSpan', NUMBER], ['rowSpan', NUMBER]],
    th: [ALIGN, ['colSpan', NUMBER], ['rowSpan', NUMBER], 'scope'],
    time: ['dateTime'],
    ul: [['className', 'contains-task-list']],
  },
  ancestors: Object.fromEntries(
    ['caption', 'col', 'colgroup', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr'].map((tag) => [
      tag,
      ['table'],
    ]),
  ),
  protocols: {
    cite: ['http', 'https'],
    // The schemes that DOMPurify allows, which sanitizes texts once more in the web app.
    href: [
      'http',
      'https',
      'ftp',
      'ftps',
      'mailto',
      'tel',
      'callto',
      'sms',
      'cid',
      'xmpp',
      'matrix',
    ],
    src: ['http', 'https'],
  },
  required: { input: { disabled: true } },
}

export const REL = ['noopener', 'nofollow', 'ugc']
