import { type Appearance, appearanceIn } from '../design/appearance.ts'
// @ts-expect-error -- a picture, imported for its path only
import favicon from '../design/favicon.ico' with { type: 'file' }

import fonts from '../design/fonts.css' with { type: 'text' }
import controls from '../design/pages.css' with { type: 'text' }
import tokens from '../design/tokens.css' with { type: 'text' }

/** The stylesheet is at the root, so relative addresses work below every path. */
const FONTS = fonts.replaceAll('"/assets/', '"assets/')

/** What somebody chose in the app. Cookies make it known to pages without a script. */
export const appearanceOf = ({ headers }: Request): Appearance =>
  appearanceIn(headers.get('cookie') ?? '')

/** The stylesheet of all pages: fonts, colours and sizes, in the chosen theme. */
export function stylesheet(request: Request): Response {
  const { theme } = appearanceOf(request)
  const themeRule = theme ? `:root { color-scheme: ${theme}; }\n` : ''
  return unlessModified(request, FONTS + tokens + themeRule, { ...STYLE_HEADERS, vary: 'cookie' })
}

/** The stylesheet for the controls of pages without a script. */
export const controlsStylesheet = (request: Request) =>
  unlessModified(request, controls, STYLE_HEADERS)

/** The icon: a pin in a colour that is visible on light and on dark tabs. */
export const iconOf = (request: Request) =>
  unlessModified(request, ICON, { ...FILE_HEADERS, 'content-type': 'image/svg+xml' })

/** The icon for browsers and tools that request /favicon.ico without reading a page. */
export const faviconOf = async (request: Request) =>
  unlessModified(request, await Bun.file(favicon).bytes(), {
    ...FILE_HEADERS,
    'content-type': 'image/x-icon',
  })

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6" fill="#b87333"/></svg>`

export const FILE_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' }
const STYLE_HEADERS = { ...FILE_HEADERS, 'content-type': 'text/css; charset=utf-8' }

/** Answers 304 if the client already has this version. */
export function unlessModified(
  request: Request,
  body: string | Uint8Array,
  headers: Record<string, string>,
): Response {
  const etag = `"${Bun.hash(body).toString(36)}"`
  const etags = (request.headers.get('if-none-match') ?? '').split(/, */)
  const isCurrent = etags.some((tag) => tag.replace(/^W\//, '') === etag)
  return new Response(isCurrent ? null : (body as never), {
    status: isCurrent ? 304 : 200,
    headers: { ...headers, etag },
  })
}
