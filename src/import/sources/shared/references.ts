import { taskLink } from '../../source.ts'

/** Finds the imported task that an address or a short reference such as `#12` means. */
export interface References {
  byUrl(url: string): string | undefined
  byShort?(reference: string): string | undefined
  /** The text of a link that has only an address. */
  titleOf?(id: string): string
}

const CODE = /(^|\n) {0,3}(`{3,}|~{3,})[\s\S]*?(?:\n {0,3}\2|$(?![\s\S]))|`[^`\n]+`/g
const MARKDOWN = new RegExp(
  [
    /\[(?<text>[^[\]\n]*)\]\(<?(?<link>[^()\s<>]+(?:\([^()\s<>]*\)[^()\s<>]*)*)>?(?<title>[^()\n]*)\)/,
    /\]\((?<target>https?:\/\/[^()\s]+)\)/,
    /href="(?<href>[^"\n]+)"/,
    /(?<![\w"'=])<?(?<bare>https?:\/\/[^\s<>()[\]"'`]+)>?/,
    /(?<![\w./&;#@+-])(?<short>[\w.+-]*(?:\/[\w.+-]+)*#\d+)(?![\w-])/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/** Turns links and references to imported tasks into task links, except in code. */
export function linkMarkdown(text: string, references: References): string {
  let result = ''
  let end = 0
  for (const code of text.matchAll(CODE)) {
    result += linkProse(text.slice(end, code.index), references) + code[0]
    end = code.index + code[0].length
  }
  return result + linkProse(text.slice(end), references)
}

function linkProse(prose: string, { byUrl, byShort, titleOf }: References): string {
  return prose.replace(MARKDOWN, (...args) => {
    const whole = args[0] as string
    const found = args.at(-1) as Record<string, string | undefined>
    const { text = '', link, title = '', target, href, bare, short } = found
    const address = link ?? target ?? href ?? bare?.replace(/[.,;:!?*_]+$/, '')
    const id = address ? byUrl(address) : short && byShort?.(short)
    if (!id) return whole
    const to = taskLink(id)
    if (link) return `[${text}](${to}${title})`
    if (target) return `](${to})`
    if (href) return `href="${to}"`
    if (short) return `[${short}](${to})`
    const label = titleOf ? titleOf(id) : /^\d+$/.test(id) ? address! : id
    const end = whole.startsWith('<') ? '' : bare!.slice(address!.length)
    return `[${label}](${to})${end}`
  })
}

/** Turns the links of HTML that lead to imported tasks into task links. */
export const linkHtml = (html: string, { byUrl }: References): string =>
  html.replace(
    /(\shref=)(["'])([^"']*)\2/gi,
    (whole, start: string, quote: string, url: string) => {
      const id = byUrl(url.replaceAll('&amp;', '&'))
      return id ? `${start}${quote}${taskLink(id)}${quote}` : whole
    },
  )
