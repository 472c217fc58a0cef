import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gzipSync } from 'node:zlib'
import { acceptsEncoding } from '../compression.ts'

/** The executable contains the app, which never changes. Otherwise it is in dist/web. */
const isStandalone = Bun.isStandaloneExecutable
const folder = join(
  import.meta.dir,
  ...(isStandalone ? ['web'] : ['..', '..', '..', 'dist', 'web']),
)

async function readList<T>(name: string): Promise<Record<string, T>> {
  const list = Bun.file(join(folder, name))
  return (await list.exists()) ? ((await list.json()) as Record<string, T>) : {}
}

/** The built files of the app. */
export interface Files {
  /** The page; undefined if the app was not built. */
  page(): Promise<string | undefined>
  /** The addresses of the files of a lazily loaded part, which is named by its source path. */
  partOf(name: string): Promise<readonly string[]>
  /** The address of the file of a language; undefined for English. */
  languageFile(language: string): Promise<string | undefined>
  asset(name: string, acceptEncoding: string): Response | undefined
  /** The program that the browser runs without a page; undefined if the app was not built. */
  serviceWorker(): Promise<string | undefined>
}

const IMMUTABLE = 'public, max-age=31536000, immutable'

type Encoding = 'br' | 'gzip' | 'identity'

const bestEncoding = (acceptEncoding: string): Encoding =>
  (['br', 'gzip'] as const).find((coding) => acceptsEncoding(acceptEncoding, coding)) ?? 'identity'

/** Texts in other encodings, by encoding and path. They are made at first use. */
const others = new Map<string, Uint8Array<ArrayBuffer>>()

/** Texts are stored with brotli only. Browsers do not accept it over plain HTTP. */
function encoded(path: string, encoding: Encoding): Blob | Uint8Array<ArrayBuffer> {
  if (encoding === 'br') return Bun.file(path)
  const key = `${encoding} ${path}`
  let bytes = others.get(key)
  if (bytes && isStandalone) return bytes
  const text = brotliDecompressSync(readFileSync(path))
  bytes = new Uint8Array(encoding === 'gzip' ? gzipSync(text) : text)
  others.set(key, bytes)
  return bytes
}

export function builtFiles(): Files {
  const assets = join(folder, 'assets')
  let text: string | undefined
  let names: ReadonlySet<string> | undefined
  let parts: Record<string, string[]> | undefined
  let languages: Record<string, string> | undefined
  return {
    async page() {
      if (text !== undefined && isStandalone) return text
      const index = Bun.file(join(folder, 'index.html'))
      if (await index.exists()) text = await index.text()
      return text
    },
    async partOf(name) {
      if (!parts || !isStandalone) parts = await readList<string[]>('parts.json')
      return parts[name] ?? []
    },
    async languageFile(language) {
      if (!languages || !isStandalone) languages = await readList<string>('languages.json')
      return languages[language]
    },
    async serviceWorker() {
      const file = Bun.file(join(folder, 'service-worker.js'))
      return (await file.exists()) ? file.text() : undefined
    },
    asset(name, acceptEncoding) {
      if (!names || !isStandalone) names = new Set(existsSync(assets) ? readdirSync(assets) : [])
      const isCompressed = names.has(`${name}.br`)
      // Only listed names are served, because a name from a request may be a path to anywhere.
      if ((!isCompressed && !names.has(name)) || name.endsWith('.br')) return undefined
      const encoding = isCompressed ? bestEncoding(acceptEncoding) : 'identity'
      const path = join(assets, name)
      return new Response(isCompressed ? encoded(`${path}.br`, encoding) : Bun.file(path), {
        headers: {
          'content-type': Bun.file(name).type,
          'cache-control': IMMUTABLE,
          'x-content-type-options': 'nosniff',
          vary: 'accept-encoding',
          ...(encoding !== 'identity' && { 'content-encoding': encoding }),
        },
      })
    },
  }
}
