import { createVerify, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { FakeRepository } from './code-host.ts'

const APP_ID = 4711

export interface ScriptedApp {
  pem: string
  webhookSecret: string
  isInstalled: boolean
  /** Milliseconds until a token expires. */
  lifetime: number
  /** How many tokens were issued. */
  issued: number
  permissions: Record<string, string>
}

/** Lets a scripted GitHub Enterprise Server create an app, and check what the app signs. */
export function scriptedApp(repository: FakeRepository): ScriptedApp {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const app: ScriptedApp = {
    pem: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    ...{ webhookSecret: 'the secret of the app', isInstalled: true },
    ...{ lifetime: 60 * 60_000, issued: 0 },
    permissions: { contents: 'read', issues: 'write', metadata: 'read' },
  }
  const codes = new Set(['a code'])
  repository.bot.login = 'corkboard[bot]'
  repository.intercept = (request) => {
    const { pathname, origin } = new URL(request.url)
    const code = /^\/api\/v3\/app-manifests\/([^/]+)\/conversions$/.exec(pathname)?.[1]
    if (code) return convert(app, codes, decodeURIComponent(code), origin)
    const isForApp = pathname.startsWith('/api/v3/app/') || pathname.endsWith('/installation')
    if (!isForApp) return undefined
    if (!isJwtOf(publicKey, request)) return Response.json({}, { status: 401 })
    return answer(app, repository, request.method, pathname)
  }
  return app
}

const NOT_FOUND = () => Response.json({ message: 'Not Found' }, { status: 404 })

/** A code works once. */
function convert(app: ScriptedApp, codes: Set<string>, code: string, origin: string): Response {
  if (!codes.delete(code)) return NOT_FOUND()
  return Response.json(
    {
      ...{ id: APP_ID, slug: 'corkboard', html_url: `${origin}/github-apps/corkboard` },
      ...{ pem: app.pem, webhook_secret: app.webhookSecret, client_id: 'Iv1', owner: {} },
    },
    { status: 201 },
  )
}

/** GitHub refuses tokens that are not signed by the app, or last longer than ten minutes. */
function isJwtOf(publicKey: KeyObject, { headers }: Request): boolean {
  const [head = '', body = '', signature = ''] =
    headers.get('authorization')?.replace('Bearer ', '').split('.') ?? []
  const verify = createVerify('RSA-SHA256').update(`${head}.${body}`)
  if (!verify.verify(publicKey, signature, 'base64url')) return false
  const parse = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString())
  const { iss, iat, exp } = parse(body)
  const now = Date.now() / 1000
  return (
    parse(head).alg === 'RS256' &&
    iss === String(APP_ID) &&
    iat <= now &&
    exp > now &&
    exp < now + 600
  )
}

function answer(app: ScriptedApp, repository: FakeRepository, method: string, path: string) {
  if (!app.isInstalled) return path.endsWith('/installations') ? Response.json([]) : NOT_FOUND()
  if (path === '/api/v3/repos/acme/site/installation') return Response.json({ id: 99 })
  if (path === '/api/v3/app/installations') return Response.json([{ id: 99 }])
  if (method !== 'POST' || path !== '/api/v3/app/installations/99/access_tokens') return NOT_FOUND()
  app.issued++
  repository.token = `ghs_${app.issued}`
  const { permissions } = app
  const expires_at = new Date(Date.now() + app.lifetime).toISOString()
  return Response.json({ token: repository.token, expires_at, permissions }, { status: 201 })
}
