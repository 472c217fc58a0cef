import { Elysia } from 'elysia'
import type { Called, Door } from '../door.ts'
import { FILE, unlessKnown } from '../look.ts'
import { FILES } from './files.ts'
import { articlePage, foundPage, lostPage, MOST_LETTERS } from './page.ts'
import type { Article, Manual } from './parts.ts'

interface Parts<A extends Article> {
  door: Door
  /** Loaded by the first who asks. */
  manual(): Promise<Manual<A>>
}

const ROWS = 10

/** The product's own docs as pages, for everybody who can reach the server. */
export function manual<A extends Article>({ door, manual }: Parts<A>) {
  const hidden = { detail: { hide: true } }
  const serve = (handle: (called: Called) => Promise<Response>) =>
    ((called: Called) =>
      door.serve(called, isFile(called) ? 'open' : 'anyone', () => handle(called))) as never
  const shown = async (name: string, request: Request) => {
    const book = await manual()
    const article = book.articles.find((one) => one.name === name)
    if (article) return answer(request, articlePage(book, article, await book.html(article)))
    return new Response(lostPage(book), { status: 404, headers: PAGE })
  }
  return new Elysia({ name: 'manual' })
    .get(
      '/docs/manual',
      serve(async ({ request }) => {
        const query = askedIn(request.url)
        if (!query) return shown('', request)
        const book = await manual()
        return answer(request, foundPage(book, query, await book.find(query, ROWS)))
      }),
      hidden as never,
    )
    .get(
      '/docs/manual/:page',
      serve(async ({ request, params }) => {
        const name = params!.page!
        return (await fileNamed(name, await manual(), request)) ?? shown(name, request)
      }),
      hidden as never,
    )
    .get(
      '/docs/manual/screens/:picture',
      serve(async ({ request, params }) => {
        const name = `screens/${params!.picture}`
        return (await fileNamed(name, await manual(), request)) ?? shown(name, request)
      }),
      hidden as never,
    )
}

/** Styles, scripts and pictures. */
const isFile = ({ params: { page, picture } = {} }: Called) =>
  picture !== undefined || /\.\w+$/.test(page ?? '')

const askedIn = (url: string) =>
  (new URL(url).searchParams.get('q') ?? '').trim().slice(0, MOST_LETTERS)

async function fileNamed(name: string, { picture }: Pick<Manual, 'picture'>, request: Request) {
  const own = Object.values(FILES).find(({ path }) => path.endsWith(`/${name}`))
  if (own) return new Response(own.text, { headers: { ...FOR_EVER, 'content-type': own.type } })
  const bytes = await picture(name)
  return bytes && unlessKnown(request, bytes, { ...FILE, 'content-type': 'image/png' })
}

const FOR_EVER = { ...FILE, 'cache-control': 'public, max-age=31536000, immutable' }

const PAGE = {
  ...FILE,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "font-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'same-origin',
}

const answer = (request: Request, page: string) => unlessKnown(request, page, PAGE)
