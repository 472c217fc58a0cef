import { Elysia } from 'elysia'
import { fault } from '../../kernel/fault.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { Gateway, IncomingRequest } from '../gateway.ts'
import { ownPage } from '../own-page.ts'
import { FILE_HEADERS, unlessModified } from '../static-files.ts'
import { FILES } from './files.ts'
import { operationList, operationPage } from './operation-page.ts'
import { articlePage, MAX_QUERY_LENGTH, notFoundPage, searchPage } from './page.ts'
import type { Article, Manual } from './parts.ts'

interface Parts<A extends Article> {
  gateway: Gateway
  catalog: readonly AnyOperation[]
  /** Loads the manual at the first request. */
  manual(): Promise<Manual<A>>
}

const ROWS = 10

/** The docs of the product as pages, for everybody who can reach the server. */
export function manual<A extends Article>({ gateway, catalog, manual }: Parts<A>) {
  const serve = serveWith(gateway)
  const articleResponse = async (name: string, request: Request) => {
    const book = await manual()
    const article = book.articles.find((candidate) => candidate.name === name)
    if (article) return answer(request, articlePage(book, article, await book.html(article)))
    return ownPage(new Response(notFoundPage(book), { status: 404, headers: PAGE }))
  }
  return new Elysia({ name: 'manual' })
    .use(operations(gateway, catalog))
    .get(
      '/docs/manual',
      serve(async ({ request }) => {
        const query = queryIn(request.url)
        if (!query) return articleResponse('', request)
        const book = await manual()
        return answer(request, searchPage(book, query, await book.find(query, ROWS)))
      }),
      hidden as never,
    )
    .get(
      '/docs/manual/:page',
      serve(async ({ request, params }) => {
        const name = params!.page!
        if (name.endsWith('.md')) return markdown(request, articleText(await manual(), name))
        return (await findFile(name, await manual(), request)) ?? articleResponse(name, request)
      }),
      hidden as never,
    )
    .get(
      '/docs/manual/screens/:picture',
      serve(async ({ request, params }) => {
        const name = `screens/${params!.picture}`
        return (await findFile(name, await manual(), request)) ?? articleResponse(name, request)
      }),
      hidden as never,
    )
}

const hidden = { detail: { hide: true } }

const serveWith =
  (gateway: Gateway) => (handle: (incoming: IncomingRequest) => Promise<Response>) =>
    ((incoming: IncomingRequest) =>
      gateway.serve(incoming, isFile(incoming) ? 'open' : 'anyone', () =>
        handle(incoming),
      )) as never

/** The pages of the operations, which exist in markdown only. */
function operations(gateway: Gateway, catalog: readonly AnyOperation[]) {
  const serve = serveWith(gateway)
  return new Elysia({ name: 'operations' })
    .get(
      '/docs/api.md',
      serve(async ({ request }) => markdown(request, operationList(catalog))),
      hidden as never,
    )
    .get(
      '/docs/api/:page',
      serve(async ({ request, params }) => {
        const op = catalog.find(({ name }) => `${name}.md` === params!.page)
        return markdown(request, op && operationPage(op))
      }),
      hidden as never,
    )
}

/** Whether the request is for a style, script or picture, which are not rate limited. */
const isFile = ({ params: { page, picture } = {} }: IncomingRequest) =>
  picture !== undefined || /\.(?!md$)\w+$/.test(page ?? '')

const queryIn = (url: string) =>
  (new URL(url).searchParams.get('q') ?? '').trim().slice(0, MAX_QUERY_LENGTH)

async function findFile(name: string, { picture }: Pick<Manual, 'picture'>, request: Request) {
  const builtIn = Object.values(FILES).find(({ path }) => path.endsWith(`/${name}`))
  if (builtIn)
    return new Response(builtIn.text, { headers: { ...IMMUTABLE, 'content-type': builtIn.type } })
  const bytes = await picture(name)
  return bytes && unlessModified(request, bytes, { ...FILE_HEADERS, 'content-type': 'image/png' })
}

/** The text of an article by the name of its file, as links between articles name it. */
const articleText = ({ articles }: Pick<Manual, 'articles'>, file: string) =>
  articles.find(({ name }) => `${name || 'README'}.md` === file)?.text

function markdown(request: Request, text: string | undefined): Response {
  if (text === undefined)
    throw fault.notFound(
      'page',
      'There is no such page',
      undefined,
      'GET /docs/api.md and /docs/manual/README.md list the pages',
    )
  return ownPage(unlessModified(request, text, MARKDOWN))
}

const MARKDOWN = { ...FILE_HEADERS, 'content-type': 'text/markdown; charset=utf-8' }

const IMMUTABLE = { ...FILE_HEADERS, 'cache-control': 'public, max-age=31536000, immutable' }

const PAGE = {
  ...FILE_HEADERS,
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

const answer = (request: Request, page: string) => ownPage(unlessModified(request, page, PAGE))
