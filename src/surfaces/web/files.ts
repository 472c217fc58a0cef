import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { acceptsEncoding } from '../compression.ts'

/** The executable contains the app, which never changes. Otherwise it is in dist/web. */
const isStandalone = Bun.isStandaloneExecutable
const folder = join(
  import.meta.dir,
  ...(isStandalone ? ['web'] : ['..', '..', '..', 'dist', 'web']),
)

/** The built files of the app. */
export interface Files {
  /** The page; undefined if the app was not built. */
  page(): Promise<string | undefined>
  /** The addresses of the files of a lazily loaded part, which is named by its source path. */
  partOf(name: string): Promise<readonly string[]>
  asset(name: string, acceptEncoding: string): Response | undefined
}

const IMMUTABLE = 'public, max-age=31536000, immutable'
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

export function builtFiles(): Files {
  const assets = join(folder, 'assets')
  let text: string | undefined
  let names: ReadonlySet<string> | undefined
  let parts: Record<string, string[]> | undefined
  return {
    async page() {
      if (text !== undefined && isStandalone) return text
      const index = Bun.file(join(folder, 'index.html'))
      if (await index.exists()) text = await index.text()
      return text
    },
    async partOf(name) {
      if (!parts || !isStandalone) {
        const list = Bun.file(join(folder, 'parts.json'))
        parts = (await list.exists()) ? ((await list.json()) as Record<string, string[]>) : {}
      }
      return parts[name] ?? []
    },
    asset(name, acceptEncoding) {
      if (!names || !isStandalone) names = new Set(existsSync(assets) ? readdirSync(assets) : [])
      // Only listed names are served, because a name from a request may be a path to anywhere.
      if (!names.has(name) || /\.(br|gz)$/.test(name)) return undefined
      const encoding = ENCODINGS.find(
        ([coding, extension]) =>
          names!.has(name + extension) && acceptsEncoding(acceptEncoding, coding),
      )
      return new Response(Bun.file(join(assets, name + (encoding?.[1] ?? ''))), {
        headers: {
          'content-type': Bun.file(name).type,
          'cache-control': IMMUTABLE,
          'x-content-type-options': 'nosniff',
          vary: 'accept-encoding',
          ...(encoding && { 'content-encoding': encoding[0] }),
        },
      })
    },
  }
}
