import { directionOf, type Language } from '../../../../languages/index.ts'

/** One notification in an email, with a link to it. */
export interface EmailItem {
  title: string
  url: string
  says: string
  quote?: string | undefined
  /** Ways to answer, shown as buttons. */
  actions?: readonly { label: string; url: string }[] | undefined
}

export interface EmailContent {
  language: Language
  greeting: string
  items: readonly EmailItem[]
  /** Lines below the items. */
  after?: readonly string[]
  /** The main action, shown as a button. */
  action?: { label: string; url: string }
  /** Why this email was sent. `stop` is the link to unsubscribe. */
  foot: string
  stop?: { label: string; url: string }
}

/** Renders an email as plain text and as HTML without external resources. */
export const renderEmail = (message: EmailContent) => ({
  text: asText(message),
  html: asHtml(message),
})

function asText({ greeting, items, after = [], action, foot, stop }: EmailContent): string {
  const blocks = items.map(({ title, url, says, quote, actions = [] }) =>
    [
      `${says}: ${title}`,
      ...quoteLines(quote),
      url,
      ...actions.map((action) => `${action.label}: ${action.url}`),
    ].join('\n'),
  )
  const todo = action ? [`${action.label}: ${action.url}`] : []
  const end = ['-- ', foot, ...(stop ? [`${stop.label}: ${stop.url}`] : [])].join('\n')
  return `${[greeting, ...blocks, ...after, ...todo, end].join('\n\n')}\n`
}

const quoteLines = (quote = '') => (quote ? quote.split('\n').map((line) => `> ${line}`) : [])

const STYLE = {
  page: 'margin:0;padding:24px 12px;background-color:Canvas;color:CanvasText',
  body: 'max-width:560px;margin:0 auto;font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,sans-serif',
  item: 'margin:0 0 20px;padding-inline-start:12px;border-inline-start:3px solid #d97706',
  says: 'margin:0;font-size:14px;opacity:.8',
  title: 'margin:0;font-weight:600',
  link: 'color:LinkText',
  quote: 'margin:6px 0 0;white-space:pre-line',
  button:
    'display:inline-block;padding:10px 18px;border-radius:6px;background-color:#b45309;color:#ffffff;text-decoration:none;font-weight:600',
  actions: 'margin:10px 0 0',
  choice:
    'display:inline-block;margin:0 8px 8px 0;padding:6px 14px;border-radius:6px;border:1px solid #b45309;color:LinkText;text-decoration:none;font-weight:600',
  foot: 'margin:28px 0 0;font-size:13px;opacity:.75',
}

function asHtml(message: EmailContent): string {
  const { language, greeting, items, after = [], action, foot, stop } = message
  const paragraph = (text: string, style = 'margin:0 0 20px') =>
    `<p style="${style}">${escapeHtml(text)}</p>`
  const button = action ? `<p>${link(action.url, action.label, STYLE.button)}</p>` : ''
  const ending = stop ? ` ${link(stop.url, stop.label)}` : ''
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
</head>
<body style="${STYLE.page}">
<div style="${STYLE.body}">
${paragraph(greeting)}
${items.map(itemAsHtml).join('\n')}
${after.map((line) => paragraph(line)).join('\n')}
${button}
<p style="${STYLE.foot}">${escapeHtml(foot)}${ending}</p>
</div>
</body>
</html>
`
}

const itemAsHtml = ({
  title,
  url,
  says,
  quote,
  actions = [],
}: EmailItem) => `<div style="${STYLE.item}">
<p style="${STYLE.says}">${escapeHtml(says)}</p>
<p style="${STYLE.title}">${link(url, title)}</p>
${quote ? `<p style="${STYLE.quote}">${escapeHtml(quote)}</p>` : ''}
${actions.length ? `<p style="${STYLE.actions}">${actions.map((action) => link(action.url, action.label, STYLE.choice)).join(' ')}</p>` : ''}
</div>`

const link = (url: string, text: string, style = STYLE.link) =>
  `<a href="${escapeHtml(url)}" style="${style}">${escapeHtml(text)}</a>`

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!)
