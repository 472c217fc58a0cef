import type { Schema } from 'hast-util-sanitize'

/** What may stand in a text. Everything else is taken away; its words stay, if it has any. */
const TAGS =
  'a abbr b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em ' +
  'figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p pre q rp rt ruby s ' +
  'samp small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul ' +
  'var wbr'

/** What goes with all that is in it. */
const STRIPPED =
  'script style title textarea xmp noscript noembed noframes plaintext iframe object embed ' +
  'template svg math select option optgroup button audio video canvas head'

const NUMBER = /^\d{1,4}$/
const ALIGN: [string, ...string[]] = ['align', 'left', 'center', 'right']

/**
 * No styles, no ids or names that a page could mistake for its own, no class but those that say
 * the language of code and what is a list of tasks.
 */
export const schema: Schema = {
  tagNames: TAGS.split(' '),
  strip: STRIPPED.split(' '),
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
    href: ['http', 'https', 'mailto'],
    src: ['http', 'https'],
  },
  required: { input: { disabled: true } },
}

export const REL = ['noopener', 'nofollow', 'ugc']
