// @ts-expect-error -- a picture, of which only its place is wanted
import favicon from '../design/favicon.ico' with { type: 'file' }
import fonts from '../design/fonts.css' with { type: 'text' }
import controls from '../design/pages.css' with { type: 'text' }
import tokens from '../design/tokens.css' with { type: 'text' }

/** What somebody chose in the app, which keeps it where pages without a script see it too. */
export const themeOf = ({ headers }: Request): string | undefined =>
  /(?:^|; *)theme=(light|dark)(?:;|$)/.exec(headers.get('cookie') ?? '')?.[1]

/** The fonts, colours and measures of every page of the server, in the theme that was chosen. */
export function look(request: Request): Response {
  const theme = themeOf(request)
  const chosen = theme ? `:root { color-scheme: ${theme}; }\n` : ''
  return unlessKnown(request, fonts + tokens + chosen, { ...STYLE, vary: 'cookie' })
}

/** What stands on the pages that need no script. */
export const controlsOf = (request: Request) => unlessKnown(request, controls, STYLE)

/** The pin of the name, in a colour that is seen on light and on dark tabs. */
export const iconOf = (request: Request) =>
  unlessKnown(request, ICON, { ...FILE, 'content-type': 'image/svg+xml' })

/** For browsers and tools that ask for this address without reading a page first. */
export const faviconOf = async (request: Request) =>
  unlessKnown(request, await Bun.file(favicon).bytes(), { ...FILE, 'content-type': 'image/x-icon' })

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6" fill="#b87333"/></svg>`

export const FILE = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' }
const STYLE = { ...FILE, 'content-type': 'text/css; charset=utf-8' }

/** Sent whole only to those who do not have it yet. */
export function unlessKnown(
  request: Request,
  body: string | Uint8Array,
  headers: Record<string, string>,
): Response {
  const etag = `"${Bun.hash(body).toString(36)}"`
  const has = (request.headers.get('if-none-match') ?? '').split(/, */)
  const isKnown = has.some((one) => one.replace(/^W\//, '') === etag)
  return new Response(isKnown ? null : (body as never), {
    status: isKnown ? 304 : 200,
    headers: { ...headers, etag },
  })
}
